"""Memory of large tensors, handed out again and again.

A fresh page is cleared by the system before it is written, which takes longer than most kernels take to fill it; and an
allocator that serves tensors of all sizes from one heap leaves gaps between them. Training asks for the same sizes in
every step, so blocks are kept by size: a tensor that dies gives its block back, and the next of about its size gets it.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import weakref
from contextlib import suppress
from dataclasses import dataclass, field

import torch
from torch import Tensor

LARGE = 1 << 20  # bytes; smaller tensors are torch's business
GRAIN = 1 << 16  # sizes are rounded up to these
LARGER = 1.25  # times the size asked for, up to which a block is taken: senders and receivers are almost as many
KEPT_FOR = 256  # requests that an idle block outlives before it goes back to the system


@dataclass
class _Idle:
    """A block nobody uses, since request number `since`."""

    block: mmap.mmap
    since: int


@dataclass
class Blocks:
    """Blocks by size. Lists are only ever popped and appended to, so threads may share them."""

    idle: dict[int, list[_Idle]] = field(default_factory=dict)
    requests: int = 0

    def tensor(self, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        """A tensor that holds no numbers yet; its block comes back here when its storage dies."""
        count = math.prod(shape)
        size = -(-count * dtype.itemsize // GRAIN) * GRAIN
        block = self._take(size)
        view = (ctypes.c_char * size).from_buffer(block)
        made = torch.frombuffer(view, dtype=dtype, count=count).view(shape)
        weakref.finalize(view, self._give, len(block), block).atexit = False
        return made

    def _take(self, size: int) -> mmap.mmap:
        self.requests += 1
        for fits in sorted(n for n in self.idle.copy() if size <= n <= LARGER * size):
            with suppress(KeyError, IndexError):  # another thread may have been quicker
                return self.idle[fits].pop().block
        self._release()
        return _mapped(size)

    def _give(self, size: int, block: mmap.mmap) -> None:
        self.idle.setdefault(size, []).append(_Idle(block, self.requests))

    def _release(self) -> None:
        """Let go of blocks that have been idle for long: the sizes that are asked for have changed."""
        for size, blocks in list(self.idle.items()):
            self.idle[size] = [b for b in blocks if self.requests - b.since <= KEPT_FOR]


def _mapped(size: int) -> mmap.mmap:
    """Fresh memory, on large pages where the system has them: rows that are gathered lie all over a tensor."""
    block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        block.madvise(mmap.MADV_HUGEPAGE)
    return block


BLOCKS = Blocks()


def allocate(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    """An uninitialised tensor."""
    if math.prod(shape) * dtype.itemsize >= LARGE and device.type == "cpu":
        return BLOCKS.tensor(shape, dtype)
    return torch.empty(shape, dtype=dtype, device=device)

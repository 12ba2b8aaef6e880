"""Memory of a step as it is: every tensor that torch makes is counted from when it is made until it is gone."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


@dataclass(frozen=True)
class Memory:
    """Bytes of one rank in one step."""

    parameters: int
    gradients: int
    optimizer: int
    buffers: int  # and constants
    inputs: int
    saved: int  # kept by autograd when the forward is done, besides all of the above
    peak: int  # the most at any moment of forward, backward and the optimizer's step, of all tensors there are


def storage_bytes(tensors: Iterable[Tensor | None]) -> int:
    """Bytes of the memory under tensors, none counted twice."""
    return sum({_key(x): x.untyped_storage().nbytes() for x in tensors if x is not None}.values())


class Meter(TorchDispatchMode):
    """Counts bytes of the tensors that there are, while it is on. Scratch inside an operator is not seen."""

    def __init__(self, there: Iterable[Tensor]) -> None:
        super().__init__()
        self.live = self.peak = 0
        self._known: set[int] = set()
        for tensor in there:
            self._meet(tensor)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(out):
            if isinstance(tensor, Tensor):
                self._meet(tensor)
        return out

    def _meet(self, tensor: Tensor) -> None:
        storage, key = tensor.untyped_storage(), _key(tensor)
        if key in self._known:
            return
        self._known.add(key)
        self.live += storage.nbytes()
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._forget, key, storage.nbytes())

    def _forget(self, key: int, size: int) -> None:
        self._known.discard(key)
        self.live -= size


@contextmanager
def saved_bytes(apart_from: Iterable[Tensor]) -> Iterator[dict[int, int]]:
    """Bytes that autograd keeps of what runs in the block, by memory, besides those of `apart_from`."""
    known = {_key(x) for x in apart_from}
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        if _key(tensor) not in known:
            kept[_key(tensor)] = tensor.untyped_storage().nbytes()
        return tensor.detach()  # the tensor itself would keep what it was computed from, and that it

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        yield kept


def _key(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)

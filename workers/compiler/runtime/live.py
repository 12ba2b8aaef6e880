"""Bytes of the tensors made in a stretch of work that are alive, step by step.

Every storage is seen once, when the kernel or the operation that made it is done, and watched until nobody holds it any
more. What was there before (weights, features, the optimiser's figures) is not counted.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

ROOM = ("empty", "empty_like", "empty_strided")
"""Operations that only make room for what a kernel writes next."""


@dataclass(frozen=True)
class Point:
    """Bytes alive after a step. `program` is empty for an operation of torch itself."""

    part: str
    program: str
    step: str
    bytes: int


@dataclass
class LiveTensors:
    """What is alive now, and how that went; `part` names the stretch of work being watched."""

    points: list[Point] = field(default_factory=list)
    bytes: int = 0
    part: str = ""
    _known: set[int] = field(default_factory=set)

    def made(self, program: str, step: str, tensors: Iterable[Tensor], *, told: bool = True) -> None:
        """Count tensors that a step has made, where they are new; without `told` the next step speaks for them."""
        before = len(self._known)
        for tensor in tensors:
            self._see(tensor, tensor.untyped_storage().nbytes())
        changed = self.bytes != (self.points[-1].bytes if self.points else 0)
        if told and changed and (program or len(self._known) > before):
            self.points.append(Point(self.part, program, step, self.bytes))

    def given(self, tensors: Iterable[Tensor]) -> None:
        """Note tensors that an operation reads: those nobody has seen were there before."""
        for tensor in tensors:
            self._see(tensor, 0)

    def _see(self, tensor: Tensor, counted: int) -> None:
        storage = tensor.untyped_storage()
        key = id(storage)  # its Python object lives as long as the memory does
        if key not in self._known:
            self._known.add(key)
            self.bytes += counted
            weakref.finalize(storage, self._gone, key, counted).atexit = False

    def _gone(self, key: int, counted: int) -> None:
        self._known.discard(key)
        self.bytes -= counted


class _Watching(TorchDispatchMode):
    """Shows every operation of torch to a LiveTensors."""

    def __init__(self, live: LiveTensors) -> None:
        super().__init__()
        self.live = live

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.live.given(_tensors((args, kwargs)))
        result = func(*args, **kwargs)
        name = str(func.overloadpacket).removeprefix("aten.")
        self.live.made("", name, _tensors(result), told=name not in ROOM)
        return result


def _tensors(tree: Any) -> list[Tensor]:
    return [x for x in tree_leaves(tree) if isinstance(x, Tensor) and x.layout == torch.strided]


_ACTIVE: ContextVar[LiveTensors | None] = ContextVar("live", default=None)


def watching() -> LiveTensors | None:
    """The watch that is on, if any: kernels tell it what they made."""
    return _ACTIVE.get()


@contextmanager
def watched(live: LiveTensors, part: str) -> Iterator[LiveTensors]:
    """Watch what runs inside as `part` of a whole."""
    live.part = part
    token = _ACTIVE.set(live)
    try:
        with _Watching(live):
            yield live
    finally:
        _ACTIVE.reset(token)

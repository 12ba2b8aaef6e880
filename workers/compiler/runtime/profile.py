"""Where the time goes: calls, seconds, bytes and operations of every step, recorded while a `Profile` is open.

What a step takes at least (`workers/compiler/cost.py`) over its time says how far it is from what the machine can do:
memory as fast as it copies, arithmetic as fast as it multiplies matrices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache

import torch

from workers.compiler.cost import Cost


@dataclass
class StepTime:
    """A step and its totals. `fused_from` names its operations, `ir` shows them, `lines` are those of the text.

    Bytes are those moved, `least_bytes` those that no cache can save.
    """

    program: str
    step: str
    direction: str
    side: str
    fused_from: tuple[str, ...]
    ir: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    calls: int = 0
    seconds: float = 0.0
    bytes: int = 0
    least_bytes: int = 0
    operations: int = 0

    @property
    def key(self) -> tuple[str, str, str]:
        return self.program, self.direction, self.step

    @property
    def gigabytes_per_second(self) -> float:
        return self.bytes / self.seconds / 1e9 if self.seconds else 0.0


@dataclass(frozen=True)
class SavedTensor:
    """One tensor kept for a backward pass; `leaf` where it is an input or a parameter, which exists anyway."""

    program: str
    value: str
    op: str
    shape: tuple[int, ...]
    bytes: int
    leaf: bool


@dataclass
class Profile:
    """Steps by (program, direction, name), in order of first call; what each program kept for its backward last."""

    steps: dict[tuple[str, str, str], StepTime] = field(default_factory=dict)
    saved: dict[str, tuple[SavedTensor, ...]] = field(default_factory=dict)

    def record(self, step: StepTime, seconds: float, cost: Cost) -> None:
        """Add one call of `step`, whose own totals stay as they are."""
        if step.key not in self.steps:
            self.steps[step.key] = replace(step)
        kept = self.steps[step.key]
        kept.calls += 1
        kept.seconds += seconds
        kept.bytes += cost.moved
        kept.least_bytes += cost.least
        kept.operations += cost.operations

    def save(self, program: str, tensors: Iterable[SavedTensor]) -> None:
        self.saved[program] = tuple(tensors)

    @property
    def saved_bytes(self) -> dict[str, int]:
        """Bytes each program holds between forward and backward and for nothing else."""
        return {name: sum(t.bytes for t in tensors if not t.leaf) for name, tensors in self.saved.items()}

    @property
    def seconds(self) -> float:
        return sum(s.seconds for s in self.steps.values())


_ACTIVE: ContextVar[Profile | None] = ContextVar("profile", default=None)


def active() -> Profile | None:
    """The profile being filled, if any. Backward passes run in the thread that asked for them on the CPU."""
    return _ACTIVE.get()


@contextmanager
def profiled(profile: Profile | None = None) -> Iterator[Profile]:
    """Record every step that runs inside."""
    profile = profile or Profile()
    token = _ACTIVE.set(profile)
    try:
        yield profile
    finally:
        _ACTIVE.reset(token)


@lru_cache(maxsize=4)
def measured_bandwidth(threads: int) -> float:
    """Bytes a second this machine copies in memory (read and write counted) with `threads`, best of five."""
    source = torch.ones(32 * 1024 * 1024)
    target = torch.empty_like(source)
    return 2 * source.nbytes / _least_seconds(lambda: target.copy_(source), threads)


@lru_cache(maxsize=4)
def measured_operations(threads: int, dtype: torch.dtype = torch.float32) -> float:
    """Operations a second of a product of two square matrices with `threads`, best of five."""
    side = 1024
    a, b, out = (torch.ones(side, side, dtype=dtype) for _ in range(3))
    return 2 * side**3 / _least_seconds(lambda: torch.mm(a, b, out=out), threads)


def _least_seconds(deed: Callable[[], object], threads: int) -> float:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        return min(_seconds(deed) for _ in range(5))
    finally:
        torch.set_num_threads(before)


def _seconds(deed: Callable[[], object]) -> float:
    start = time.perf_counter()
    deed()
    return time.perf_counter() - start

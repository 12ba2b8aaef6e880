"""Where the time goes: calls, seconds and bytes of every step, recorded while a `Profile` is open.

Bytes are what a step must move at least: each tensor it reads or writes once, each gathered row once an edge, and its
index arrays. Dividing by the time and by the machine's bandwidth says how far a kernel is from the memory's limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache

import torch


@dataclass
class StepTime:
    """One step's totals; `fused_from` names the operations it was made of."""

    program: str
    step: str
    direction: str
    side: str
    fused_from: tuple[str, ...]
    calls: int = 0
    seconds: float = 0.0
    bytes: int = 0

    @property
    def gigabytes_per_second(self) -> float:
        return self.bytes / self.seconds / 1e9 if self.seconds else 0.0


@dataclass
class Profile:
    """Steps by (program, direction, name), in order of first call; `saved_bytes` is the most kept for a backward."""

    steps: dict[tuple[str, str, str], StepTime] = field(default_factory=dict)
    saved_bytes: dict[str, int] = field(default_factory=dict)

    def record(self, entry: StepTime, seconds: float, moved: int) -> None:
        kept = self.steps.setdefault((entry.program, entry.direction, entry.step), entry)
        kept.calls += 1
        kept.seconds += seconds
        kept.bytes += moved

    def saved(self, program: str, amount: int) -> None:
        self.saved_bytes[program] = max(amount, self.saved_bytes.get(program, 0))

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
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    source = torch.ones(32 * 1024 * 1024)
    target = torch.empty_like(source)
    best = min(_copy_seconds(source, target) for _ in range(5))
    torch.set_num_threads(before)
    return 2 * source.numel() * source.element_size() / best


def _copy_seconds(source: torch.Tensor, target: torch.Tensor) -> float:
    start = time.perf_counter()
    target.copy_(source)
    return time.perf_counter() - start

"""Which epochs of a job are measured, and how: some kernel by kernel, one more for the memory it holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from workers.compiler.runtime import profile as runtime
from workers.compiler.runtime.live import LiveTensors, watched
from workers.training.loop import StepTimes

WARM_UP = 5  # epochs before measuring: caches, allocator and clock have settled by then


@dataclass
class Recorder:
    """Collects the steps and times of `count` epochs after the warm-up, or of the last ones of a shorter run.

    The epoch after them is watched for its memory, which takes time; it is none of those that are timed.
    """

    count: int
    last_epoch: int
    steps: runtime.Profile = field(default_factory=runtime.Profile)
    times: list[StepTimes] = field(default_factory=list)
    live: LiveTensors = field(default_factory=LiveTensors)
    _parts: Iterator[str] = field(default_factory=lambda: iter(("forward", "backward")))

    @property
    def first(self) -> int:
        return max(1, min(WARM_UP + 1, self.last_epoch - self.count))

    def covers(self, epoch: int) -> bool:
        return self.first <= epoch < self.first + self.count

    def measured(self, epoch: int) -> AbstractContextManager[Any]:
        """Around the forward pass of a step, and then around its backward pass."""
        if self.covers(epoch):
            return runtime.profiled(self.steps)
        if self.count and epoch == self.first + self.count and (part := next(self._parts, "")):
            return watched(self.live, part)
        return nullcontext()

    def see(self, epoch: int, times: StepTimes) -> None:
        if self.covers(epoch):
            self.times.append(times)

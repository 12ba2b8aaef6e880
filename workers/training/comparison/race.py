"""One contender's run: set-up, epochs one by one, scores now and then, memory and times measured the same for all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

import torch
from torch import Tensor, nn

from workers.compiler.runtime import profile as runtime
from workers.training.comparison.outcome import CURVE_POINTS, ComparedCurve
from workers.training.loop import make_optimizer
from workers.training.memory import PeakMemory
from workers.training.spec import Training
from workers.training.task import Scores

Forward = Callable[[int], Tensor]


@dataclass(frozen=True)
class Racer:
    """A model ready to be set up: `start` makes graph and kernels and gives the forward function.

    The step number seeds dropout where the system takes a seed. `loss` and `scores` are of what it gives, [M, C].
    """

    module: nn.Module
    start: Callable[[], Forward]
    loss: Callable[[Tensor], Tensor]
    scores: Callable[[Tensor], Scores]


@dataclass
class Lap:
    """What was measured. `before` are the scores [M, C] before training; times in seconds, memory in bytes.

    `record` is of one more epoch, kernel by kernel; a peer's kernels are not in it.
    """

    before: Tensor
    setup_s: float
    epoch_s: list[float] = field(default_factory=list)
    scores: dict[int, Scores] = field(default_factory=dict)
    peak_memory_bytes: int = 0
    record: runtime.Profile = field(default_factory=runtime.Profile)

    @property
    def launches(self) -> int | None:
        """Kernels started in an epoch; None where they are not ours to count."""
        return sum(step.calls for step in self.record.steps.values()) or None

    @property
    def kept_bytes(self) -> int | None:
        """Kept between forward and backward pass by kernels of ours."""
        return sum(self.record.saved_bytes.values()) if self.record.steps else None

    @property
    def usual_epoch_s(self) -> float:
        """Median of the epochs after the first, which builds what is built late."""
        return median(self.epoch_s[1:] or self.epoch_s)

    def curve(self) -> ComparedCurve:
        spent, total = [0.0], 0.0
        for seconds in self.epoch_s:
            total += seconds
            spent.append(total)
        at = sorted(self.scores)
        return ComparedCurve(
            epochs=tuple(at),
            seconds=tuple(spent[e] for e in at),
            train_loss=tuple(self.scores[e]["train"]["loss"] for e in at),
            val_loss=tuple(self.scores[e]["val"]["loss"] for e in at),
            val_accuracy=tuple(self.scores[e]["val"]["accuracy"] for e in at),
        )


def race(racer: Racer, settings: Training, epochs: int, seen: Callable[[int], None]) -> Lap:
    """Train for so many epochs; `seen(epoch)` after each. What the data took is not in the memory."""
    memory = PeakMemory.start()
    forward, lap = set_up(racer)
    optimizer = make_optimizer(racer.module, settings)
    looked_at = evaluated(epochs)
    for epoch in range(1, epochs + 1):
        lap.epoch_s.append(timed_step(racer, forward, optimizer, epoch)[0])
        if epoch in looked_at:
            lap.scores[epoch] = racer.scores(_outputs(racer.module, forward))
        seen(epoch)
    lap.peak_memory_bytes = memory.growth()
    racer.module.train()
    with runtime.profiled(lap.record):
        racer.loss(forward(epochs + 1)).backward()
    return lap


def evaluated(epochs: int) -> frozenset[int]:
    """The epochs that are evaluated: the first, the last, and others at even distances."""
    points = min(epochs, CURVE_POINTS)
    return frozenset({1, *(1 + round(k * (epochs - 1) / max(1, points - 1)) for k in range(points))})


def set_up(racer: Racer) -> tuple[Forward, Lap]:
    """Formats, kernels and the first scores, with and without gradients: all that a first call brings along."""
    started = time.perf_counter()
    forward = racer.start()
    racer.module.eval()
    forward(0)
    before = _outputs(racer.module, forward)
    return forward, Lap(before, time.perf_counter() - started)


def _outputs(module: nn.Module, forward: Forward) -> Tensor:
    module.eval()
    with torch.no_grad():
        return forward(0)


def timed_step(racer: Racer, forward: Forward, optimizer: torch.optim.Optimizer, epoch: int) -> tuple[float, Tensor]:
    """Train an epoch; how many seconds it took, and its loss []."""
    racer.module.train()
    started = time.perf_counter()
    optimizer.zero_grad()
    loss = racer.loss(forward(epoch))
    loss.backward()
    optimizer.step()
    return time.perf_counter() - started, loss.detach()

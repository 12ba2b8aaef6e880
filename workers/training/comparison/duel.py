"""Two contenders in one process, an epoch each in turn, so that whatever slows the machine slows both.

1. The one that is studied trains a few epochs alone: what its memory grows by is nobody else's.
2. Both start anew from the same weights and train in turn. Which of them goes first is drawn for every pair: a system
   takes a shared processor away at even distances, which a fixed order may meet on one side. After so many epochs as
   were asked for short ones go on, until there are enough for a median to be steady.

A machine's load changes from second to second, and epochs are often milliseconds: blocks of epochs one after the other
measure the neighbours. Two epochs side by side do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import torch

from workers.training.comparison.bout import Bout
from workers.training.comparison.race import Forward, Racer, race, set_up, timed_step
from workers.training.loop import make_optimizer
from workers.training.spec import Training

ALONE = 3  # epochs; from the second on optimizer and late buffers are there, and the peak stays
LEAST_S, MOST_EPOCHS = 1.0, 500  # both sides together train for so long, or so many epochs each


@dataclass
class _Side:
    """A contender in training; seconds and losses of its epochs."""

    racer: Racer
    forward: Forward
    optimizer: torch.optim.Optimizer
    seconds: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, racer: Racer, settings: Training) -> _Side:
        forward, _ = set_up(racer)
        return cls(racer, forward, make_optimizer(racer.module, settings))

    def train(self, epoch: int) -> None:
        torch.manual_seed(epoch)  # both draw the same numbers
        seconds, loss = timed_step(self.racer, self.forward, self.optimizer, epoch)
        self.seconds.append(seconds)
        self.losses.append(float(loss))


def duel(
    studied: Callable[[], Racer],
    against: Callable[[], Racer],
    settings: Training,
    epochs: int,
    seen: Callable[[int], None],
) -> Bout:
    """Train both for so many epochs or more; `seen(epoch)` after each pair of those asked for.

    Called before anything else took memory.
    """
    alone = race(studied(), settings, ALONE, lambda _: None)
    sides = [_Side.of(make(), settings) for make in (studied, against)]
    first, second = sides
    draw = Random(settings.seed)  # no secret
    for epoch in range(1, max(epochs, MOST_EPOCHS) + 1):
        for side in draw.sample(sides, 2):
            side.train(epoch)
        if epoch <= epochs:
            seen(epoch)
        if epoch >= epochs and sum(first.seconds) + sum(second.seconds) >= LEAST_S:
            break
    losses = zip(first.losses[:epochs], second.losses[:epochs], strict=True)
    apart = max(abs(a - b) / max(abs(b), 1e-12) for a, b in losses)
    return Bout(
        studied_s=tuple(first.seconds),
        against_s=tuple(second.seconds),
        loss_apart=apart,
        peak_memory_bytes=alone.peak_memory_bytes,
        launches=alone.launches or 0,
        kept_bytes=alone.kept_bytes or 0,
    )

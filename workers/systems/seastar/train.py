"""Full-batch training of a vertex classifier: one step a loop, the best weights kept, stopped early.

Shapes: N vertices, F features, C classes.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.systems.seastar.spec import Training

Forward = Callable[[int], Tensor]  # step number -> logits [N, C]; the step seeds that step's dropout


@dataclass(frozen=True)
class Labels:
    """y: int64[N]; train, val, test: int64 vertex ids."""

    y: Tensor
    train: Tensor
    val: Tensor
    test: Tensor

    def splits(self) -> dict[str, Tensor]:
        return {"train": self.train, "val": self.val, "test": self.test}


@dataclass(frozen=True)
class Score:
    """Mean cross entropy and share of right answers on one split."""

    loss: float
    accuracy: float


@dataclass(frozen=True)
class StepTimes:
    """Wall seconds of the parts of one epoch."""

    forward: float
    loss: float
    backward: float
    optimizer: float
    evaluation: float

    @property
    def epoch(self) -> float:
        return self.forward + self.loss + self.backward + self.optimizer


@dataclass(frozen=True)
class Epoch:
    """What one epoch gave."""

    number: int
    scores: dict[str, Score]
    times: StepTimes


@dataclass
class Best:
    """The best epoch so far, by validation accuracy and then validation loss, and how long ago either improved."""

    epoch: int = 0
    accuracy: float = -1.0
    loss: float = float("inf")
    lowest_loss: float = float("inf")
    weights: dict[str, Tensor] = field(default_factory=dict)
    scores: dict[str, Score] = field(default_factory=dict)
    since: int = 0

    def see(self, epoch: Epoch, model: nn.Module) -> None:
        """Keep the weights when this epoch is the best; count epochs in which neither loss nor accuracy improved.

        A split without vertices scores NaN, which is never better: then the newest weights are kept.
        """
        val = epoch.scores["val"]
        unscored = val.accuracy != val.accuracy
        better = val.accuracy > self.accuracy or (val.accuracy == self.accuracy and val.loss < self.loss)
        self.since = 0 if better or unscored or val.loss < self.lowest_loss else self.since + 1
        self.lowest_loss = min(self.lowest_loss, val.loss)
        if better or unscored:
            self.epoch, self.accuracy, self.loss = epoch.number, val.accuracy, val.loss
            self.weights, self.scores = deepcopy(model.state_dict()), epoch.scores


def make_optimizer(model: nn.Module, settings: Training) -> torch.optim.Optimizer:
    """Weight decay goes on matrices only: biases and single numbers are not pulled to zero."""
    matrices = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups: list[dict[str, Any]] = [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    makers: dict[str, Callable[[], torch.optim.Optimizer]] = {
        "adam": lambda: torch.optim.Adam(groups, settings.learning_rate),
        "adamw": lambda: torch.optim.AdamW(groups, settings.learning_rate),
        "sgd": lambda: torch.optim.SGD(groups, settings.learning_rate, momentum=0.9),
    }
    return makers[settings.optimizer]()


def score(logits: Tensor, labels: Labels) -> dict[str, Score]:
    """Loss and accuracy on every split; NaN where a split is empty."""
    out = {}
    for name, rows in labels.splits().items():
        picked, truth = logits[rows], labels.y[rows]
        right = (picked.argmax(1) == truth).float().mean()
        out[name] = Score(float(functional.cross_entropy(picked, truth)), float(right))
    return out


def epochs(
    model: nn.Module,
    forward: Forward,
    labels: Labels,
    settings: Training,
    best: Best,
    measured: Callable[[int], AbstractContextManager[Any]] = lambda epoch: nullcontext(),
) -> Iterator[Epoch]:
    """Train, yielding every epoch and keeping the best in `best`; ends after `epochs` or when patience runs out.

    `measured(epoch)` wraps the forward and backward passes, so that a profiler sees just those.
    """
    optimizer = make_optimizer(model, settings)
    for number in range(1, settings.epochs + 1):
        times = _step(model, forward, labels, optimizer, number, measured)
        started = time.perf_counter()
        model.eval()
        with torch.no_grad():
            scores = score(forward(0), labels)
        epoch = Epoch(number, scores, StepTimes(*times, time.perf_counter() - started))
        best.see(epoch, model)
        yield epoch
        if settings.patience and best.since >= settings.patience:
            return


def _step(
    model: nn.Module,
    forward: Forward,
    labels: Labels,
    optimizer: torch.optim.Optimizer,
    number: int,
    measured: Callable[[int], AbstractContextManager[Any]],
) -> tuple[float, float, float, float]:
    """One update of the weights; seconds of forward, loss, backward and optimiser."""
    model.train()
    marks = [time.perf_counter()]
    optimizer.zero_grad()
    with measured(number):
        logits = forward(number)
    marks.append(time.perf_counter())
    loss = functional.cross_entropy(logits[labels.train], labels.y[labels.train])
    marks.append(time.perf_counter())
    with measured(number):
        loss.backward()
    marks.append(time.perf_counter())
    optimizer.step()
    marks.append(time.perf_counter())
    a, b, c, d = (later - earlier for earlier, later in itertools.pairwise(marks))
    return a, b, c, d

"""The training loop, the same for every task: the best weights kept, stopped early.

Several tasks, as the folds of a cross-validation are, take their epochs in turn, so that curves are of all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ExponentialLR

from workers.training.spec import Training
from workers.training.task import Batch, Scores, Task

Measured = Callable[[int], AbstractContextManager[Any]]


@dataclass
class StepTimes:
    """Wall seconds of the parts of one epoch; `batch` is what making its batches took."""

    batch: float = 0.0
    forward: float = 0.0
    loss: float = 0.0
    backward: float = 0.0
    optimizer: float = 0.0
    evaluation: float = 0.0

    @property
    def epoch(self) -> float:
        return self.batch + self.forward + self.loss + self.backward + self.optimizer

    def add(self, other: StepTimes) -> None:
        for part, seconds in asdict(other).items():
            setattr(self, part, getattr(self, part) + seconds)


@dataclass(frozen=True)
class Epoch:
    """What one epoch gave; scores by task."""

    number: int
    scores: Sequence[Scores]
    times: StepTimes


@dataclass
class Best:
    """The best epoch so far, by validation `metric` and then validation loss, and how long ago either improved."""

    metric: str = "accuracy"
    epoch: int = 0
    value: float = -1.0
    loss: float = float("inf")
    lowest_loss: float = float("inf")
    weights: dict[str, Tensor] = field(default_factory=dict)
    scores: Scores = field(default_factory=dict)
    since: int = 0

    def see(self, number: int, scores: Scores, learner: nn.Module) -> None:
        """Keep the weights when this epoch is the best; count epochs in which neither loss nor metric improved.

        An empty part scores NaN, which is never better: then the newest weights are kept.
        """
        value, loss = scores["val"][self.metric], scores["val"]["loss"]
        unscored = value != value
        better = value > self.value or (value == self.value and loss < self.loss)
        self.since = 0 if better or unscored or loss < self.lowest_loss else self.since + 1
        self.lowest_loss = min(self.lowest_loss, loss)
        if better or unscored:
            self.epoch, self.value, self.loss = number, value, loss
            self.weights, self.scores = deepcopy(learner.state_dict()), scores


def make_optimizer(model: nn.Module, settings: Training) -> torch.optim.Optimizer:
    """Weight decay goes on matrices only: biases and single numbers are not pulled to zero.

    Updates are made in one pass over a weight and what is kept of it, not in one for each of their dozen operations.
    """
    matrices = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups: list[dict[str, Any]] = [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    makers: dict[str, Callable[[], torch.optim.Optimizer]] = {
        "adam": lambda: torch.optim.Adam(groups, settings.learning_rate, fused=True),
        "adamw": lambda: torch.optim.AdamW(groups, settings.learning_rate, fused=True),
        "sgd": lambda: torch.optim.SGD(groups, settings.learning_rate, momentum=0.9, fused=True),
    }
    return makers[settings.optimizer]()


class Learner:
    """One task with its optimiser and the best of it so far."""

    def __init__(self, task: Task, settings: Training, metric: str, measured: Measured) -> None:
        self.task, self.best, self.measured = task, Best(metric), measured
        self.patience = settings.patience
        self.optimizer = make_optimizer(task.learner, settings)
        self.decay = ExponentialLR(self.optimizer, settings.learning_rate_decay)
        self.scores: Scores = {}

    @property
    def done(self) -> bool:
        return bool(self.patience) and self.best.since >= self.patience

    def epoch(self, number: int, between: Callable[[], None]) -> StepTimes:
        """Every batch once, `between` called after each, then the scores."""
        self.task.learner.train()
        times, mark = StepTimes(), time.perf_counter()
        for batch in self.task.batches(number):
            times.batch += time.perf_counter() - mark
            self._step(batch, number, times)
            between()
            mark = time.perf_counter()
        self.decay.step()
        times.batch += time.perf_counter() - mark
        started = time.perf_counter()
        self.task.learner.eval()
        with torch.no_grad():
            self.scores = self.task.scores()
        times.evaluation = time.perf_counter() - started
        self.best.see(number, self.scores, self.task.learner)
        return times

    def _step(self, batch: Batch, number: int, times: StepTimes) -> None:
        """One update of the weights."""
        marks = [time.perf_counter()]
        self.optimizer.zero_grad()
        with self.measured(number):
            output = batch.forward()
        marks.append(time.perf_counter())
        loss = batch.loss(output)
        marks.append(time.perf_counter())
        with self.measured(number):
            loss.backward()
        marks.append(time.perf_counter())
        self.optimizer.step()
        marks.append(time.perf_counter())
        times.forward += marks[1] - marks[0]
        times.loss += marks[2] - marks[1]
        times.backward += marks[3] - marks[2]
        times.optimizer += marks[4] - marks[3]


def learners(
    tasks: Sequence[Task], settings: Training, metric: str, measured: Measured = lambda epoch: nullcontext()
) -> list[Learner]:
    """`measured(epoch)` wraps the forward and backward passes, so that a profiler sees just those."""
    return [Learner(task, settings, metric, measured) for task in tasks]


def epochs(found: Sequence[Learner], most: int, between: Callable[[], None] = lambda: None) -> Iterator[Epoch]:
    """Train, yielding every epoch; ends after `most`, or when the patience of every learner has run out.

    A learner out of patience stays as it is and is scored as it was. `between` is called after each step.
    """
    for number in range(1, most + 1):
        times = StepTimes()
        for learner in found:
            if not learner.done:
                times.add(learner.epoch(number, between))
        yield Epoch(number, [learner.scores for learner in found], times)
        if all(learner.done for learner in found):
            return

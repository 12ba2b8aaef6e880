"""Node classification: cross entropy on the training vertices, accuracy on every part of the split.

Shape letters: N vertices, C classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from torch import Tensor, nn
from torch.nn import functional

from workers.core.dataset import GraphData
from workers.systems.seastar import prepare
from workers.systems.seastar.prepare import Labels
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.task_spec import ClassScores, NodeClassification, NodeOutcome
from workers.systems.seastar.tasks.encoder import Encoder, encoder
from workers.training.task import Batch, Score, Scores, Table


class NodeTask:
    """One model that tells the classes of vertices."""

    def __init__(self, spec: SeastarSpec, encoder: Encoder, labels: Labels) -> None:
        self.spec, self.encoder, self.labels = spec, encoder, labels
        self.module = encoder.module
        self.learner: nn.Module = encoder.module

    def batches(self, epoch: int) -> Iterator[Batch]:
        random = np.random.default_rng([self.spec.training.seed, epoch])
        train = self.labels.train.numpy()
        parts = list(self.encoder.parts(len(train), random))
        for place, part in enumerate(parts):
            ids = train[part]
            forward = self.encoder.forward(ids, random)
            step = (epoch - 1) * len(parts) + place + 1
            yield Batch(partial(forward, step), partial(functional.cross_entropy, target=self.labels.y[ids]))

    def scores(self) -> Scores:
        return class_scores(self.encoder.evaluated(), self.labels)

    def described(self) -> Sequence[str]:
        parts = ", ".join(f"{len(ids):,} {part}" for part, ids in self.labels.splits().items())
        return [f"vertices: {parts}", *self.encoder.described()]

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        return {}


def make(spec: SeastarSpec, data: GraphData) -> Sequence[NodeTask]:
    assert isinstance(spec.task, NodeClassification)
    labels = prepare.labels(data)
    return (NodeTask(spec, encoder(spec, data, spec.task.batches), labels),)


def outcome(tasks: Sequence[NodeTask], scores: Sequence[Scores], best_epochs: Sequence[int]) -> NodeOutcome:
    del tasks, best_epochs
    return NodeOutcome(**{part: ClassScores(**score) for part, score in scores[0].items()})


def predictions(data: GraphData, tasks: Sequence[NodeTask]) -> Table:
    """One row a vertex: vertex, split, label, predicted, probability of the predicted class."""
    (task,) = tasks
    columns = ("vertex", "split", "label", "predicted", "probability")
    return columns, told(data.classes, task.labels, task.encoder.evaluated())


def class_scores(logits: Tensor, labels: Labels) -> dict[str, Score]:
    """Mean cross entropy and share of right answers on every part of the split; NaN where a part is empty."""
    out: dict[str, Score] = {}
    for name, rows in labels.splits().items():
        picked, truth = logits[rows], labels.y[rows]
        right = (picked.argmax(1) == truth).float().mean()
        out[name] = {"loss": float(functional.cross_entropy(picked, truth)), "accuracy": float(right)}
    return out


def told(classes: Sequence[str], labels: Labels, logits: Tensor) -> list[list[object]]:
    """Number, split, label, predicted class and its probability, a row of `logits` each."""
    probability, predicted = logits.softmax(1).max(1)
    split = np.full(len(logits), "", dtype=object)
    for name, rows in labels.splits().items():
        split[rows.numpy()] = name
    columns = (split, labels.y.tolist(), predicted.tolist(), probability.tolist())
    return [
        [number, part, _class(classes, label), _class(classes, guess), f"{chance:.6f}"]
        for number, (part, label, guess, chance) in enumerate(zip(*columns, strict=True))
    ]


def _class(classes: Sequence[str], number: int) -> str:
    if number < 0:
        return ""
    return classes[number] if number < len(classes) else str(number)

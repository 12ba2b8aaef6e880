"""Node classification of the target type: cross entropy, accuracy and macro-F1 on every part of its vertices.

Shape letters: N vertices of all types, M of the target type, C classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.core.errors import JobError
from workers.core.hetero import HeteroData, Mask
from workers.systems.hgl.spec import HglSpec
from workers.systems.hgl.stitched import stitched_model
from workers.systems.hgl.task_spec import TypedNodeClassification, TypedNodeOutcome, TypedScores
from workers.training.task import Batch, Score, Scores, Table


class TypedLabels:
    """Where the target type's vertices stand, their classes int64[M], and the parts of the split as their numbers."""

    def __init__(self, data: HeteroData) -> None:
        if data.target is None or data.y is None or data.train is None or not data.train.any():
            raise JobError(f"{data.name} has no labelled vertices to train on. Pick a dataset with a training split.")
        self.rows, self.target = data.vertices_of(data.target), data.target
        self.ids = np.arange(self.rows.start, self.rows.stop)
        self.y = torch.from_numpy(np.ascontiguousarray(data.y))
        masks = {"train": data.train, "val": data.val, "test": data.test}
        self.parts = {part: _known(mask, self.y) for part, mask in masks.items()}


def _known(mask: Mask | None, y: Tensor) -> Tensor:
    """Numbers of the labelled vertices of a part."""
    ids = np.zeros(0, np.int64) if mask is None else np.flatnonzero(mask & (y.numpy() >= 0))
    return torch.from_numpy(ids)


class TypedNodeTask:
    """One model that tells the classes of the target type's vertices."""

    def __init__(self, spec: HglSpec, data: HeteroData) -> None:
        assert isinstance(spec.task, TypedNodeClassification)
        self.spec, self.labels = spec, TypedLabels(data)
        self.model = stitched_model(spec, data, spec.task.batches)
        self.module = self.model.module
        self.learner: nn.Module = self.module

    def batches(self, epoch: int) -> Iterator[Batch]:
        random = np.random.default_rng([self.spec.training.seed, epoch])
        train = self.labels.parts["train"].numpy()
        parts = list(self.model.parts(len(train), random))
        for place, part in enumerate(parts):
            ids, step = train[part], (epoch - 1) * len(parts) + place + 1
            forward = self.model.forward(self.labels.rows.start + ids, random)
            yield Batch(partial(forward, step), partial(functional.cross_entropy, target=self.labels.y[ids]))

    def logits(self) -> Tensor:
        """[M, C]"""
        return self.model.rows(self.labels.ids, 0)

    def scores(self) -> Scores:
        return typed_scores(self.logits(), self.labels)

    def described(self) -> Sequence[str]:
        parts = ", ".join(f"{len(ids):,} {part}" for part, ids in self.labels.parts.items())
        walked = f"for scores of all {self.labels.target}, {self.model.walked(self.labels.ids)}"
        return [f"vertices of {self.labels.target}: {parts}", self.model.described(), walked]

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        return {}


def make(spec: HglSpec, data: HeteroData) -> Sequence[TypedNodeTask]:
    return (TypedNodeTask(spec, data),)


def outcome(tasks: Sequence[TypedNodeTask], scores: Sequence[Scores], best_epochs: Sequence[int]) -> TypedNodeOutcome:
    del best_epochs
    parts = {part: TypedScores(**score) for part, score in scores[0].items()}
    return TypedNodeOutcome(target=tasks[0].labels.target, **parts)


def predictions(data: HeteroData, tasks: Sequence[TypedNodeTask]) -> Table:
    """One row a vertex of the target type: number in its type, name, split, label, predicted, its probability."""
    (task,) = tasks
    labels, (probability, predicted) = task.labels, task.logits().softmax(1).max(1)
    split = np.full(len(predicted), "", dtype=object)
    for part, ids in labels.parts.items():
        split[ids.numpy()] = part
    begin = labels.rows.start
    rows = [
        [k, data.names[begin + k] if data.names else "", split[k], _class(data, label), _class(data, guess), f"{p:.6f}"]
        for k, (label, guess, p) in enumerate(
            zip(labels.y.tolist(), predicted.tolist(), probability.tolist(), strict=True)
        )
    ]
    return ("vertex", "name", "split", "label", "predicted", "probability"), rows


def typed_scores(logits: Tensor, labels: TypedLabels) -> dict[str, Score]:
    """Mean cross entropy, share of right answers and macro-F1 on every part; NaN where a part is empty."""
    out: dict[str, Score] = {}
    for name, ids in labels.parts.items():
        picked, truth = logits[ids], labels.y[ids]
        guess = picked.argmax(1)
        out[name] = {
            "loss": float(functional.cross_entropy(picked, truth)),
            "accuracy": float((guess == truth).float().mean()),
            "macro_f1": macro_f1(guess, truth, logits.shape[1]),
        }
    return out


def macro_f1(guess: Tensor, truth: Tensor, classes: int) -> float:
    """Mean F1 over the classes that are there, guessed or true; NaN of nothing."""
    right = torch.bincount(truth[guess == truth], minlength=classes)
    both = torch.bincount(truth, minlength=classes) + torch.bincount(guess, minlength=classes)
    seen = both > 0
    return float((2 * right[seen] / both[seen]).mean())


def _class(data: HeteroData, number: int) -> str:
    if number < 0:
        return ""
    return data.classes[number] if number < len(data.classes) else str(number)

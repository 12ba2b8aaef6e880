"""Graph classification: batches of graphs, accuracy on the dataset's split or by cross-validation.

1. The graphs of each class are shuffled and dealt out to the folds in turn, so folds are alike.
2. Model k tests on fold k, validates on the next one and trains on the others.
3. Each model keeps the weights of its own best validation epoch; the test accuracy is their mean.

Errica et al., A Fair Comparison of Graph Neural Networks for Graph Classification, ICLR 2020, say why the test fold
must not choose the epoch. Shape letters: G graphs, C classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, pstdev

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.core.dataset import GraphData
from workers.core.errors import JobError
from workers.systems.seastar.graph_set import GraphBatch, GraphSet, Ids
from workers.systems.seastar.prepare import Labels
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.task_spec import ClassScores, Fold, GraphClassification, GraphOutcome
from workers.systems.seastar.tasks.node import class_scores, told
from workers.training.placement import device_of
from workers.training.task import Batch, Scores, Table, as_entries, build, dtype_of, step_seed
from workers.zoo.module import ModelModule

EVALUATED = 1024
"""Graphs evaluated at a time."""


class Evaluation:
    """All graphs in a few batches that are made once, for every model of a job."""

    def __init__(self, graphs: GraphSet) -> None:
        starts = range(0, graphs.count, EVALUATED)
        self.batches = [graphs.batch(np.arange(s, min(s + EVALUATED, graphs.count))) for s in starts]

    def logits(self, module: ModelModule) -> Tensor:
        """[G, C]"""
        return torch.cat([_run(module, batch, 0) for batch in self.batches])


class GraphTask:
    """One model that tells the classes of graphs."""

    def __init__(self, spec: SeastarSpec, graphs: GraphSet, evaluation: Evaluation, labels: Labels, fold: int) -> None:
        assert isinstance(spec.task, GraphClassification)
        self.spec, self.graphs, self.evaluation, self.labels, self.fold = spec, graphs, evaluation, labels, fold
        self.batch_size = spec.task.batch_size
        self.module = build(spec, graphs.data, sparse=graphs.sparse)
        self.learner: nn.Module = self.module

    def batches(self, epoch: int) -> Iterator[Batch]:
        order = np.random.default_rng([self.spec.training.seed, epoch, self.fold]).permutation(self.labels.train)
        starts = range(0, len(order), self.batch_size)
        for place, start in enumerate(starts):
            step = (epoch - 1) * len(starts) + place + 1
            yield self._batch(order[start : start + self.batch_size], step)

    def _batch(self, ids: Ids, step: int) -> Batch:
        batch, truth = self.graphs.batch(ids), self.labels.y[torch.from_numpy(ids)]
        return Batch(
            lambda: _run(self.module, batch, step_seed(self.spec, step)),
            lambda logits: functional.cross_entropy(logits, truth),
        )

    def scores(self) -> Scores:
        return class_scores(self.evaluation.logits(self.module), self.labels)

    def described(self) -> Sequence[str]:
        parts = ", ".join(f"{len(ids):,} {part}" for part, ids in self.labels.splits().items())
        return [f"{self.graphs.count:,} graphs: {parts}", *self.graphs.features.described()]

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        return {}


def make(spec: SeastarSpec, data: GraphData) -> Sequence[GraphTask]:
    """One task, or one a fold. Raises JobError where the dataset has no classes of graphs or too few of them."""
    assert isinstance(spec.task, GraphClassification)
    if data.graph_y is None or data.graph_of is None:
        raise JobError(f"{data.name} has no classes of graphs. Pick a dataset of many graphs.")
    graphs = GraphSet(data, dtype_of(spec), sparse=as_entries(spec), device=device_of(spec.device))
    parts = folds(data.graph_y, spec.task.folds, spec.training.seed) if spec.task.folds else (_own_split(data),)
    evaluation = Evaluation(graphs)
    return tuple(GraphTask(spec, graphs, evaluation, labels, k) for k, labels in enumerate(parts))


def folds(y: Ids, count: int, seed: int) -> tuple[Labels, ...]:
    """The splits of a cross-validation over labelled graphs. Raises JobError where a fold would be empty."""
    random = np.random.default_rng([seed, 0])
    dealt = [random.permutation(np.flatnonzero(y == c)) for c in np.unique(y[y >= 0])]
    order = np.concatenate(dealt) if dealt else np.zeros(0, np.int64)
    if len(order) < count:
        raise JobError(f"{len(order)} labelled graphs are too few for {count} folds.")
    parts = [np.sort(order[k::count]) for k in range(count)]
    return tuple(_fold(y, parts, k) for k in range(count))


def _fold(y: Ids, parts: Sequence[Ids], k: int) -> Labels:
    test, val = k, (k + 1) % len(parts)
    train = np.sort(np.concatenate([p for i, p in enumerate(parts) if i not in (test, val)]))
    return Labels(*(torch.from_numpy(ids) for ids in (y, train, parts[val], parts[test])))


def _own_split(data: GraphData) -> Labels:
    if data.train is None or not len(data.train):
        raise JobError(f"{data.name} has no graphs to train on. Import it with a split, or cross-validate.")
    none = np.zeros(0, np.int64)
    parts = [none if ids is None else np.asarray(ids) for ids in (data.graph_y, data.train, data.val, data.test)]
    return Labels(*(torch.from_numpy(np.ascontiguousarray(ids)) for ids in parts))


def outcome(tasks: Sequence[GraphTask], scores: Sequence[Scores], best_epochs: Sequence[int]) -> GraphOutcome:
    found = [(s["val"]["accuracy"], s["test"]["accuracy"]) for s in scores]
    crossed = len(tasks) > 1
    rows = zip(best_epochs, found, strict=True)
    return GraphOutcome(
        **{part: ClassScores(**score) for part, score in mean_scores(scores).items()},
        test_deviation=pstdev(test for _, test in found) if crossed else None,
        folds=tuple(Fold(best_epoch=e, val_accuracy=v, test_accuracy=t) for e, (v, t) in rows) if crossed else (),
    )


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Means over several models, figure by figure."""
    return {part: {name: fmean(s[part][name] for s in scores) for name in score} for part, score in scores[0].items()}


def predictions(data: GraphData, tasks: Sequence[GraphTask]) -> Table:
    """One row a graph: graph, split, label, predicted, probability; of several models, the one that tested on it."""
    found = [told(data.classes, t.labels, t.evaluation.logits(t.module)) for t in tasks]
    rows = dict(enumerate(found[0]))
    for task, told_by in zip(tasks[1:], found[1:], strict=True):
        rows |= {graph: told_by[graph] for graph in task.labels.test.tolist()}
    return ("graph", "split", "label", "predicted", "probability"), list(rows.values())


def _run(module: ModelModule, batch: GraphBatch, seed: int) -> Tensor:
    found: Tensor = module(batch.x, batch.graphs, batch.edge_x, seed)
    return found

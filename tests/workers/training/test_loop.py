"""The training loop against plain torch, and what it keeps, stops on and survives."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.systems.seastar.prepare import Labels
from workers.systems.seastar.tasks.node import class_scores
from workers.training.loop import Best, Epoch, Learner, epochs, learners, make_optimizer
from workers.training.spec import Training
from workers.training.task import Batch, Scores


class Toy:
    """A linear model on random points, in batches of `size`; `scale` 0 makes it learn nothing."""

    def __init__(self, size: int = 30, scale: float = 1.0, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.x = scale * torch.randn(60, 5)
        y = (self.x[:, 0] > 0).long() + 2 * (self.x[:, 1] > 0).long()
        ids = torch.arange(60)
        self.labels, self.size = Labels(y, ids[:30], ids[30:45], ids[45:]), size
        self.learner: nn.Module = nn.Linear(5, 4)

    def batches(self, epoch: int) -> Iterator[Batch]:
        del epoch
        for ids in self.labels.train.split(self.size):
            yield Batch(lambda i=ids: self.learner(self.x[i]), lambda z, i=ids: self._loss(z, i))  # type: ignore[misc]

    def _loss(self, logits: Tensor, ids: Tensor) -> Tensor:
        return functional.cross_entropy(logits, self.labels.y[ids])

    def scores(self) -> Scores:
        return class_scores(self.learner(self.x), self.labels)


def _train(task: Toy, **settings: object) -> tuple[list[Epoch], Learner]:
    given = Training.model_validate(settings)
    (learner,) = learners([task], given, "accuracy")  # type: ignore[list-item]
    return list(epochs([learner], given.epochs)), learner


@pytest.mark.parametrize(("size", "decay"), [(30, 1.0), (8, 1.0), (8, 0.7)])
def test_the_loop_takes_the_same_steps_as_plain_torch(size: int, decay: float) -> None:
    task, twin = Toy(size), nn.Linear(5, 4)
    twin.load_state_dict(task.learner.state_dict())
    _train(task, epochs=7, learning_rate=0.05, learning_rate_decay=decay, weight_decay=0.0, patience=0)
    optimizer = torch.optim.Adam(twin.parameters(), 0.05)
    for epoch in range(7):
        optimizer.param_groups[0]["lr"] = 0.05 * decay**epoch
        for ids in task.labels.train.split(size):
            optimizer.zero_grad()
            functional.cross_entropy(twin(task.x[ids]), task.labels.y[ids]).backward()
            optimizer.step()
    torch.testing.assert_close(task.learner.get_parameter("weight"), twin.weight)


def test_patience_counts_epochs_without_better_loss_or_metric() -> None:
    settings = {"epochs": 50, "learning_rate": 1e-12, "weight_decay": 0.0, "patience": 4, "optimizer": "sgd"}
    history, _ = _train(Toy(scale=0.0), **settings)
    assert [epoch.number for epoch in history] == [1, 2, 3, 4, 5]


def test_a_learner_out_of_patience_waits_for_the_others() -> None:
    tasks = [Toy(scale=0.0), Toy(seed=1)]
    settings = Training(epochs=9, learning_rate=0.05, weight_decay=0.0, patience=3)
    found = learners(tasks, settings, "accuracy")  # type: ignore[arg-type]
    found[0].best.since = 3
    found[0].scores = {"val": {"loss": 0.0}}
    history = list(epochs(found, settings.epochs))
    assert len(history) > 3
    assert all(epoch.scores[0] == {"val": {"loss": 0.0}} for epoch in history)


def test_the_best_weights_are_those_of_the_best_metric_then_loss() -> None:
    model, best = nn.Linear(1, 1), Best("auc")
    for number, (auc, loss) in enumerate([(0.5, 1.0), (0.7, 0.9), (0.7, 0.8), (0.6, 0.1)], 1):
        with torch.no_grad():
            model.weight.fill_(number)
        best.see(number, {"val": {"loss": loss, "auc": auc}}, model)
    assert best.epoch == 3
    assert float(best.weights["weight"]) == 3.0
    assert best.since == 0  # the fourth had the lowest loss so far


def test_without_validation_vertices_the_newest_weights_are_kept() -> None:
    model, best = nn.Linear(1, 1), Best()
    for number in (1, 2):
        best.see(number, {"val": {"loss": math.nan, "accuracy": math.nan}}, model)
    assert best.epoch == 2
    assert best.since == 0


def test_biases_are_not_decayed() -> None:
    groups = make_optimizer(nn.Linear(3, 2), Training(weight_decay=0.1)).param_groups
    assert [(g["weight_decay"], [p.ndim for p in g["params"]]) for g in groups] == [(0.1, [2]), (0.0, [1])]


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd"])
def test_every_optimizer_lowers_the_loss(name: str) -> None:
    history, _ = _train(Toy(), epochs=40, optimizer=name, learning_rate=0.05, patience=0)
    losses = [epoch.scores[0]["train"]["loss"] for epoch in history]
    assert losses[-1] < 0.8 * losses[0]


def test_scores_are_mean_cross_entropy_and_share_of_right_answers() -> None:
    logits, y = torch.tensor([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]]), torch.tensor([0, 0, 0])
    labels = Labels(y, torch.tensor([0, 1]), torch.tensor([2]), torch.tensor([], dtype=torch.int64))
    got = class_scores(logits, labels)
    assert got["train"]["accuracy"] == 0.5
    assert got["val"]["accuracy"] == 1.0
    want = (math.log(1 + math.exp(-2)) + math.log(1 + math.exp(1))) / 2
    assert got["train"]["loss"] == pytest.approx(want, rel=1e-6)
    assert math.isnan(got["test"]["loss"])
    assert math.isnan(got["test"]["accuracy"])

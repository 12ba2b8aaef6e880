"""The training loop against plain torch, and what it keeps, stops on and survives."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.systems.seastar.spec import Training
from workers.systems.seastar.train import Best, Epoch, Labels, Score, StepTimes, epochs, make_optimizer, score

NO_TIME = StepTimes(0, 0, 0, 0, 0)


def _problem(seed: int = 0) -> tuple[Tensor, Labels, nn.Linear]:
    torch.manual_seed(seed)
    x = torch.randn(60, 5)
    y = (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()
    ids = torch.arange(60)
    return x, Labels(y, ids[:30], ids[30:45], ids[45:]), nn.Linear(5, 4)


def test_the_loop_takes_the_same_steps_as_plain_torch() -> None:
    x, labels, model = _problem()
    twin = nn.Linear(5, 4)
    twin.load_state_dict(model.state_dict())
    settings = Training(epochs=7, learning_rate=0.05, weight_decay=0.0, patience=0)
    for _ in epochs(model, lambda step: model(x), labels, settings, Best()):
        pass
    optimizer = torch.optim.Adam(twin.parameters(), 0.05)
    for _ in range(7):
        optimizer.zero_grad()
        functional.cross_entropy(twin(x)[labels.train], labels.y[labels.train]).backward()
        optimizer.step()
    assert torch.equal(model.weight, twin.weight)


def test_patience_counts_epochs_without_better_loss_or_accuracy() -> None:
    x, labels, model = _problem()
    with torch.no_grad():
        model.weight.zero_()
    settings = Training(epochs=50, learning_rate=1e-12, weight_decay=0.0, patience=4, optimizer="sgd")
    seen = [epoch.number for epoch in epochs(model, lambda step: model(x) * 0, labels, settings, Best())]
    assert seen == [1, 2, 3, 4, 5]


def test_the_best_weights_are_those_of_the_best_validation_accuracy_then_loss() -> None:
    model, best = nn.Linear(1, 1), Best()
    history = [(0.5, 1.0), (0.7, 0.9), (0.7, 0.8), (0.6, 0.1)]
    for number, (accuracy, loss) in enumerate(history, 1):
        with torch.no_grad():
            model.weight.fill_(number)
        best.see(Epoch(number, {"val": Score(loss, accuracy)}, NO_TIME), model)
    assert best.epoch == 3
    assert float(best.weights["weight"]) == 3.0
    assert best.since == 0  # the fourth had the lowest loss so far


def test_without_validation_vertices_the_newest_weights_are_kept() -> None:
    model, best = nn.Linear(1, 1), Best()
    for number in (1, 2):
        best.see(Epoch(number, {"val": Score(math.nan, math.nan)}, NO_TIME), model)
    assert best.epoch == 2
    assert best.since == 0


def test_biases_are_not_decayed() -> None:
    groups = make_optimizer(nn.Linear(3, 2), Training(weight_decay=0.1)).param_groups
    assert [(g["weight_decay"], [p.ndim for p in g["params"]]) for g in groups] == [(0.1, [2]), (0.0, [1])]


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd"])
def test_every_optimizer_lowers_the_loss(name: str) -> None:
    x, labels, model = _problem()
    settings = Training.model_validate({"epochs": 40, "optimizer": name, "learning_rate": 0.05, "patience": 0})
    losses = [e.scores["train"].loss for e in epochs(model, lambda step: model(x), labels, settings, Best())]
    assert losses[-1] < 0.8 * losses[0]


def test_scores_are_mean_cross_entropy_and_share_of_right_answers() -> None:
    logits, y = torch.tensor([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]]), torch.tensor([0, 0, 0])
    labels = Labels(y, torch.tensor([0, 1]), torch.tensor([2]), torch.tensor([], dtype=torch.int64))
    got = score(logits, labels)
    assert got["train"].accuracy == 0.5
    assert got["val"].accuracy == 1.0
    want = (math.log(1 + math.exp(-2)) + math.log(1 + math.exp(1))) / 2
    assert got["train"].loss == pytest.approx(want, rel=1e-6)
    assert math.isnan(got["test"].loss)
    assert math.isnan(got["test"].accuracy)

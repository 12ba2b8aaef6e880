"""What is measured of a contender, and when it is looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.datasets import bundled
from workers.systems.seastar.comparison.racers import RACERS
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.outcome import CURVE_POINTS
from workers.training.comparison.race import evaluated, race
from workers.zoo.templates import TEMPLATES


@given(st.integers(1, 100_000))
def test_first_and_last_epoch_are_evaluated_and_not_too_many(epochs: int) -> None:
    found = evaluated(epochs)
    assert {1, epochs} <= found
    assert min(found) == 1
    assert max(found) == epochs
    assert len(found) <= CURVE_POINTS
    assert epochs > CURVE_POINTS or found == frozenset(range(1, epochs + 1))


def test_a_race_gives_times_scores_and_a_curve() -> None:
    spec = SeastarSpec(model=TEMPLATES["gcn"].doc, dataset="karate")
    seen: list[int] = []
    racer = RACERS.make("asterism", spec, bundled.load("karate"))
    lap = race(racer, spec.training, 6, seen.append)
    curve = lap.curve()
    assert seen == list(curve.epochs) == [1, 2, 3, 4, 5, 6]
    assert len(lap.epoch_s) == 6
    assert curve.seconds == pytest.approx([sum(lap.epoch_s[:k]) for k in range(1, 7)])
    assert curve.train_loss[-1] < curve.train_loss[0]
    assert lap.before.shape == (34, 2)
    assert lap.setup_s > 0

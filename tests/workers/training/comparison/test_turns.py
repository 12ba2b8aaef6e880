"""Who trains when, and what pairs of epochs say of a machine that others use too."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.datasets import bundled
from workers.systems.seastar.comparison.racers import RACERS
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.bout import Bout
from workers.training.comparison.duel import duel
from workers.training.comparison.turns import BLOCK, MOST_ROUNDS, rests, turns
from workers.zoo.templates import TEMPLATES


@given(st.integers(1, 100_000))
def test_blocks_of_epochs_are_no_shorter_than_they_should_be_and_nearly_equal(epochs: int) -> None:
    ends = (0, *rests(epochs), epochs)
    blocks = [after - before for before, after in pairwise(ends)]
    assert sum(blocks) == epochs
    assert len(blocks) <= MOST_ROUNDS
    assert len(blocks) == 1 or min(blocks) >= BLOCK
    assert max(blocks) - min(blocks) <= 1


@given(st.integers(1, 5), st.integers(1, 12))
def test_everyone_has_a_turn_a_round_and_another_one_is_first(contenders: int, rounds: int) -> None:
    found = list(turns(contenders, rounds))
    by_round = [found[k : k + contenders] for k in range(0, len(found), contenders)]
    assert len(by_round) == rounds
    assert all(sorted(order) == list(range(contenders)) for order in by_round)
    assert [order[0] for order in by_round] == [k % contenders for k in range(rounds)]


@given(st.lists(st.floats(0.001, 1000), min_size=2, max_size=40))
def test_whatever_slows_both_of_a_pair_leaves_the_ratio(slowed: list[float]) -> None:
    told = {"loss_apart": 0.0, "peak_memory_bytes": 0, "launches": 0, "kept_bytes": 0}
    bout = Bout(studied_s=tuple(3 * s for s in slowed), against_s=tuple(2 * s for s in slowed), **told)
    assert bout.ratio == pytest.approx(1.5)


def test_equal_contenders_draw_the_same_dropout_and_train_to_the_same_losses() -> None:
    spec = SeastarSpec(model=TEMPLATES["gcn"].doc, dataset="karate")
    make = partial(RACERS.ours, spec, bundled.load("karate"))
    seen: list[int] = []
    bout = duel(make, make, spec.training, 6, seen.append)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert len(bout.studied_s) == len(bout.against_s) >= 6, "short epochs go on"
    assert bout.loss_apart == 0
    assert bout.launches > 0

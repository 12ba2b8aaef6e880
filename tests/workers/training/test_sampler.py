"""What both samplers promise: arcs of the graph, no more than asked for, none twice, destinations first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from workers.systems.seastar.dgl_bridge import DglSampler
from workers.training.sampler import Ids, OwnSampler, Sampler, draw, hops

N, E = 120, 1500
RANDOM = np.random.default_rng(0)
SRC, DST = RANDOM.integers(0, N, E), (RANDOM.integers(0, N - 5, E) * RANDOM.random(E)).astype(np.int64)
SEEDS = np.array([3, 119, 0, 50])
both = pytest.mark.parametrize("make", [OwnSampler, DglSampler])
Make = Callable[[Ids, Ids, int], Sampler]


@both
@pytest.mark.parametrize("fan_outs", [(0, 0), (3, 5), (1,), (4, 0, 2)])
def test_a_hop_holds_arcs_of_the_graph_and_no_more_than_its_fan_out(make: Make, fan_outs: tuple[int, ...]) -> None:
    found = hops(make(SRC, DST, N), SEEDS, fan_outs, np.random.default_rng(1))
    degree = np.bincount(DST, minlength=N)
    wanted = SEEDS
    for hop, fan_out in zip(reversed(found), reversed(fan_outs), strict=True):
        np.testing.assert_array_equal(hop.vertices[: hop.n_dst], wanted)
        assert len(np.unique(hop.vertices)) == len(hop.vertices)
        np.testing.assert_array_equal(SRC[hop.edge], hop.vertices[hop.src])
        np.testing.assert_array_equal(DST[hop.edge], hop.vertices[hop.dst])
        assert len(np.unique(hop.edge)) == len(hop.edge)
        drawn = np.bincount(hop.dst, minlength=hop.n_dst)
        np.testing.assert_array_equal(drawn, np.minimum(degree[wanted], fan_out or E))
        wanted = hop.vertices


@both
def test_arcs_of_a_destination_keep_the_order_of_the_graph(make: Make) -> None:
    hop = make(SRC, DST, N).hop(SEEDS, 0, np.random.default_rng(0))
    for place in range(hop.n_dst):
        assert (np.diff(hop.edge[hop.dst == place]) > 0).all()


@both
def test_the_same_seed_draws_the_same_and_another_seed_others(make: Make) -> None:
    sampler = make(SRC, DST, N)
    first, again, other = (hops(sampler, SEEDS, (3, 3), np.random.default_rng(s))[0].edge for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert len(first) != len(other) or (first != other).any()


def test_every_set_is_drawn_about_as_often() -> None:
    drawn = draw(np.full(20_000, 5), 2, np.random.default_rng(0))
    pairs, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(pairs) == 10
    assert (abs(counts - 2000) < 5 * np.sqrt(2000)).all()


def test_a_draw_takes_different_numbers_below_the_size() -> None:
    sizes = np.array([3, 4, 1000, 10**9])
    drawn = draw(sizes, 3, np.random.default_rng(0))
    assert (np.diff(drawn, axis=1) > 0).all()
    assert (drawn < sizes[:, None]).all()
    np.testing.assert_array_equal(drawn[0], [0, 1, 2])

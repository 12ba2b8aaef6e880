"""The frontier of a graph is that of all its strategies, tried one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from workers.planning.frontier import Frontier
from workers.planning.pareto import pareto
from workers.planning.problem import Edge, Floats, Ints, Node, Problem, ProblemInvalid
from workers.planning.search import Limits, search

# Whole seconds and bytes from a small range, so that equal costs are frequent.
MOST = 20


def drawn(seed: int) -> Problem:
    """A graph of up to six operators of up to four configurations; some edges are parallel, some pairs forbidden."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, rng.integers(1, 7))
    nodes = tuple(Node(f"n{i}", costs(rng, (k,)), costs(rng, (k,))) for i, k in enumerate(sizes))
    pairs = [(i, j) for i in range(len(sizes)) for j in range(i + 1, len(sizes)) for _ in range(2)]
    chosen = [pair for pair in pairs if rng.random() < 0.3]
    return Problem(nodes, tuple(drawn_edge(rng, i, j, sizes) for i, j in chosen))


def costs(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.integers(0, MOST, shape).astype(np.float64)


def drawn_edge(rng: np.random.Generator, i: int, j: int, sizes: Ints) -> Edge:
    memory, time = (costs(rng, (int(sizes[i]), int(sizes[j]))) for _ in range(2))
    memory[rng.random(memory.shape) < 0.1] = np.inf
    return Edge(i, j, memory, time)


def by_trying(problem: Problem) -> tuple[Floats, Floats]:
    memory, time = problem.evaluate(np.array(list(product(*map(range, problem.sizes)))))
    allowed = np.isfinite(memory) & np.isfinite(time)
    memory, time = memory[allowed], time[allowed]
    kept = pareto(memory, time)
    return memory[kept], time[kept]


def assert_is(found: Frontier, problem: Problem, memory: Floats, time: Floats) -> None:
    np.testing.assert_array_equal(found.memory, memory)
    np.testing.assert_array_equal(found.time, time)
    again = problem.evaluate(found.choices)
    np.testing.assert_array_equal(again[0], found.memory)
    np.testing.assert_array_equal(again[1], found.time)


@pytest.mark.parametrize("first", range(0, 500, 100))
def test_the_frontier_is_that_of_all_strategies_and_each_costs_what_it_says(first: int) -> None:
    for seed in range(first, first + 100):
        problem = drawn(seed)
        found = search(problem)
        assert found.exact
        assert_is(found, problem, *by_trying(problem))


def test_fixing_operators_where_tables_would_be_too_large_loses_nothing() -> None:
    for seed in range(30):
        problem = drawn(seed)
        found = search(problem, limits=Limits(cells=30, branches=4096))
        assert found.exact
        assert_is(found, problem, *by_trying(problem))


def test_where_strategies_are_left_out_the_frontier_does_not_claim_to_be_exact() -> None:
    problem = next(p for p in map(drawn, range(100)) if not search(p, limits=Limits(cells=16, branches=1)).exact)
    found = search(problem, limits=Limits(cells=16, branches=1))
    np.testing.assert_array_equal(problem.evaluate(found.choices)[0], found.memory)


def test_every_strategy_is_within_the_tolerance_of_one_found() -> None:
    for seed in range(40):
        problem = drawn(seed)
        found = search(problem, eps=0.1)
        for memory, time in zip(*by_trying(problem), strict=True):
            assert ((found.memory <= memory * 1.1) & (found.time <= time * 1.1)).any()


def test_renaming_operators_does_not_change_the_frontier() -> None:
    for seed in range(20):
        problem = drawn(seed)
        place = np.random.default_rng(seed).permutation(len(problem.nodes))
        moved = [problem.nodes[i] for i in np.argsort(place)]
        edges = [Edge(int(place[e.source]), int(place[e.target]), e.memory, e.time) for e in problem.edges]
        one, other = search(problem), search(Problem(tuple(moved), tuple(edges)))
        np.testing.assert_array_equal(one.memory, other.memory)
        np.testing.assert_array_equal(one.time, other.time)


def test_a_strategy_that_fits_is_found_even_where_a_faster_one_does_not() -> None:
    """Ranking by time alone and looking at memory afterwards would keep only the strategy that does not fit."""
    node = Node("n", np.array([100.0, 10.0]), np.array([1.0, 2.0]))
    found = search(Problem((node, node)))
    assert found.memory.tolist() == [20.0, 110.0, 200.0]


def test_nothing_is_found_where_nothing_is_allowed() -> None:
    node = Node("n", np.array([1.0]), np.array([1.0]))
    forbidden = np.array([[np.inf]])
    assert len(search(Problem((node, node), (Edge(0, 1, forbidden, forbidden),)))) == 0


def test_costs_of_the_wrong_shape_are_refused() -> None:
    node = Node("n", np.array([1.0]), np.array([1.0]))
    with pytest.raises(ProblemInvalid, match="from 0 to 1"):
        Problem((node, node), (Edge(0, 1, np.zeros((1, 2)), np.zeros((1, 1))),))

"""Laws of the algebra of frontiers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workers.planning.pareto import pareto, product, thin, union
from workers.planning.problem import Floats

Front = tuple[Floats, Floats]


def front(points: list[tuple[int, int]]) -> Front:
    memory, time = (np.array([p[axis] for p in points], np.float64) for axis in (0, 1))
    kept = pareto(memory, time)
    return memory[kept], time[kept]


FRONTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=12).map(front)


def assert_same(one: Front, other: Front) -> None:
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_array_equal(one[1], other[1])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20))
def test_what_stays_is_what_no_other_beats(points: list[tuple[int, int]]) -> None:
    best = {p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
    assert list(zip(*front(points), strict=True)) == sorted(best)


@given(FRONTS, FRONTS, FRONTS)
def test_union_and_product_obey_the_laws_of_a_semiring(a: Front, b: Front, c: Front) -> None:
    assert_same(union(a, a), a)
    assert_same(union(a, b), union(b, a))
    assert_same(union(union(a, b), c), union(a, union(b, c)))
    assert_same(product(a, b), product(b, a))
    assert_same(product(product(a, b), c), product(a, product(b, c)))
    assert_same(product(a, union(b, c)), union(product(a, b), product(a, c)))


@given(FRONTS, st.integers(2, 5))
def test_thinning_keeps_both_ends(a: Front, width: int) -> None:
    kept, sizes = thin(*a, np.array([len(a[0])]), width)
    assert sizes.tolist() == [len(kept)]
    assert {0, len(a[0]) - 1} <= set(kept.tolist())

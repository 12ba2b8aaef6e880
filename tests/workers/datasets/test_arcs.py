"""Arcs against what sets and plain loops make of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workers.datasets import arcs

PAIRS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40)


def _ends(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]


@given(PAIRS)
def test_symmetrised_arcs_are_the_pairs_both_ways(pairs: list[tuple[int, int]]) -> None:
    clean = arcs.tidy(*_ends(pairs), 9, symmetrise=True)
    expected = {(u, v) for u, v in pairs if u != v} | {(v, u) for u, v in pairs if u != v}
    assert list(zip(clean.src.tolist(), clean.dst.tolist(), strict=True)) == sorted(
        expected, key=lambda p: (p[1], p[0])
    )
    assert arcs.is_symmetric(clean.src, clean.dst, 9)
    assert clean.self_loops == sum(u == v for u, v in pairs)
    apart = [(u, v) for u, v in pairs if u != v]
    assert clean.duplicates == len(apart) - len(set(apart))


@given(PAIRS)
def test_arcs_kept_as_given_are_only_sorted(pairs: list[tuple[int, int]]) -> None:
    clean = arcs.tidy(*_ends(pairs), 9, symmetrise=False, drop_self_loops=False, dedupe=False)
    assert sorted(pairs) == sorted(zip(clean.src.tolist(), clean.dst.tolist(), strict=True))
    assert bool(np.all(np.diff(clean.dst) >= 0))


@given(PAIRS)
def test_repeats_listed_both_ways_are_not_doubled_again(pairs: list[tuple[int, int]]) -> None:
    both = [(u, v) for u, v in pairs if u != v] + [(v, u) for u, v in pairs if u != v]
    clean = arcs.tidy(*_ends(both), 9, symmetrise=True, dedupe=False)
    assert sorted(both) == sorted(zip(clean.src.tolist(), clean.dst.tolist(), strict=True))


@given(PAIRS)
def test_components_are_those_of_a_search(pairs: list[tuple[int, int]]) -> None:
    root = arcs.components(*_ends(pairs), 9)
    for start in range(9):
        reached, edge = {start}, [start]
        while edge:
            at = edge.pop()
            for u, v in pairs:
                for a, b in ((u, v), (v, u)):
                    if a == at and b not in reached:
                        reached.add(b)
                        edge.append(b)
        assert root[start] == min(reached)


def test_the_largest_component_of_no_vertices_is_empty() -> None:
    nothing = np.zeros(0, np.int64)
    assert len(arcs.largest_component(nothing, nothing, 0)) == 0

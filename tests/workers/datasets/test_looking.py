"""What a dataset's page shows, against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.core.dataset import GraphData
from workers.datasets import bundled, checks, neighbourhood, sparse
from workers.datasets.errors import BadValue
from workers.datasets.summary import summarise

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=40)


def graph(pairs: list[tuple[int, int]], **more: object) -> GraphData:
    ends = np.array(sorted(pairs, key=lambda p: (p[1], p[0])), np.int64).reshape(-1, 2)
    return GraphData("g", 7, ends[:, 0], ends[:, 1], **more)  # type: ignore[arg-type]


@given(PAIRS)
def test_degrees_are_counted_as_a_person_would(pairs: list[tuple[int, int]]) -> None:
    summary = summarise(graph(pairs))
    for found, ends in ((summary.in_degrees, [v for _, v in pairs]), (summary.out_degrees, [u for u, _ in pairs])):
        counts = Counter(ends)
        degrees = [counts[v] for v in range(7)]
        assert (found.min, found.max, found.zero) == (min(degrees), max(degrees), degrees.count(0))
        assert found.mean == pytest.approx(sum(degrees) / 7)
        assert sum(b.vertices for b in found.bins) + found.zero == 7
        for b in found.bins:
            assert b.vertices == sum(b.low <= d <= b.high for d in degrees)
    touched = {v for pair in pairs for v in pair}
    assert summary.isolated == 7 - len(touched)


def test_features_are_summed_up_the_same_in_both_layouts() -> None:
    x = np.array([[0, 2, 0], [0, -1, 0], [0, 0, 0], [0, 3, 1], [0] * 3, [0] * 3, [0] * 3], np.float32)
    dense, few = summarise(graph([], x=x)).features, summarise(graph([], x=sparse.from_dense(x))).features
    assert dense is not None
    assert few is not None
    assert dense.model_copy(update={"sparse": True}) == few
    assert (few.nonzero, few.min, few.max, few.empty_rows) == (4, -1, 3, 4)
    assert few.mean == pytest.approx(5 / 21)
    assert [(c.column, c.nonzero) for c in few.top_columns] == [(1, 3), (2, 1)]


def test_classes_are_counted_by_part_of_the_split() -> None:
    y = np.array([0, 0, 1, 1, -1, 1, 0])
    parts = {"train": np.array([0, 2]), "val": np.array([1]), "test": np.array([3, 5])}
    summary = summarise(graph([(0, 1), (0, 2)], y=y, classes=("a", "b"), **parts))
    assert [(c.count, c.train, c.val, c.test) for c in summary.classes] == [(3, 1, 1, 0), (3, 1, 0, 2)]
    assert (summary.labelled, summary.unlabelled, summary.homophily) == (6, 1, 0.5)


def test_the_hash_follows_the_content() -> None:
    one, same, other = (summarise(graph(pairs)).sha256 for pairs in ([(0, 1)], [(0, 1)], [(1, 0)]))
    assert one == same != other


@given(PAIRS, st.integers(0, 6), st.integers(1, 3), st.integers(1, 8), st.integers(0, 3))
def test_a_neighbourhood_is_a_piece_of_the_graph(
    pairs: list[tuple[int, int]], vertex: int, hops: int, limit: int, seed: int
) -> None:
    data = graph(pairs)
    found = neighbourhood.sample(data.src, data.dst, vertex, hops, limit, seed)
    vertices = found.vertices.tolist()
    assert vertices[0] == vertex
    assert len(vertices) == len(set(vertices)) <= max(limit, 1)
    assert set(zip(found.src.tolist(), found.dst.tolist(), strict=True)) == {
        (u, v) for u, v in pairs if u in vertices and v in vertices
    }
    hop_of = dict(zip(vertices, found.hops.tolist(), strict=True))
    for v in vertices[1:]:
        assert any(u in hop_of and hop_of[u] == hop_of[v] - 1 for s, u in pairs if s == v)
    again = neighbourhood.sample(data.src, data.dst, vertex, hops, limit, seed)
    assert np.array_equal(found.vertices, again.vertices)


def test_a_wide_enough_neighbourhood_is_everything_within_reach() -> None:
    karate = bundled.load("karate")
    found = neighbourhood.sample(karate.src, karate.dst, 0, 3, 200, 0)
    assert (len(found.vertices), found.left_out) == (34, 0)
    assert found.degrees[0] == 16


def test_a_sample_takes_from_every_neighbour_in_turn() -> None:
    """A hub beside a small vertex does not fill the picture alone."""
    hub = [(10 + i, 1) for i in range(50)]
    pairs = [(1, 0), (2, 0), (3, 2), (4, 2), *hub]
    ends = np.array(sorted(pairs, key=lambda p: (p[1], p[0])), np.int64)
    found = neighbourhood.sample(ends[:, 0], ends[:, 1], 0, 2, 7, 0)
    assert {3, 4} <= set(found.vertices.tolist())


@pytest.mark.parametrize(("more", "what"), [
    ({"src": np.array([0, 9])}, "outside"),
    ({"y": np.zeros(3, np.int64)}, "labels"),
    ({"x": np.full((7, 1), np.nan, np.float32)}, "NaN"),
    ({"train": np.array([0, 1]), "val": np.array([1]), "test": np.array([2])}, "share"),
    ({"train": np.array([0]), "y": np.full(7, -1)}, "no label"),
])  # fmt: skip
def test_what_no_dataset_may_hold_is_refused(more: dict[str, np.ndarray], what: str) -> None:
    src = more.pop("src", np.array([0, 1]))
    with pytest.raises(BadValue, match=what):
        checks.examine(GraphData("g", 7, src, np.array([1, 0]), **more))  # type: ignore[arg-type]

"""Edges held back: none passes messages, none is among the pairs without an edge."""

from __future__ import annotations

import numpy as np
import pytest

from workers.core.dataset import GraphData
from workers.core.errors import JobError
from workers.datasets import bundled
from workers.systems.seastar.pairs import EdgeSplit, Pairs, draw_pairs, split_edges


def _set(pairs: Pairs) -> set[tuple[int, int]]:
    return {(int(u), int(v)) for u, v in pairs}


def _directed() -> GraphData:
    random = np.random.default_rng(1)
    src, dst = random.integers(0, 50, 400), random.integers(0, 50, 400)
    return GraphData("directed", 50, src, dst, edge_x=np.arange(400, dtype=np.float32)[:, None])


def _edges(data: GraphData, undirected: bool) -> set[tuple[int, int]]:
    pairs = {(int(u), int(v)) for u, v in zip(data.src, data.dst, strict=True) if u != v}
    return {(min(p), max(p)) for p in pairs} if undirected else pairs


@pytest.mark.parametrize("data", [bundled.load("karate"), bundled.load("digits"), _directed()], ids=lambda d: d.name)
def test_every_edge_is_in_one_part_and_only_training_edges_pass_messages(data: GraphData) -> None:
    split = split_edges(data, 0.05, 0.1, seed=3)
    assert split.undirected == (data.name != "directed")
    edges = _edges(data, split.undirected)
    parts = {part: _set(found) for part, found in split.edges.items()}
    assert sum(map(len, parts.values())) == len(edges)
    assert set().union(*parts.values()) == edges
    assert len(parts["test"]) == round(0.1 * len(edges))
    assert len(parts["val"]) == round(0.05 * len(edges))
    assert _edges(split.messages, split.undirected) == parts["train"]
    for part, others in split.others.items():
        assert len(others) == len(split.edges[part])
        assert not _set(others) & edges
        assert (others[:, 0] != others[:, 1]).all()


def test_arcs_keep_their_features() -> None:
    data = _directed()
    messages = split_edges(data, 0.1, 0.1, seed=0).messages
    assert messages.edge_x is not None
    kept = messages.edge_x[:, 0].astype(int)
    np.testing.assert_array_equal(messages.src, data.src[kept])
    np.testing.assert_array_equal(messages.dst, data.dst[kept])


def test_the_seed_decides_the_split() -> None:
    data = bundled.load("digits")
    first, again, other = (split_edges(data, 0.05, 0.1, seed) for seed in (0, 0, 1))
    for part in first.edges:
        np.testing.assert_array_equal(first.edges[part], again.edges[part])
        np.testing.assert_array_equal(first.others[part], again.others[part])
    assert _set(first.edges["test"]) != _set(other.edges["test"])


def test_pairs_for_training_are_no_training_edges_and_may_be_held_back_ones() -> None:
    """Leaving held-back edges out would show the model which pairs they are."""
    split: EdgeSplit = split_edges(bundled.load("karate"), 0.2, 0.4, seed=0)
    drawn = _set(draw_pairs(4000, split, np.random.default_rng(0)))
    assert not drawn & _set(split.edges["train"])
    assert drawn & _set(split.edges["test"])


def test_a_graph_with_too_few_or_too_many_edges_is_refused() -> None:
    few = GraphData("few", 4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    with pytest.raises(JobError, match="too few"):
        split_edges(few, 0.05, 0.1, seed=0)
    u, v = np.nonzero(~np.eye(12, dtype=bool))
    with pytest.raises(JobError, match="nearly every pair"):
        split_edges(GraphData("full", 12, u, v), 0.05, 0.1, seed=0)

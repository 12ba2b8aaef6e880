"""A heterogeneous graph holds together, and says so when it does not."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from workers.core.errors import GraphInvalid
from workers.core.hetero import HeteroData, Names, Relation
from workers.core.hetero_check import check
from workers.core.stitch import stitch

WRITES = Relation("author", "writes", "paper")
CITES = Relation("paper", "cites", "paper")
CITED = Relation("paper", "cited by", "paper")
ids = np.array


def library(**changed: Any) -> HeteroData:
    """Three papers, two authors, no venue; author 1 wrote nothing."""
    data = stitch(
        {"paper": 3, "author": 2, "venue": 0},
        {
            WRITES: (ids([0, 0]), ids([1, 2])),
            CITES: (ids([0, 1]), ids([1, 2])),
            Relation("paper", "in", "venue"): (ids([], np.int64), ids([], np.int64)),
            CITED: (ids([1, 2]), ids([0, 1])),
        },
        name="library",
        features={"paper": np.ones((3, 4), np.float32)},
        target="paper",
        y=ids([0, 1, -1]),
        classes=("new", "old"),
        train=ids([True, False, False]),
        val=ids([False, True, False]),
        test=ids([False, False, False]),
        inverse={1: 3},
        names=Names.of(["p0", "p1", "é", "a0", "a1"]),
    )
    return replace(data, **changed)


def test_types_are_ranges_of_global_ids_and_relations_ranges_of_edges() -> None:
    data = library()
    assert (data.n, data.edges) == (5, 6)
    assert data.vertices_of("author") == slice(3, 5)
    assert (data.count("venue"), data.vertices_of("venue")) == (0, slice(5, 5))
    assert data.src[data.edges_of(0)].tolist() == [3, 3]
    assert data.dst[data.edges_of(0)].tolist() == [1, 2]
    assert data.edge_types().tolist() == [0, 0, 1, 1, 3, 3]


def test_a_vertex_knows_its_type_across_empty_types() -> None:
    counts = {"a": 0, "b": 2, "c": 0, "d": 1}
    data = stitch(counts, {})
    assert data.type_of(ids([0, 1, 2])).tolist() == [1, 1, 3]


def test_names_are_read_one_at_a_time() -> None:
    names = library().names
    assert names is not None
    assert (len(names), names[2], names[4]) == (5, "é", "a1")


def test_two_relations_may_share_a_name() -> None:
    one, two = Relation("a", "has", "b"), Relation("b", "has", "a")
    data = stitch({"a": 1, "b": 2}, {one: (ids([0]), ids([1])), two: (ids([1]), ids([0]))})
    assert (data.src.tolist(), data.dst.tolist()) == ([0, 2], [2, 0])


@pytest.mark.parametrize(("edges", "message"), [
    ({WRITES: (ids([2]), ids([0]))}, "Edge 0 of author -writes-> paper: 2 is no 'author'; their ids are 0 to 1"),
    ({WRITES: (ids([0, 0]), ids([0, -1]))}, "Edge 1 of author -writes-> paper: -1 is no 'paper'"),
    ({Relation("paper", "in", "venue"): (ids([0]), ids([0]))}, "their ids are none, since the type is empty"),
    ({Relation("paper", "in", "shelf"): (ids([0]), ids([0]))}, "names 'shelf', which is no type. Types are paper"),
])  # fmt: skip
def test_stitching_names_the_edge_that_does_not_fit(edges: Any, message: str) -> None:
    with pytest.raises(GraphInvalid, match=message):
        stitch({"paper": 3, "author": 2, "venue": 0}, edges)


@pytest.mark.parametrize(("changed", "message"), [
    ({"node_types": ("paper", "paper", "venue")}, "The type paper is listed twice"),
    ({"relations": (WRITES, CITES, CITES, CITED)}, "The relation paper -cites-> paper is listed twice"),
    ({"type_ptr": ids([0, 3, 2, 5])}, "type_ptr is no rising list of 4 numbers"),
    ({"rel_ptr": ids([0, 2, 4, 6])}, "rel_ptr is no rising list of 5 numbers"),
    ({"src": ids([3, 3, 0])}, "src has 3 entries for 6 edges"),
    ({"dst": ids([1, 3, 1, 2, 0, 1])}, "Edge 1 of author -writes-> paper: 3 is no 'paper'; their ids are 0 to 2"),
    ({"features": {"shelf": np.ones((1, 1), np.float32)}}, "Features are given for 'shelf', which is no type"),
    ({"features": {"author": np.ones((3, 1), np.float32)}}, "Features of 'author' are 3 × 1, and there are 2 rows"),
    ({"features": {"author": ids([[0], [np.nan]], np.float32)}}, "Features of 'author', row 1: a value is NaN"),
    ({"edge_features": {Relation("x", "y", "z"): np.ones((1, 1), np.float32)}}, "which is no relation"),
    ({"edge_features": {WRITES: np.ones((3, 1), np.float32)}}, "are 3 × 1, and there are 2 rows to fill"),
    ({"times": ids([1, 2])}, "times has 2 entries for 6 edges"),
    ({"edge_part": ids([0, 0, 0, 0, 3, 0], np.uint8)}, "edge_part 3 of edge 4"),
    ({"target": None}, "y, train, val, test given, but no target type"),
    ({"target": "shelf"}, "The target 'shelf' is no type. Types are paper, author, venue"),
    ({"y": ids([0, 1])}, "y has 2 entries for 3 vertices of 'paper'"),
    ({"y": ids([0, 2, -1])}, "Label 2 of paper 1 is no class; they are -1 to 1"),
    ({"val": ids([True, False, False])}, "paper 0 is in more than one of train, val and test"),
    ({"test": ids([False, False, True])}, "paper 2 is in the split and has no label"),
    ({"inverse": {1: 0}}, "author -writes-> paper does not hold the edges of paper -cites-> paper backwards"),
    ({"inverse": {1: 7}}, "inverse says 1: 7, but there are 4 relations"),
    ({"names": Names.of(["one"])}, "1 names for 5 vertices"),
])  # fmt: skip
def test_what_does_not_fit_is_named(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(GraphInvalid, match=message):
        check(library(**changed))


def test_the_error_survives_the_way_between_processes() -> None:
    error = GraphInvalid("src has 3 entries", "Give both ends.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

"""The stitched index against plain loops over edges: every map, every order, every pointer."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

from tests.workers.compiler.relations.graphs import SCHEMAS, graph, random_schema
from workers.compiler.ir import Domain
from workers.compiler.maps import MAPS, rows_of
from workers.compiler.rows import Side
from workers.compiler.runtime.counting_sort import _by_numpy, counting_sort
from workers.compiler.runtime.stitched import StitchedIndex, stitch

WHERE = pytest.mark.parametrize("where", SCHEMAS)


def pairs(index: StitchedIndex, ends: np.ndarray) -> list[tuple[int, int]]:
    return sorted(set(zip(index.relation.tolist(), ends.tolist(), strict=True)))


@WHERE
def test_receivers_and_senders_are_the_vertices_with_edges_in_a_relation(where: str) -> None:
    index = SCHEMAS[where]
    for found, ends in ((index.receivers, index.dst), (index.senders, index.src)):
        expected = pairs(index, ends)
        assert list(zip(found.relation.tolist(), found.vertex.tolist(), strict=True)) == expected
        assert [expected[k] for k in found.of_edge] == list(zip(index.relation.tolist(), ends.tolist(), strict=True))
        assert found.bounds.tolist() == [sum(r < k for r, _ in expected) for k in range(index.relations + 1)]


@WHERE
@pytest.mark.parametrize("side", [s for s in Side if s is not Side.MAP])
def test_each_row_meets_its_items_once_and_in_order(where: str, side: Side) -> None:
    index, half = SCHEMAS[where], SCHEMAS[where].half(side)
    rows = index.map_array(side.value)
    assert half.rows == index.rows(rows_of(side.value))
    for row in range(half.rows):
        mine = half.edge[half.ptr[row] : half.ptr[row + 1]]
        assert sorted(mine.tolist()) == np.flatnonzero(rows == row).tolist()
    assert len(half.edge) == index.rows(MAPS[side.value].items)


@WHERE
def test_edges_of_a_destination_stand_by_relation(where: str) -> None:
    index = SCHEMAS[where]
    half = index.by_dst
    for row in range(half.rows):
        assert (np.diff(index.relation[half.edge[half.ptr[row] : half.ptr[row + 1]]]) >= 0).all()


@WHERE
def test_slots_lead_from_one_side_to_the_other(where: str) -> None:
    index = SCHEMAS[where]
    assert (index.by_src.edge[index.by_dst.slot] == index.by_dst.edge).all()
    assert (index.by_dst.edge[index.by_src.slot] == index.by_src.edge).all()


def test_counting_sort_is_stable_and_the_same_as_numpys() -> None:
    keys = np.random.default_rng(0).integers(0, 7, 200)
    given = np.random.default_rng(1).permutation(200)
    for items in (None, given):
        for found, expected in zip(counting_sort(keys, 9, items), _by_numpy(keys, 9, items), strict=True):
            assert found.tolist() == expected.tolist()


def test_edges_in_any_order_are_grouped_by_relation_and_keep_their_order() -> None:
    index, order = stitch([0, 3], [0, 1, 2, 0], [1, 1, 0, 2], [1, 0, 1, 0], 3)
    assert order.tolist() == [1, 3, 0, 2]
    assert (index.src.tolist(), index.dst.tolist(), index.rel_ptr.tolist()) == (
        [1, 0, 0, 2],
        [1, 2, 1, 0],
        [0, 2, 4, 4],
    )


def test_empty_types_and_relations_cost_an_entry_of_a_pointer_array() -> None:
    full = random_schema(0)
    types = np.repeat(full.type_ptr, [1] * len(full.type_ptr[:-1]) + [50])
    more = StitchedIndex(types, full.src, full.dst, np.append(full.rel_ptr, [full.edges] * 50))
    for domain in (Domain.RECEIVER, Domain.SENDER, Domain.EDGE, Domain.VERTEX):
        assert more.rows(domain) == full.rows(domain)


def test_bad_pointers_and_edges_are_named() -> None:
    with pytest.raises(ValueError, match="type_ptr must start at 0 and never fall"):
        StitchedIndex([0, 3, 2], [0], [1], [0, 1])
    with pytest.raises(ValueError, match="rel_ptr ends at 2, but there are 1 edges"):
        StitchedIndex([0, 3], [0], [1], [0, 2])
    with pytest.raises(ValueError, match="edge 0 has destination 3"):
        StitchedIndex([0, 3], [0], [3], [0, 1])
    with pytest.raises(ValueError, match="edge 1 has relation 4; relations run from 0 to 1"):
        stitch([0, 3], [0, 1], [1, 2], [0, 4], 2)


def test_a_copy_is_sorted_again() -> None:
    index = graph([2, 2], [[(0, 2)], [(1, 3)]])
    for twin in (pickle.loads(pickle.dumps(index)), copy.deepcopy(index)):
        assert twin.receivers.vertex.tolist() == index.receivers.vertex.tolist()


def test_degrees_count_items() -> None:
    index = SCHEMAS["an empty relation and an empty type"]
    found = {
        s: index.degree(s, torch.float64, torch.device("cpu")).tolist() for s in ("receiver", "received", "relation")
    }
    assert found == {"receiver": [2, 1, 1, 1], "received": [1, 0, 1, 1, 1], "relation": [3, 0, 2]}

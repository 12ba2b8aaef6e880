"""Datasets to DGL and PyG and back: nothing lost, nothing in another order."""

from __future__ import annotations

from dataclasses import fields

import dgl
import numpy as np
import pytest
import torch
from torch_geometric import EdgeIndex
from torch_geometric.data import Batch, Data

from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData, SparseRows
from workers.zoo.interop import dgl_bridge, pyg_bridge

SPLITS = {"train": np.array([0, 3]), "val": np.array([1]), "test": np.array([4])}


def data(**changed: object) -> GraphData:
    """Five vertices, the last without arcs; a duplicate and a loop among the arcs."""
    found = {
        "name": "small",
        "n": 5,
        "src": np.array([2, 0, 0, 3, 1]),
        "dst": np.array([0, 1, 1, 3, 2]),
        "x": np.arange(15, dtype=np.float32).reshape(5, 3),
        "y": np.array([0, 1, -1, 2, 1]),
        "classes": ("0", "1", "2"),
        "edge_x": np.arange(5, dtype=np.float32).reshape(5, 1),
        **SPLITS,
    }
    return GraphData(**(found | changed))  # type: ignore[arg-type]


MANY = {
    "y": None,
    "graph_of": np.array([0, 0, 2, 2, 2]),
    "graph_y": np.array([1, 0, 1]),
    "src": np.array([1, 0, 2, 3, 4]),
    "dst": np.array([0, 1, 3, 3, 2]),
    "classes": ("0", "1"),
    "train": np.array([0]),
    "val": np.array([1]),
    "test": np.array([2]),
}
CASES = {
    "labelled vertices": data(),
    "bare": data(x=None, y=None, edge_x=None, classes=(), train=None, val=None, test=None),
    "no arcs": data(src=np.zeros(0, np.int64), dst=np.zeros(0, np.int64), edge_x=None),
    "many graphs": data(**MANY),
}


def same(found: GraphData, expected: GraphData, leaving_out: tuple[str, ...] = ()) -> None:
    for field in fields(GraphData):
        a, b = getattr(found, field.name), getattr(expected, field.name)
        if field.name in ("source", *leaving_out):
            continue
        if isinstance(b, np.ndarray):
            assert a is not None, field.name
            assert a.dtype == b.dtype, field.name
            np.testing.assert_array_equal(a, b, field.name)
        else:
            assert a == b, field.name


@pytest.mark.parametrize("case", CASES)
def test_pyg_and_back(case: str) -> None:
    made = pyg_bridge.to_pyg(CASES[case])
    assert made.validate()
    same(pyg_bridge.from_pyg(made, "small"), CASES[case])


@pytest.mark.parametrize("case", CASES)
def test_dgl_and_back(case: str) -> None:
    expected = CASES[case]
    graph = dgl_bridge.to_dgl(expected)
    splits = ("train", "val", "test") if expected.graph_y is not None else ()  # of graphs, which DGL has no place for
    same(dgl_bridge.from_dgl(graph, "small", expected.graph_y), expected, splits)


def test_sparse_features_arrive_dense() -> None:
    rows = SparseRows(np.array([0, 1, 1, 3, 3, 4]), np.array([2, 0, 1, 1], np.int32), np.ones(4, np.float32), 3)
    wanted = torch.tensor([[0, 0, 1], [0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]], dtype=torch.float32)
    assert torch.equal(pyg_bridge.to_pyg(data(x=rows)).x, wanted)
    assert torch.equal(dgl_bridge.to_dgl(data(x=rows)).ndata["feat"], wanted)


def test_what_was_handed_over_is_a_copy() -> None:
    ours = data()
    pyg_bridge.to_pyg(ours).x.zero_()
    dgl_bridge.to_dgl(ours).ndata["feat"].zero_()
    assert ours.x is not None
    assert ours.x[1, 0] == 3  # type: ignore[index]


def test_a_batch_of_pyg_keeps_its_graphs_apart() -> None:
    ring = torch.tensor([[0, 1, 2], [1, 2, 0]])
    parts = [Data(x=torch.ones(3, 2), edge_index=ring, y=torch.tensor([k])) for k in range(2)]
    found = pyg_bridge.from_pyg(Batch.from_data_list(parts), "rings")
    assert found.graph_of is not None
    assert found.graph_y is not None
    assert (found.n, found.graph_of.tolist(), found.graph_y.tolist()) == (6, [0, 0, 0, 1, 1, 1], [0, 1])
    assert found.src.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_batch_of_dgl_keeps_its_graphs_apart() -> None:
    ring = dgl.graph(([0, 1, 2], [1, 2, 0]))
    found = dgl_bridge.from_dgl(dgl.batch([ring, ring]), "rings", np.array([0, 1]))
    assert found.graph_of is not None
    assert found.graph_of.tolist() == [0, 0, 0, 1, 1, 1]
    back = dgl.unbatch(dgl_bridge.to_dgl(found))
    assert [(g.num_nodes(), g.num_edges()) for g in back] == [(3, 3), (3, 3)]


def test_scattered_graphs_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="together"):
        dgl_bridge.to_dgl(data(**(MANY | {"graph_of": np.array([0, 1, 0, 1, 2])})))


def test_several_types_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="one type"):
        dgl_bridge.from_dgl(dgl.heterograph({("a", "x", "b"): ([0], [1])}), "two")


def test_edge_indices_and_graphs_become_each_other() -> None:
    graph = GraphIndex([2, 0, 1], [0, 1, 1], 3, 4)
    edges = pyg_bridge.to_edge_index(graph)
    edges.validate()
    back = pyg_bridge.from_edge_index(edges)
    assert (back.src.tolist(), back.dst.tolist(), back.n_src, back.n_dst) == ([2, 0, 1], [0, 1, 1], 3, 4)
    with pytest.raises(ValueError, match="sparse_size"):
        pyg_bridge.from_edge_index(EdgeIndex([[0, 1], [1, 0]]))

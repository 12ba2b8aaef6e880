"""Datasets as DGL graphs and back. Vertices, edges and their order stay as they are, duplicates and loops included.

In `ndata`: `feat` [N, F], `label` [N], `train_mask`, `val_mask`, `test_mask` [N]; in `edata`: `feat` [E, K]. Many
graphs are one batched graph, whose labels DGL keeps beside it.
"""

from __future__ import annotations

from dataclasses import replace

import dgl
import numpy as np
import torch
from numpy.typing import NDArray

from workers.core.dataset import GraphData
from workers.zoo.interop.dataset_tensors import array, class_names, features, masks, matrix, split_ids, tensor


def to_dgl(data: GraphData) -> dgl.DGLGraph:
    """`data` as a DGL graph, batched where it holds many. Raises ValueError where a graph's vertices lie apart."""
    graph = dgl.graph((torch.from_numpy(np.array(data.src)), torch.from_numpy(np.array(data.dst))), num_nodes=data.n)
    vertex = {"feat": features(data), "label": tensor(data.y)} | (masks(data, data.n) if data.graph_y is None else {})
    for name, x in vertex.items():
        if x is not None:
            graph.ndata[name] = x
    if (edge_x := tensor(data.edge_x)) is not None:
        graph.edata["feat"] = edge_x
    if data.graph_of is not None:
        _batch(graph, data.graph_of, 0 if data.graph_y is None else len(data.graph_y))
    return graph


def from_dgl(graph: dgl.DGLGraph, name: str, graph_y: NDArray[np.int64] | None = None) -> GraphData:
    """A DGL graph with one type of vertices and edges. `graph_y` int64[G] are the labels of a batched graph's graphs.

    Raises ValueError for a graph of several types.
    """
    if not graph.is_homogeneous:
        raise ValueError(f"a dataset has one type of vertices and edges, this graph has {graph.canonical_etypes}")
    src, dst = graph.edges(order="eid")
    vertex, edge = graph.ndata, graph.edata
    y = array(vertex["label"], np.int64) if "label" in vertex else None
    sizes = array(graph.batch_num_nodes(), np.int64)
    found = GraphData(
        name=name,
        n=graph.num_nodes(),
        src=array(src, np.int64),
        dst=array(dst, np.int64),
        x=matrix(vertex["feat"]) if "feat" in vertex else None,
        y=y,
        classes=class_names(y, graph_y),
        edge_x=matrix(edge["feat"]) if "feat" in edge else None,
        source="dgl",
        **split_ids(vertex),
    )
    if len(sizes) == 1 and graph_y is None:
        return found
    return replace(found, graph_of=np.repeat(np.arange(len(sizes)), sizes), graph_y=graph_y)


def _batch(graph: dgl.DGLGraph, graph_of: NDArray[np.int64], graphs: int) -> None:
    """Tell DGL where each graph begins and ends."""
    if (np.diff(graph_of) < 0).any():
        raise ValueError("DGL wants the vertices of each graph together, in the order of the graphs")
    graphs = max(graphs, int(graph_of.max(initial=-1)) + 1)
    ends = torch.from_numpy(graph_of)[graph.edges(order="eid")[1]]
    graph.set_batch_num_nodes(torch.bincount(torch.from_numpy(graph_of), minlength=graphs))
    graph.set_batch_num_edges(torch.bincount(ends, minlength=graphs))

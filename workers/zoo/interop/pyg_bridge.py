"""Datasets as PyG's `Data` and back. Vertices, edges and their order stay as they are, duplicates and loops included.

Fields: `x` [N, F], `edge_index` [2, E], `edge_attr` [E, K], `y` [N] or, with `batch` [N], one a graph; `train_mask`,
`val_mask`, `test_mask` over what `y` labels.
"""

from __future__ import annotations

import numpy as np
import torch
from torch_geometric import EdgeIndex
from torch_geometric.data import Data

from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData
from workers.zoo.interop.dataset_tensors import array, class_names, features, masks, matrix, split_ids, tensor


def to_pyg(data: GraphData) -> Data:
    """`data` with its edges as a plain tensor."""
    labels = data.y if data.graph_y is None else data.graph_y
    fields = {
        "x": features(data),
        "edge_attr": tensor(data.edge_x),
        "y": tensor(labels),
        "batch": tensor(data.graph_of),
        **masks(data, data.n if labels is None else len(labels)),
    }
    edge_index = torch.from_numpy(np.stack([data.src, data.dst]))
    return Data(edge_index=edge_index, num_nodes=data.n, **{k: x for k, x in fields.items() if x is not None})


def from_pyg(data: Data, name: str) -> GraphData:
    """`Data` or a batch of it; its `edge_index` may be an `EdgeIndex`. Raises ValueError where there is none."""
    if data.edge_index is None:
        raise ValueError("this Data has no edge_index [2, E]")
    src, dst = array(_plain(data.edge_index), np.int64)
    graph_of = array(data.batch, np.int64) if data.get("batch") is not None else None
    labels = None if data.get("y") is None else array(data.y.flatten(), np.int64)
    n, graphs = int(data.num_nodes or 0), 0 if graph_of is None else int(graph_of.max(initial=-1)) + 1
    of_graphs = graph_of is not None and labels is not None and len(labels) in {graphs, data.get("num_graphs", graphs)}
    return GraphData(
        name=name,
        n=n,
        src=src,
        dst=dst,
        x=None if data.x is None else matrix(data.x),
        y=None if of_graphs else labels,
        classes=class_names(labels),
        graph_of=graph_of,
        graph_y=labels if of_graphs else None,
        edge_x=None if data.edge_attr is None else matrix(data.edge_attr),
        source="pyg",
        **split_ids(data.to_dict()),
    )


def to_edge_index(index: GraphIndex) -> EdgeIndex:
    """The edges in their order, sharing memory."""
    return EdgeIndex(torch.stack(index.ends), sparse_size=(index.n_src, index.n_dst))


def from_edge_index(edges: EdgeIndex) -> GraphIndex:
    """Raises ValueError where PyG does not know how many vertices there are."""
    rows, columns = edges.sparse_size()
    if rows is None or columns is None:
        raise ValueError("give the EdgeIndex its sparse_size, so that vertices without edges are counted")
    src, dst = _plain(edges)
    return GraphIndex(src, dst, rows, columns)


def _plain(edges: torch.Tensor) -> torch.Tensor:
    return edges.as_tensor() if isinstance(edges, EdgeIndex) else edges

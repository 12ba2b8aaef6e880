"""Graphs of other libraries where a compiled layer expects edges: a DGL graph, PyG's Data or edge_index.

Imports neither library: who hands over such an object has imported its library already.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from workers.compiler.codegen.reference import Bipartite
from workers.compiler.edges import Edges
from workers.compiler.runtime.known_graphs import graph_of


def edges_of(graph: Any, n_src: int, n_dst: int) -> Edges:
    """What `graph` lists as edges, indexed once as long as it stays the same.

    graph: a DGLGraph or block with one type of edges; a tensor [2, E] of sources and destinations, or an object with
    one as `edge_index`, between `n_src` and `n_dst` vertices; or edges, which are returned as they are.
    Raises TypeError for anything else and ValueError for edges outside the graph.
    """
    if hasattr(graph, "num_src_nodes"):
        return _of_dgl(graph)
    index = getattr(graph, "edge_index", graph)
    if not isinstance(index, Tensor):
        return _as_is(graph)
    ends = index.as_tensor() if hasattr(index, "as_tensor") else index  # PyG's EdgeIndex wraps a tensor
    if ends.dim() != 2 or ends.shape[0] != 2:
        raise ValueError(f"an edge_index must have shape [2, E], got {list(ends.shape)}")
    return _indexed(ends[0], ends[1], n_src, n_dst)


def _of_dgl(graph: Any) -> Edges:
    if len(graph.canonical_etypes) != 1:
        raise ValueError(f"a layer takes one type of edges, this graph has {len(graph.canonical_etypes)}")
    src, dst = graph.edges(order="eid")
    return _indexed(src.long(), dst.long(), graph.num_src_nodes(), graph.num_dst_nodes())


def _indexed(src: Tensor, dst: Tensor, n_src: int, n_dst: int) -> Edges:
    if torch.compiler.is_compiling():
        return Bipartite(src, dst, n_src, n_dst)
    return graph_of(src, dst, n_src, n_dst)


def _as_is(graph: Any) -> Edges:
    if not all(hasattr(graph, name) for name in ("src", "dst", "n_src", "n_dst")):
        raise TypeError(
            f"{type(graph).__name__} lists no edges; give a GraphIndex, an edge_index [2, E] or a DGL graph"
        )
    found: Edges = graph
    return found

"""Many small graphs: any of them side by side as one block-diagonal graph.

Shape letters: N vertices, E arcs, G graphs, B of them in a batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData
from workers.systems.seastar import prepare
from workers.zoo.graphs import Features, Graphs
from workers.zoo.sparse_features import SparseFeatures

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class GraphBatch:
    """B graphs as one: input features, and what the model runs on."""

    x: Features
    edge_x: Tensor | None
    graphs: Graphs


class GraphSet:
    """The graphs of a dataset, cut out as they are asked for."""

    def __init__(
        self, data: GraphData, dtype: torch.dtype, *, sparse: bool, device: torch.device | None = None
    ) -> None:
        assert data.graph_of is not None
        assert data.graph_y is not None
        self.features = prepare.features(data, dtype, sparse=sparse, device=device)
        self.dtype, self.device = dtype, device
        self.sparse = isinstance(self.features.x, SparseFeatures)
        self.data, self.count = data, len(data.graph_y)
        arc_graph = data.graph_of[data.dst]
        self.vertices = _Groups.of(data.graph_of, self.count)
        self.arcs = _Groups.of(arc_graph, self.count)
        self.place = _places(self.vertices)

    def batch(self, ids: Ids) -> GraphBatch:
        """The graphs numbered `ids` int64[B], in that order; one may come twice, and one may hold no vertex."""
        vertices, graph_of = self.vertices.members(ids)
        arcs, arc_batch = self.arcs.members(ids)
        sizes = self.vertices.sizes[ids]
        offset = (np.cumsum(sizes) - sizes)[arc_batch]
        src, dst = (self.place[end[arcs]] + offset for end in (self.data.src, self.data.dst))
        graphs = Graphs(src, dst, len(vertices), GraphIndex.square, self.dtype, graph_of, len(ids), self.device)
        rows, edge_x = torch.from_numpy(vertices), self.features.edge_x
        x = self.features.x.rows(rows) if isinstance(self.features.x, SparseFeatures) else self.features.x[rows]
        return GraphBatch(x, None if edge_x is None else edge_x[torch.from_numpy(arcs)], graphs)


@dataclass(frozen=True)
class _Groups:
    """Numbers sorted by the group they belong to: those of group g are order[start[g]:start[g + 1]]."""

    order: Ids
    start: Ids

    @classmethod
    def of(cls, group: Ids, count: int) -> _Groups:
        sizes = np.bincount(group, minlength=count)
        return cls(np.argsort(group, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))

    @property
    def sizes(self) -> Ids:
        return np.diff(self.start)

    def members(self, ids: Ids) -> tuple[Ids, Ids]:
        """Members of the groups `ids`, one group after the other, and the place in `ids` each belongs to."""
        sizes = self.sizes[ids]
        owner = np.repeat(np.arange(len(ids)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return self.order[self.start[ids][owner] + within], owner


def _places(vertices: _Groups) -> Ids:
    """int64[N]: the place of each vertex within its graph."""
    place = np.empty_like(vertices.order)
    place[vertices.order] = np.arange(len(place)) - np.repeat(vertices.start[:-1], vertices.sizes)
    return place

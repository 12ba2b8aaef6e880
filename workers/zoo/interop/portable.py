"""A trained model as one file that runs wherever torch runs: no compiler, no kernels, nothing of this project.

1. The model is built again on the reference interpreter, which is plain torch, with the trained weights.
2. What layers ask of the graph (loops, degrees, memberships) is computed by torch operations from the edges.
3. `torch.export` writes down the operations with the numbers of vertices, arcs and graphs left open.

    model = torch.export.load("model.pt2").module()
    scores = model(x, edge_index)                      # float[N, F], int64[2, E] -> [N, C]
    scores = model(x, edge_index, edge_x=edge_x)       # where the dataset has edge features [E, K]
    scores = model(x, edge_index, graph_of=graph_of)   # where whole graphs are told: int64[N] -> [G, C]

Shape letters: N vertices, F features, E arcs, K edge features, G graphs, C classes.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim, export, save

from workers.compiler.codegen.reference import Bipartite
from workers.core.dataset import DatasetInfo
from workers.zoo.graphs import Features, Ground, Prepared
from workers.zoo.module import ModelModule
from workers.zoo.signature import PortKind, Preparation

FILE_NAME = "model.pt2"
MEDIA_TYPE = "application/zip"


@dataclass(frozen=True)
class TracedGraphs:
    """The variants of one graph as torch operations on its edges; the graphs that vertices belong to, if many."""

    src: Tensor
    dst: Tensor
    n: int
    dtype: torch.dtype
    graph_of: Tensor
    graphs: int

    def at(self, level: int, walks: bool) -> Ground:
        del level, walks  # every step runs on all vertices
        return self

    def taken(self, value: Features, kind: PortKind) -> Features:
        del kind
        return value

    def prepared(self, wanted: Preparation) -> Prepared:
        if wanted.readout:
            return Prepared(Bipartite(torch.arange(self.n), self.graph_of, self.n, self.graphs), {}, two_sides=True)
        src, dst = self._with_loops() if wanted.self_loops else (self.src, self.dst)
        features = {"norm": self._norm(dst)} if wanted.norm else {}
        return Prepared(Bipartite(src, dst, self.n, self.n), features)

    def _with_loops(self) -> tuple[Tensor, Tensor]:
        kept, loops = self.src != self.dst, torch.arange(self.n)
        return torch.cat([self.src[kept], loops]), torch.cat([self.dst[kept], loops])

    def _norm(self, dst: Tensor) -> Tensor:
        """[N]: 1 / sqrt(in-degree), 0 for vertices without in-edges."""
        degree = torch.zeros(self.n, dtype=torch.float64).index_add(0, dst, torch.ones_like(dst, dtype=torch.float64))
        return torch.where(degree > 0, degree.clamp(min=1).rsqrt(), 0).to(self.dtype)


class Portable(nn.Module):
    """A model as a function of plain tensors."""

    def __init__(self, model: ModelModule) -> None:
        super().__init__()
        self.model = model
        self.tells_graphs = any(s.preparation.readout for s in model.steps)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_x: Tensor | None = None, graph_of: Tensor | None = None
    ) -> Tensor:
        n = x.shape[0]
        if graph_of is None:
            graph_of = torch.zeros(n, dtype=torch.int64)
        graphs: Any = graph_of.max().item() + 1 if self.tells_graphs else 1
        ground = TracedGraphs(edge_index[0], edge_index[1], n, self.model.dtype, graph_of, graphs)
        scores: Tensor = self.model(x, ground, edge_x)
        return scores


def portable(model: ModelModule, info: DatasetInfo) -> bytes:
    """The file's bytes for a trained `model` of a dataset like `info`."""
    plain = ModelModule(model.doc, info, kernels="reference", dtype=model.dtype)
    plain.load_state_dict(model.state_dict())
    wrapped = Portable(plain.eval())
    return _exported(wrapped, *_example(wrapped, info))


def _example(model: Portable, info: DatasetInfo) -> tuple[dict[str, Tensor], dict[str, dict[int, Any]]]:
    """Tensors to trace with, by argument, and which of their sizes stay open; the numbers in them do not matter."""
    vertices, arcs = Dim("vertices", min=2), Dim("arcs", min=2)
    edge_index = torch.tensor([[0, 1, 2, 3, 4, 4, 0], [1, 2, 3, 4, 0, 4, 1]])
    given = {"x": torch.zeros(5, info.features, dtype=model.model.dtype), "edge_index": edge_index}
    open_sizes: dict[str, dict[int, Any]] = {"x": {0: vertices}, "edge_index": {1: arcs}}
    if info.edge_features:
        given["edge_x"] = torch.zeros(edge_index.shape[1], info.edge_features, dtype=model.model.dtype)
        open_sizes["edge_x"] = {0: arcs}
    if model.tells_graphs:
        given["graph_of"] = torch.tensor([0, 0, 1, 1, 2])
        open_sizes["graph_of"] = {0: vertices}
    return given, open_sizes


def _exported(model: Portable, given: dict[str, Tensor], open_sizes: dict[str, dict[int, Any]]) -> bytes:
    written = io.BytesIO()
    x, edge_index, named = given.pop("x"), given.pop("edge_index"), given
    with torch.no_grad():
        program = export(model, (x, edge_index), named, dynamic_shapes=open_sizes)
    save(program, written)
    return written.getvalue()

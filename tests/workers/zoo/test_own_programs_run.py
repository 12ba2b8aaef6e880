"""Models that bring their own vertex programs, or aggregate edge features, run as their formulas say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.workers.zoo.documents import dataset, doc, node
from workers.compiler.runtime.graph import GraphIndex
from workers.core.model import ModelDoc
from workers.zoo.graphs import Graphs
from workers.zoo.layer_modules import Kernels
from workers.zoo.module import ModelModule

SRC, DST, N = np.array([0, 1, 2, 2, 0, 3]), np.array([1, 1, 1, 0, 1, 3]), 5
SOURCE = """
def own(v: Vertex(h="in", norm="", edges=Edge(w="k")), project: Param("k, 1"), *, power=1.0):
    return sum((e.w @ project) * e.src.norm * e.src.h for e in v.inedges) * power
"""


WIRES = (
    "input.h > p.x", "input.e > p.e", "input.e > a.e", "p.y > c.x", "a.y > c.x", "c.y > last.x", "last.y > output.x",
)  # fmt: skip


def model(reduce: str) -> ModelDoc:
    own = node("p:program", program="own", power=2.0, self_loops=False)
    both = [own, node("a:aggregate", reduce=reduce), node("c:concat")]
    nodes = [node("input"), *both, node("last:linear", out_features=0), node("output")]
    return doc(nodes, list(WIRES), {"own": SOURCE})


@pytest.mark.parametrize("kernels", ["generated", "reference"])
@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min"])
def test_edge_features_reach_vertices_by_aggregation_and_by_a_program(reduce: str, kernels: Kernels) -> None:
    info = dataset(vertices=N, arcs=len(SRC), features=3, edge_features=2, classes=("a", "b"))
    module = ModelModule(model(reduce), info, kernels=kernels, dtype=torch.float64)
    graphs = Graphs(SRC, DST, N, GraphIndex.square, torch.float64)
    random = torch.Generator().manual_seed(1)
    x = torch.randn(N, 3, dtype=torch.float64, generator=random)
    edge_x = torch.randn(len(SRC), 2, dtype=torch.float64, generator=random)
    weights = {f"{name}.{k}": v for name, layer in module.layers.items() for k, v in layer.named().items()}
    degree = torch.bincount(torch.tensor(DST), minlength=N).double()
    norm = torch.where(degree > 0, degree.clamp(min=1) ** -0.5, 0.0)
    messages = (edge_x @ weights["p.project"]) * (norm[:, None] * x)[SRC]
    program = 2 * torch.zeros(N, 3, dtype=torch.float64).index_add(0, torch.tensor(DST), messages)
    both = torch.cat([program, _reduced(edge_x, reduce)], 1)
    expected = both @ weights["last.weight"] + weights["last.bias"]
    torch.testing.assert_close(module(x, graphs, edge_x), expected)


def _reduced(edge_x: torch.Tensor, reduce: str) -> torch.Tensor:
    groups = [edge_x[np.flatnonzero(v == DST)] for v in range(N)]
    return torch.stack([REDUCE[reduce](g) if len(g) else torch.zeros(2, dtype=torch.float64) for g in groups])


REDUCE: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "sum": lambda t: t.sum(0),
    "mean": lambda t: t.mean(0),
    "max": lambda t: t.amax(0),
    "min": lambda t: t.amin(0),
}

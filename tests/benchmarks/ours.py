"""Asterism's side of a measurement: the network of `peers.py` as a model document on generated kernels."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.benchmarks.peers import HEADS, HIDDEN, HOPS, TELEPORT
from tests.benchmarks.workloads import Workload
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.templates import Block, chain

MODELS: dict[str, tuple[Block, ...]] = {
    "gcn": (
        ("gcn1", "gcn", {"out_features": HIDDEN}),
        ("relu", "activation", {"function": "relu"}),
        ("gcn2", "gcn", {"out_features": 0}),
    ),
    "gat": (
        ("gat1", "gat", {"out_features": HIDDEN, "heads": HEADS, "attention_dropout": 0.0}),
        ("elu", "activation", {"function": "elu"}),
        ("gat2", "gat", {"out_features": 0, "heads": 1, "join": "mean", "attention_dropout": 0.0}),
    ),
    "appnp": (
        ("linear1", "linear", {"out_features": HIDDEN}),
        ("relu", "activation", {"function": "relu"}),
        ("linear2", "linear", {"out_features": 0}),
        ("appnp", "appnp", {"hops": HOPS, "alpha": TELEPORT, "edge_dropout": 0.0}),
    ),
}


class OnGraph(nn.Module):
    """A module bound to its graph, so that it is a function of features alone, like the peers'."""

    def __init__(self, module: ModelModule, graphs: Graphs) -> None:
        super().__init__()
        self.module, self.graphs = module, graphs

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.module(x, self.graphs)
        return result


def document(model: str) -> ModelDoc:
    return chain((("input", "input", {}), *MODELS[model], ("output", "output", {})))


def network(model: str, w: Workload) -> OnGraph:
    """Graph formats are built here, before the timed loop, as for the peers; the first epoch compiles the kernels."""
    module = ModelModule(document(model), _info(w))
    graphs = _graphs(w, torch.float32)
    for layer in module.program_layers.values():
        graph = graphs.prepared(layer.step.preparation).graph
        assert graph.by_dst.rows == graph.by_src.rows == w.n
    return OnGraph(module, graphs)


def difference_from_reference(net: OnGraph, w: Workload) -> float:
    """Largest difference of logits from the reference interpreter in float64 on the same weights."""
    exact = ModelModule(net.module.doc, _info(w), kernels="reference", dtype=torch.float64)
    exact.load_state_dict({name: x.double() for name, x in net.module.state_dict().items()})
    x = torch.from_numpy(w.x)
    with torch.no_grad():
        got, want = net.eval()(x), exact.eval()(x.double(), _graphs(w, torch.float64))
    return float((got.double() - want).abs().max())


def _graphs(w: Workload, dtype: torch.dtype) -> Graphs:
    return Graphs(w.src, w.dst, w.n, _index, dtype)


def _index(src: object, dst: object, n: int) -> GraphIndex:
    return GraphIndex(src, dst, n, n)


def _info(w: Workload) -> DatasetInfo:
    return DatasetInfo(
        id="ds_benchmark",
        name=w.name,
        task="node_classification",
        vertices=w.n,
        arcs=len(w.src),
        features=w.x.shape[1],
        feature_nonzero_ratio=1.0,
        edge_features=0,
        classes=tuple(str(c) for c in range(w.classes)),
        graphs=1,
        train=w.n,
        val=0,
        test=0,
        directed=True,
        source="benchmark",
        bytes=0,
    )

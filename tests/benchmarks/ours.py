"""Asterism's side of a measurement: the network of `peers.py` as a model document on generated kernels."""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor, nn

from tests.benchmarks.peers import HEADS, HIDDEN, HOPS, TELEPORT
from tests.benchmarks.workloads import Workload
from workers.compiler.choices import Memory
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc, Scalar
from workers.datasets.sparse import SPARSE_BELOW, from_dense
from workers.zoo import feature_form
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures
from workers.zoo.templates import Block, chain

CLASSES = 0  # as many columns as there are classes


def _two(layer: str, bend: str, first: dict[str, Scalar], second: dict[str, Scalar]) -> tuple[Block, ...]:
    return ("layer1", layer, first), ("bend", "activation", {"function": bend}), ("layer2", layer, second)


WIDE: dict[str, Scalar] = {"out_features": HIDDEN}
NARROW: dict[str, Scalar] = {"out_features": CLASSES}
HEADED: dict[str, Scalar] = WIDE | {"heads": HEADS, "attention_dropout": 0.0}
ONE_HEAD: dict[str, Scalar] = NARROW | {"heads": 1, "join": "mean", "attention_dropout": 0.0}
INSIDE: dict[str, Scalar] = {"hidden_features": HIDDEN}
LARGEST: dict[str, Scalar] = {"reduce": "max"}

# The layers of each model between its input and its output.
BLOCKS: dict[str, tuple[Block, ...]] = {
    "gcn": _two("gcn", "relu", WIDE, NARROW),
    "gat": _two("gat", "elu", HEADED, ONE_HEAD),
    "gatv2": _two("gatv2", "elu", HEADED, ONE_HEAD),
    "sage": _two("sage", "relu", WIDE, NARROW),
    "gin": _two("gin", "relu", WIDE | INSIDE, NARROW | INSIDE),
    "appnp": (
        ("linear1", "linear", WIDE),
        ("relu", "activation", {"function": "relu"}),
        ("linear2", "linear", NARROW),
        ("appnp", "appnp", {"hops": HOPS, "alpha": TELEPORT, "edge_dropout": 0.0}),
    ),
    "edgegate": _two("edgegate", "relu", WIDE | LARGEST, NARROW | LARGEST),
}


class OnGraph(nn.Module):
    """A module bound to its graph, so that it is a function of features alone, like the peers'."""

    def __init__(self, module: ModelModule, graphs: Graphs) -> None:
        super().__init__()
        self.module, self.graphs = module, graphs

    def forward(self, x: Tensor | SparseFeatures) -> Tensor:
        result: Tensor = self.module(x, self.graphs)
        return result


def features(w: Workload) -> Tensor | SparseFeatures:
    """The features as an import keeps them and a job reads them: as entries where that is quicker."""
    if w.nonzero_ratio >= SPARSE_BELOW:
        return torch.from_numpy(w.x)
    return feature_form.features(from_dense(w.x), torch.float32)[0]


def document(model: str) -> ModelDoc:
    return chain((("input", "input", {}), *BLOCKS[model], ("output", "output", {})))


def network(
    model: str,
    w: Workload,
    x: Tensor | SparseFeatures,
    *,
    passes_off: Collection[str] = (),
    memory: Memory = "balanced",
) -> OnGraph:
    """Graph formats are built here, before the timed loop, as for the peers; the first epoch compiles the kernels."""
    module = ModelModule(
        document(model),
        _info(w),
        sparse=isinstance(x, SparseFeatures),
        passes_off=passes_off,
        memory=memory,
    )
    device = x.device if isinstance(x, Tensor) else torch.device("cpu")
    module, graphs = module.to(device), _graphs(w, torch.float32, device)
    for layer in module.program_layers.values():
        graph = graphs.prepared(layer.step.preparation).graph
        assert graph.by_dst.rows == graph.by_src.rows == w.n
    return OnGraph(module, graphs)


def difference_from_reference(net: OnGraph, w: Workload, x: Tensor | SparseFeatures) -> float:
    """Largest difference of logits from the reference interpreter in float64 on the same weights, as a share of the
    largest logit."""
    with torch.no_grad():
        got = net.eval()(x)
        want = reference(net, w).eval()(torch.from_numpy(w.x).double())
    return float((got.double() - want).abs().max() / want.abs().max())


def reference(net: OnGraph, w: Workload) -> OnGraph:
    """The same weights in float64 in memory, run by the reference interpreter."""
    exact = ModelModule(net.module.doc, _info(w), kernels="reference", dtype=torch.float64)
    exact.load_state_dict({name: x.double() for name, x in net.module.state_dict().items()})
    return OnGraph(exact, _graphs(w, torch.float64))


def _graphs(w: Workload, dtype: torch.dtype, device: torch.device | None = None) -> Graphs:
    return Graphs(w.src, w.dst, w.n, GraphIndex.square, dtype, device=device)


def _info(w: Workload) -> DatasetInfo:
    return DatasetInfo(
        id="ds_benchmark",
        name=w.name,
        task="node_classification",
        vertices=w.n,
        arcs=len(w.src),
        features=w.x.shape[1],
        feature_nonzero_ratio=w.nonzero_ratio,
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

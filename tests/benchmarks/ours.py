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
from workers.core.model import ModelDoc, Scalar, VertexProgram
from workers.datasets.sparse import SPARSE_BELOW, from_dense
from workers.zoo import feature_form
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures
from workers.zoo.templates import Block, chain

# Layers of two models are not in the zoo: they are written as a user would, in the model's document.
GATV2 = """\
def gatv2(
    v: Vertex(h="in"),
    source: Param("in, heads * out"),
    source_bias: Param("heads * out", init="zeros"),
    destination: Param("in, heads * out"),
    destination_bias: Param("heads * out", init="zeros"),
    attend: Param("heads, out"),
    bias: Param("heads * out", init="zeros"),
    *,
    out=8,
    heads=8,
    slope=0.2,
):
    v.left = reshape(linear(v.h, source, source_bias), heads, out)
    v.right = reshape(linear(v.h, destination, destination_bias), heads, out)
    scores = [dot(leaky_relu(nb.left + v.right, slope), attend) for nb in v.innbs]
    joined = sum(a * nb.left for a, nb in zip(softmax(scores), v.innbs))
    return reshape(joined, heads * out) + bias
"""
EDGEGATE = """\
def edgegate(
    v: Vertex(h="in"),
    key: Param("in, out"),
    key_bias: Param("out"),
    query: Param("in, out"),
    query_bias: Param("out"),
    value: Param("in, out"),
    value_bias: Param("out"),
    rest: Param("in, out"),
    rest_bias: Param("out"),
    *,
    out=32,
):
    v.k = linear(v.h, key, key_bias)
    v.q = linear(v.h, query, query_bias)
    v.x = linear(v.h, value, value_bias)
    return linear(v.h, rest, rest_bias) + max(sigmoid(nb.k + v.q) * nb.x for nb in v.innbs)
"""
PROGRAMS = {"gatv2": GATV2, "edgegate": EDGEGATE}
CLASSES = 0  # as many columns as there are classes, to every layer but a program


def _two(layer: str, bend: str, first: dict[str, Scalar], second: dict[str, Scalar]) -> tuple[Block, ...]:
    return ("layer1", layer, first), ("bend", "activation", {"function": bend}), ("layer2", layer, second)


def blocks(model: str, classes: int) -> tuple[Block, ...]:
    """The layers of `model` between its input and its output."""
    heads: dict[str, Scalar] = {"out_features": HIDDEN, "heads": HEADS, "attention_dropout": 0.0}
    one: dict[str, Scalar] = {"out_features": CLASSES, "heads": 1, "join": "mean", "attention_dropout": 0.0}
    wide: dict[str, Scalar] = {"out_features": HIDDEN}
    narrow: dict[str, Scalar] = {"out_features": CLASSES}
    table: dict[str, tuple[Block, ...]] = {
        "gcn": _two("gcn", "relu", wide, narrow),
        "gat": _two("gat", "elu", heads, one),
        "gatv2": _two(
            "program",
            "elu",
            {"program": "gatv2", "out": HIDDEN, "heads": HEADS},
            {"program": "gatv2", "out": classes, "heads": 1},
        ),
        "sage": _two("sage", "relu", wide, narrow),
        "gin": _two("gin", "relu", wide | {"hidden_features": HIDDEN}, narrow | {"hidden_features": HIDDEN}),
        "appnp": (
            ("linear1", "linear", wide),
            ("relu", "activation", {"function": "relu"}),
            ("linear2", "linear", narrow),
            ("appnp", "appnp", {"hops": HOPS, "alpha": TELEPORT, "edge_dropout": 0.0}),
        ),
        "edgegate": _two(
            "program", "relu", {"program": "edgegate", "out": HIDDEN}, {"program": "edgegate", "out": classes}
        ),
    }
    return table[model]


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


def document(model: str, classes: int) -> ModelDoc:
    doc = chain((("input", "input", {}), *blocks(model, classes), ("output", "output", {})))
    used = tuple(VertexProgram(name=name, source=text) for name, text in PROGRAMS.items() if name == model)
    return doc.model_copy(update={"programs": used})


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
        document(model, w.classes),
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
    return Graphs(w.src, w.dst, w.n, _index, dtype, device=device)


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

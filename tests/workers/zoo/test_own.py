"""Every layer that runs a program becomes a program of the model's own, and the model stays the same model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tests.workers.zoo.documents import dataset, doc, node
from workers.compiler.runtime.graph import GraphIndex
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.zoo.graphs import Graphs
from workers.zoo.layers import LAYERS
from workers.zoo.module import ModelModule
from workers.zoo.own import own_program
from workers.zoo.validate import validate

SRC, DST, N = np.array([0, 1, 2, 2, 0, 3, 4, 1]), np.array([1, 1, 1, 0, 1, 3, 0, 4]), 5
INFO = dataset(vertices=N, arcs=len(SRC), features=6, edge_features=2, classes=("a", "b", "c"))
ON_GRAPHS = {"readout"}
OWNED = [
    name
    for name, layer in LAYERS.items()
    if layer.program and layer.program.name and name not in ON_GRAPHS and layer.group != "over relations"
]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in OWNED),
    *((name, {"out_features": 0}) for name in OWNED if any(p.name == "out_features" for p in LAYERS[name].params)),
    *((name, {"join": "mean", "heads": 2, "out_features": 3}) for name in ("gat", "gatv2", "transformer")),
    *((name, {"reduce": "max"}) for name in ("sage", "edgegate", "aggregate")),
    ("monet", {"reduce": "sum", "root": False, "bias": False}), ("tgcn", {"frames": 2}), ("edgeconv", {"depth": 1}),
    ("transformer", {"gate": True}), ("gatv2", {"share": True}), ("agnn", {"train_beta": False}),
    ("activation", {"function": "leaky_relu", "slope": 0.3}),
]  # fmt: skip


def model(kind: str, **params: Any) -> ModelDoc:
    wires = [f"input.{'h' if p.kind != 'edge' else 'e'} > it.{p.name}" for p in LAYERS[kind].inputs]
    nodes = [node("input"), node(f"it:{kind}", **params), node("last:linear", out_features=0), node("output")]
    return doc(nodes, [*wires, "it.y > last.x", "last.y > output.x"])


def owned(document: ModelDoc, known: bool) -> ModelDoc:
    step = next(s for s in validate(document, INFO if known else None).steps if s.node.id == "it")
    return own_program(document, step)[0]


def losses(document: ModelDoc, epochs: int = 3) -> list[float]:
    """Of a few epochs on a small graph, in float64 from one seed."""
    module = ModelModule(document, INFO, kernels="reference", dtype=torch.float64, seed=3)
    random = torch.Generator().manual_seed(1)
    x = torch.randn(N, 6, dtype=torch.float64, generator=random)
    edge_x = torch.randn(len(SRC), 2, dtype=torch.float64, generator=random)
    graphs, target = Graphs(SRC, DST, N, GraphIndex.square, torch.float64), torch.tensor([0, 1, 2, 0, 1])
    optimiser, found = torch.optim.SGD(module.parameters(), 0.05), []
    for epoch in range(epochs):
        loss = torch.nn.functional.cross_entropy(module(x, graphs, edge_x, seed=epoch), target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize(("kind", "params"), VARIANTS, ids=lambda v: v if isinstance(v, str) else "-".join(v))
def test_a_layer_made_ones_own_trains_to_the_same_loss(kind: str, params: dict[str, Any]) -> None:
    document = model(kind, **params)
    mine = owned(document, known=True)
    assert [n.type for n in mine.nodes] == ["input", "program", "linear", "output"]
    assert mine.wires == document.wires
    assert validate(mine, INFO).problems == ()
    assert losses(mine) == losses(document)


@pytest.mark.parametrize("kind", OWNED)
def test_before_a_dataset_is_chosen_it_is_the_same_text(kind: str) -> None:
    settings = [{"out_features": 0}] if any(p.name == "out_features" for p in LAYERS[kind].params) else []
    for params in ({}, *settings):
        document = model(kind, **params)
        mine = owned(document, known=False)
        assert mine == owned(document, known=True)
        assert validate(mine).ok


def test_a_second_one_gets_a_name_of_its_own() -> None:
    document = model("gcn")
    once = owned(document, known=True)
    again = once.model_copy(update={"nodes": document.nodes})
    step = next(s for s in validate(again, INFO).steps if s.node.id == "it")
    assert own_program(again, step)[1] == "my_gcn_2"


@pytest.mark.parametrize("kind", ["linear", "readout"])
def test_a_layer_without_a_program_on_vertices_says_why(kind: str) -> None:
    info = dataset(task="graph_classification", features=6, classes=("a", "b", "c"))
    step = next(s for s in validate(model(kind), info).steps if s.node.id == "it")
    with pytest.raises(DocumentError) as refused:
        own_program(model(kind), step)
    assert refused.value.problems[0].hint

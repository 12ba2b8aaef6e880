"""Models to start from, with the hyper-parameters their papers report for citation graphs and how to train them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from workers.core.model import Endpoint, ModelDoc, Node, Scalar, Wire
from workers.zoo.layers import LAYERS

Block = tuple[str, str, dict[str, Scalar]]
"""Node id, layer type, parameters."""


@dataclass(frozen=True)
class Template:
    """A document, the settings of a training job that suit it, and the bundled dataset to try it on."""

    name: str
    title: str
    description: str
    paper: str
    doc: ModelDoc
    training: dict[str, Any]
    dataset: str


def chain(blocks: Iterable[Block]) -> ModelDoc:
    """Blocks one after another, each one's first output wired to the next one's first input. The canvas places them."""
    nodes = tuple(Node(id=i, type=t, params=p) for i, t, p in blocks)
    wires = tuple(
        Wire(
            source=Endpoint(node=a.id, port=LAYERS[a.type].outputs[0].name),
            target=Endpoint(node=b.id, port=LAYERS[b.type].inputs[0].name),
        )
        for a, b in pairwise(nodes)
    )
    return ModelDoc(nodes=nodes, wires=wires)


_GCN = chain((
    ("input", "input", {}),
    ("dropout1", "dropout", {"p": 0.5}),
    ("gcn1", "gcn", {"out_features": 16}),
    ("relu", "activation", {"function": "relu"}),
    ("dropout2", "dropout", {"p": 0.5}),
    ("gcn2", "gcn", {"out_features": 0}),
    ("output", "output", {}),
))  # fmt: skip

_GAT = chain((
    ("input", "input", {}),
    ("dropout1", "dropout", {"p": 0.6}),
    ("gat1", "gat", {"out_features": 8, "heads": 8, "attention_dropout": 0.6}),
    ("elu", "activation", {"function": "elu"}),
    ("dropout2", "dropout", {"p": 0.6}),
    ("gat2", "gat", {"out_features": 0, "heads": 1, "join": "mean", "attention_dropout": 0.6}),
    ("output", "output", {}),
))  # fmt: skip

_SAGE = chain((
    ("input", "input", {}),
    ("dropout1", "dropout", {"p": 0.5}),
    ("sage1", "sage", {"out_features": 64}),
    ("relu", "activation", {"function": "relu"}),
    ("dropout2", "dropout", {"p": 0.5}),
    ("sage2", "sage", {"out_features": 0}),
    ("output", "output", {}),
))  # fmt: skip

_GIN = chain((
    ("input", "input", {}),
    ("dropout1", "dropout", {"p": 0.5}),
    ("gin1", "gin", {"hidden_features": 64, "out_features": 64}),
    ("norm", "batch_norm", {}),
    ("relu", "activation", {"function": "relu"}),
    ("dropout2", "dropout", {"p": 0.5}),
    ("gin2", "gin", {"hidden_features": 64, "out_features": 0}),
    ("output", "output", {}),
))  # fmt: skip

_APPNP = chain((
    ("input", "input", {}),
    ("dropout1", "dropout", {"p": 0.5}),
    ("linear1", "linear", {"out_features": 64}),
    ("relu", "activation", {"function": "relu"}),
    ("dropout2", "dropout", {"p": 0.5}),
    ("linear2", "linear", {"out_features": 0}),
    ("appnp", "appnp", {"hops": 10, "alpha": 0.1, "edge_dropout": 0.5}),
    ("output", "output", {}),
))  # fmt: skip


def _training(epochs: int, learning_rate: float, weight_decay: float) -> dict[str, Any]:
    """Adam, stopped after 100 epochs without a better validation loss or accuracy."""
    rates = {"learning_rate": learning_rate, "weight_decay": weight_decay}
    return {"epochs": epochs, "optimizer": "adam", **rates, "patience": 100}


_ROWS = (
    Template(
        "gat", "GAT", "Weighs each neighbour by attention.",
        "Veličković et al., Graph Attention Networks, ICLR 2018", _GAT, _training(300, 0.005, 5e-4), "cora-like",
    ),
    Template(
        "gcn", "GCN", "Averages neighbours, scaled by both degrees.",
        "Kipf and Welling, Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017",
        _GCN, _training(200, 0.01, 5e-4), "cora-like",
    ),
    Template(
        "graphsage", "GraphSAGE", "Joins a vertex with the mean of its neighbours.",
        "Hamilton, Ying and Leskovec, Inductive Representation Learning on Large Graphs, NeurIPS 2017",
        _SAGE, _training(200, 0.01, 5e-4), "cora-like",
    ),
    Template(
        "gin", "GIN", "Sums neighbours through a perceptron.",
        "Xu et al., How Powerful are Graph Neural Networks?, ICLR 2019", _GIN, _training(200, 0.01, 5e-4), "digits",
    ),
    Template(
        "appnp", "APPNP", "Predicts first, then spreads by personalised PageRank.",
        "Gasteiger, Bojchevski and Günnemann, Predict then Propagate, ICLR 2019",
        _APPNP, _training(300, 0.01, 5e-4), "cora-like",
    ),
)  # fmt: skip
TEMPLATES: dict[str, Template] = {t.name: t for t in _ROWS}
"""By name, in the order pages list them."""

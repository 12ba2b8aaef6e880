"""Models to start from, with the hyper-parameters their papers report for citation graphs and how to train them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from workers.core.model import Endpoint, ModelDoc, Node, Scalar, Wire
from workers.zoo.layers import LAYERS

Block = tuple[str, str, dict[str, Scalar]]
"""Node id, layer type, parameters."""


@dataclass(frozen=True)
class Template:
    """A document, the kind, task and settings of a job that trains it, and the bundled dataset to try it on."""

    name: str
    title: str
    description: str
    paper: str
    doc: ModelDoc
    training: dict[str, Any]
    dataset: str
    task: dict[str, Any] = field(default_factory=lambda: {"type": "node_classification"})
    kind: str = "seastar"


def chain(blocks: Iterable[Block]) -> ModelDoc:
    """Blocks one after another, each one's first output wired to the next one's first input. The canvas places them."""
    nodes = tuple(Node(id=i, type=t, params=p) for i, t, p in blocks)
    return ModelDoc(nodes=nodes, wires=tuple(_wire(a, b) for a, b in pairwise(nodes)))


def _wire(a: Node, b: Node) -> Wire:
    """From the one's first output to the other's first input."""
    return Wire(
        source=Endpoint(node=a.id, port=LAYERS[a.type].outputs[0].name),
        target=Endpoint(node=b.id, port=LAYERS[b.type].inputs[0].name),
    )


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

_LINKS = chain((
    ("input", "input", {}),
    ("gcn1", "gcn", {"out_features": 128}),
    ("relu", "activation", {"function": "relu"}),
    ("dropout", "dropout", {"p": 0.3}),
    ("gcn2", "gcn", {"out_features": 64}),
    ("output", "output", {"predicts": "links"}),
))  # fmt: skip


def _with_readouts(layers: int, width: int) -> ModelDoc:
    """GIN layers one after another; the values after each are summed over every graph and laid side by side."""
    blocks: list[Block] = [("input", "input", {})]
    for k in range(1, layers + 1):
        blocks += [
            (f"gin{k}", "gin", {"hidden_features": width, "out_features": width}),
            (f"norm{k}", "batch_norm", {}),
            (f"relu{k}", "activation", {"function": "relu"}),
        ]
    spine = chain(blocks)
    reads = tuple(Node(id=f"readout{k}", type="readout", params={"reduce": "sum"}) for k in range(1, layers + 1))
    head = chain((
        ("joined", "concat", {}),
        ("norm", "batch_norm", {}),
        ("dropout", "dropout", {"p": 0.5}),
        ("linear", "linear", {"out_features": 0}),
        ("output", "output", {}),
    ))  # fmt: skip
    bends = [n for n in spine.nodes if n.type == "activation"]
    ends = zip(bends, reads, strict=True)
    wires = [wire for bend, read in ends for wire in (_wire(bend, read), _wire(read, head.nodes[0]))]
    return ModelDoc(nodes=(*spine.nodes, *reads, *head.nodes), wires=(*spine.wires, *wires, *head.wires))


_GRAPHS = _with_readouts(layers=4, width=32)


def _over_relations(width: int, *layers: Block, head: bool = False) -> ModelDoc:
    """A type encoder, layers over relations with a bend and dropout after each but the last; `head` adds a Linear."""
    blocks: list[Block] = [("input", "input", {}), ("types", "encode_types", {"out_features": width})]
    last = len(layers) if head else len(layers) - 1
    for k, layer in enumerate(layers, 1):
        blocks.append(layer)
        if k <= last:
            blocks += [(f"bend{k}", "activation", {"function": "elu"}), (f"dropout{k}", "dropout", {"p": 0.3})]
    tail: list[Block] = [("linear", "linear", {"out_features": 0})] if head else []
    return chain([*blocks, *tail, ("output", "output", {})])


_RGCN = chain((
    ("input", "input", {}),
    ("types", "encode_types", {"out_features": 16}),
    ("rgcn1", "rgcn", {"out_features": 16}),
    ("relu", "activation", {"function": "relu"}),
    ("rgcn2", "rgcn", {"out_features": 0}),
    ("output", "output", {}),
))  # fmt: skip
_RGAT = _over_relations(
    32,
    ("rgat1", "rgat", {"out_features": 8, "heads": 4}),
    ("rgat2", "rgat", {"out_features": 8, "heads": 4}),
    head=True,
)
_HAN = _over_relations(
    64, ("han1", "han", {"out_features": 8, "heads": 8}), ("han2", "han", {"out_features": 8, "heads": 8}), head=True
)
_HGT = _over_relations(
    64, ("hgt1", "hgt", {"out_features": 16, "heads": 4}), ("hgt2", "hgt", {"out_features": 16, "heads": 4}), head=True
)
_SIMPLE_HGN = _over_relations(
    64,
    ("hgn1", "simple_hgn", {"out_features": 16, "heads": 4}),
    ("hgn2", "simple_hgn", {"out_features": 0, "heads": 1}),
)


_ENTITIES = chain((
    ("input", "input", {}),
    ("types", "encode_types", {"out_features": 100}),
    ("output", "output", {"predicts": "links"}),
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
    Template(
        "gcn-links", "GCN for links", "Embeds vertices so that joined ones are alike.",
        "Kipf and Welling, Variational Graph Auto-Encoders, NeurIPS workshop 2016",
        _LINKS, _training(200, 0.01, 0.0), "digits", {"type": "link_prediction"},
    ),
    Template(
        "gin-graphs", "GIN for graphs", "Sums vertices over each graph, after every layer.",
        "Xu et al., How Powerful are Graph Neural Networks?, ICLR 2019",
        _GRAPHS, _training(100, 0.005, 1e-4), "motifs", {"type": "graph_classification"},
    ),
    Template(
        "rgcn", "R-GCN", "Averages the neighbours of every relation through a matrix of its own.",
        "Schlichtkrull et al., Modeling Relational Data with Graph Convolutional Networks, ESWC 2018",
        _RGCN, _training(50, 0.01, 5e-4), "library", kind="hgl",
    ),
    Template(
        "rgat", "R-GAT", "Attends within every relation and adds what relations give.",
        "Busbridge et al., Relational Graph Attention Networks, 2019",
        _RGAT, _training(100, 0.005, 5e-4), "library", kind="hgl",
    ),
    Template(
        "han", "HAN", "Attends within every relation, then weighs what relations give against one another.",
        "Wang et al., Heterogeneous Graph Attention Network, WWW 2019",
        _HAN, _training(100, 0.005, 5e-4), "library", kind="hgl",
    ),
    Template(
        "hgt", "HGT", "Attends across types with queries, keys and messages of each type.",
        "Hu et al., Heterogeneous Graph Transformer, WWW 2020",
        _HGT, _training(100, 0.005, 5e-4), "library", kind="hgl",
    ),
    Template(
        "simple-hgn", "SimpleHGN", "Graph attention whose scores know the relation, with residuals.",
        "Lv et al., Are we really making much progress? Heterogeneous graph neural networks, KDD 2021",
        _SIMPLE_HGN, _training(100, 0.005, 5e-4), "library", kind="hgl",
    ),
    Template(
        "complex", "ComplEx", "Learns a row of every entity; complex products with relations score triples.",
        "Trouillon et al., Complex Embeddings for Simple Link Prediction, ICML 2016",
        _ENTITIES, _training(15, 0.01, 0.0), "library", {"type": "kg_link_prediction"}, kind="hgl",
    ),
)  # fmt: skip
TEMPLATES: dict[str, Template] = {t.name: t for t in _ROWS}
"""By name, in the order pages list them."""

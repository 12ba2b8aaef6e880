"""Which layer of DGL or PyG stands for which layer of the zoo. Pure: jobs are checked with it before they start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from workers.core.model import Scalar
from workers.zoo.step import Step

Contender = Literal["passes_off", "dgl", "pyg"]
System = Literal["asterism", "passes_off", "dgl", "pyg"]

TITLES: dict[System, str] = {
    "asterism": "Asterism",
    "passes_off": "Asterism, passes off",
    "dgl": "DGL",
    "pyg": "PyG",
}
PACKAGES: dict[str, str] = {"dgl": "dgl", "pyg": "torch-geometric"}
"""What pip calls each peer."""
MODULES: dict[str, str] = {"dgl": "dgl", "pyg": "torch_geometric"}
"""What Python calls it."""


@dataclass(frozen=True)
class Counterpart:
    """A peer's layer; `only` are the settings it has a word for, where ours allows more.

    `undirected`: it normalises by out-degrees at the source, so it is ours only where every arc has its way back.
    """

    name: str
    undirected: bool = False
    only: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)

    def fits(self, params: Mapping[str, Scalar], directed: bool) -> bool:
        """Whether it is the same layer with these settings; a setting that ours has not is no obstacle."""
        known = (params.get(name, allowed[0]) in allowed for name, allowed in self.only.items())
        return not (self.undirected and directed) and all(known)


_TORCH = {
    name: Counterpart("torch")
    for name in ("input", "output", "linear", "activation", "dropout", "add", "concat", "layer_norm", "batch_norm")
}
COUNTERPARTS: dict[str, dict[str, Counterpart]] = {
    "dgl": _TORCH
    | {
        "gcn": Counterpart("GraphConv", undirected=True),
        "gat": Counterpart("GATConv"),
        "gatv2": Counterpart("GATv2Conv"),
        "sage": Counterpart("SAGEConv", only={"reduce": ("mean", "pool"), "unit_length": (False,)}),
        "gin": Counterpart("GINConv"),
        "appnp": Counterpart("APPNPConv", undirected=True),
        "sgc": Counterpart("SGConv", undirected=True),
        "tag": Counterpart("TAGConv", undirected=True, only={"bias": (True,)}),
        "agnn": Counterpart("AGNNConv"),
        "edgegate": Counterpart("built-in functions"),
        "aggregate": Counterpart("update_all"),
    },
    "pyg": _TORCH
    | {
        "gcn": Counterpart("GCNConv"),
        "gat": Counterpart("GATConv"),
        "gatv2": Counterpart("GATv2Conv"),
        "sage": Counterpart("SAGEConv"),
        "gin": Counterpart("GINConv"),
        "appnp": Counterpart("APPNP"),
        "sgc": Counterpart("SGConv"),
        "tag": Counterpart("TAGConv", only={"bias": (True,)}),
        "agnn": Counterpart("AGNNConv"),
        "transformer": Counterpart("TransformerConv", only={"root": (True,)}),
        "monet": Counterpart("GMMConv"),
        "edgeconv": Counterpart("EdgeConv"),
        "pna": Counterpart("PNAConv"),
        "edgegate": Counterpart("ResGatedGraphConv", only={"bias": (True,)}),
        "aggregate": Counterpart("Aggregation"),
    },
}
"""Layers with other parameters than ours, such as DGL's EdgeConv with two biases, train otherwise: none is here."""


def lacking(steps: Iterable[Step], peer: str, directed: bool) -> list[str]:
    """Layers of a checked model that the peer has no counterpart of, each with its node: `PNA (pna1)`."""
    found = COUNTERPARTS[peer]
    return [
        f"{step.layer.title} ({step.node.id})"
        for step in steps
        if step.layer.type not in found or not found[step.layer.type].fits(step.params, directed)
    ]


def as_json() -> dict[str, Any]:
    """The table as a form reads it: by peer and layer, the name there and the settings it knows."""
    return {peer: {layer: asdict(c) for layer, c in rows.items()} for peer, rows in COUNTERPARTS.items()}

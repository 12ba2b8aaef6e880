"""Which layer of DGL or PyG stands for which layer of the zoo. Pure: jobs are checked with it before they start."""

from __future__ import annotations

from workers.training.comparison.counterparts import TORCH, Counterpart, Counterparts

COUNTERPARTS: Counterparts = {
    "dgl": TORCH
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
    "pyg": TORCH
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

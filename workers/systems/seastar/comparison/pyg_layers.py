"""The zoo's layers in PyTorch Geometric, as its users call them: self-loops made up front, normalisation cached."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric import nn as pyg
from torch_geometric.nn.resolver import aggregation_resolver

from workers.systems.seastar.comparison.layer import IntArray, Library, PeerLayer, Place
from workers.systems.seastar.comparison.weights import heads, joined, linear, one, perceptron, plain


@dataclass(frozen=True)
class Graph:
    """edge_index: int64[2, E]."""

    edge_index: Tensor
    n: int


def graph(src: IntArray, dst: IntArray, n: int) -> Graph:
    return Graph(torch.stack([torch.from_numpy(src), torch.from_numpy(dst)]), n)


def _gcn(p: Place) -> nn.Module:
    layer: nn.Module = pyg.GCNConv(
        p.width, p.whole("out_features"), cached=True, add_self_loops=False, bias=p.flag("bias")
    )
    return layer


def _gat(p: Place) -> nn.Module:
    layer: nn.Module = pyg.GATConv(
        p.width,
        p.whole("out_features"),
        p.whole("heads"),
        concat=p.text("join") == "concat",
        negative_slope=p.number("negative_slope"),
        dropout=p.number("attention_dropout"),
        add_self_loops=False,
        bias=p.flag("bias"),
    )
    return layer


def _sage(p: Place) -> nn.Module:
    reduce = p.text("reduce", "mean")
    layer: nn.Module = pyg.SAGEConv(
        p.width,
        p.whole("out_features"),
        aggr="max" if reduce == "pool" else reduce,
        project=reduce == "pool",
        normalize=p.flag("unit"),
        bias=p.flag("bias"),
    )
    return layer


def _gin(p: Place) -> nn.Module:
    inner = perceptron(p.width, p.whole("hidden_features"), p.whole("out_features"))
    layer: nn.Module = pyg.GINConv(inner, train_eps=p.flag("train_eps"))
    return layer


def _appnp(p: Place) -> nn.Module:
    layer: nn.Module = pyg.APPNP(
        p.whole("hops"), p.number("alpha"), p.number("edge_dropout"), cached=True, add_self_loops=False
    )
    return layer


def _reduction(p: Place) -> nn.Module:
    layer: nn.Module = aggregation_resolver(p.text("reduce"))
    return layer


def _call(layer: nn.Module, where: Graph, x: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index)
    return found


def _aggregate(layer: nn.Module, where: Graph, x: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index[1], dim_size=where.n, dim=0)
    return found


def _no_weights(_: object) -> dict[str, Tensor]:
    return {}


LIBRARY = Library(
    graph=graph,
    layers={
        "gcn": PeerLayer(_gcn, joined(linear("lin", "weight"), plain(bias="b")), _call),
        "gat": PeerLayer(
            _gat,
            joined(
                linear("lin", "weight"), heads(att_src="attend_source", att_dst="attend_destination"), plain(bias="b")
            ),
            _call,
        ),
        "sage": PeerLayer(
            _sage,
            joined(linear("lin", "pool", "b_pool"), linear("lin_l", "others", "b"), linear("lin_r", "own")),
            _call,
        ),
        "gin": PeerLayer(_gin, joined(linear("nn.0", "w1", "b1"), linear("nn.2", "w2", "b2"), one(eps="eps")), _call),
        "appnp": PeerLayer(_appnp, _no_weights, _call),
        "aggregate": PeerLayer(
            lambda p: pyg.aggr.resolver.aggregation_resolver(p.text("reduce")), _no_weights, _aggregate
        ),
    },
)

"""The zoo's layers in DGL, as its users call them: a graph with its self-loops whose sparse formats are all made."""

from __future__ import annotations

from typing import Any

import dgl
import torch
from dgl import function as fn
from dgl.nn import pytorch as conv
from torch import Tensor, nn

from workers.systems.seastar.comparison.layer import IntArray, Library, PeerLayer, Place
from workers.systems.seastar.comparison.weights import heads, joined, linear, one, perceptron, plain

ISOLATED = {"allow_zero_in_degree": True}


def graph(src: IntArray, dst: IntArray, n: int) -> Any:
    found = dgl.graph((torch.from_numpy(src), torch.from_numpy(dst)), num_nodes=n)
    found.create_formats_()
    return found


class Attention(nn.Module):
    """GATConv with its heads side by side, or their mean and one bias for it."""

    def __init__(self, p: Place) -> None:
        super().__init__()
        self.concat = p.text("join") == "concat"
        self.layer = conv.GATConv(
            p.width,
            p.whole("out_features"),
            p.whole("heads"),
            attn_drop=p.number("attention_dropout"),
            negative_slope=p.number("negative_slope"),
            bias=self.concat and p.flag("bias"),
            **ISOLATED,
        )
        after = not self.concat and p.flag("bias")
        self.bias = nn.Parameter(torch.zeros(p.whole("out_features"))) if after else None

    def forward(self, where: Any, x: Tensor) -> Tensor:
        found: Tensor = self.layer(where, x)
        if self.concat:
            return found.flatten(1)
        found = found.mean(1)
        return found if self.bias is None else found + self.bias


class Aggregate(nn.Module):
    """Values of edges brought together at their destinations."""

    def __init__(self, reduce: str) -> None:
        super().__init__()
        self.reduce = getattr(fn, reduce)

    def forward(self, where: Any, x: Tensor) -> Tensor:
        with where.local_scope():
            where.edata["x"] = x
            where.update_all(fn.copy_e("x", "m"), self.reduce("m", "y"))
            found: Tensor = where.dstdata["y"]
            return found


def _gcn(p: Place) -> nn.Module:
    layer: nn.Module = conv.GraphConv(p.width, p.whole("out_features"), bias=p.flag("bias"), **ISOLATED)
    return layer


def _sage(p: Place) -> nn.Module:
    layer: nn.Module = conv.SAGEConv(p.width, p.whole("out_features"), p.text("reduce", "mean"), bias=p.flag("bias"))
    return layer


def _gin(p: Place) -> nn.Module:
    inner = perceptron(p.width, p.whole("hidden_features"), p.whole("out_features"))
    layer: nn.Module = conv.GINConv(inner, "sum", learn_eps=p.flag("train_eps"))
    return layer


def _appnp(p: Place) -> nn.Module:
    layer: nn.Module = conv.APPNPConv(p.whole("hops"), p.number("alpha"), p.number("edge_dropout"))
    return layer


def _call(layer: nn.Module, where: Any, x: Tensor) -> Tensor:
    found: Tensor = layer(where, x)
    return found


def _no_weights(_: object) -> dict[str, Tensor]:
    return {}


LIBRARY = Library(
    graph=graph,
    layers={
        "gcn": PeerLayer(_gcn, plain(weight="weight", bias="b"), _call),
        "gat": PeerLayer(
            Attention,
            joined(
                linear("layer.fc", "weight"),
                heads(**{"layer.attn_l": "attend_source", "layer.attn_r": "attend_destination"}),
                plain(**{"layer.bias": "b", "bias": "b"}),
            ),
            _call,
        ),
        "sage": PeerLayer(
            _sage,
            joined(linear("fc_pool", "pool", "b_pool"), linear("fc_neigh", "others"), linear("fc_self", "own", "b")),
            _call,
        ),
        "gin": PeerLayer(
            _gin, joined(linear("apply_func.0", "w1", "b1"), linear("apply_func.2", "w2", "b2"), one(eps="eps")), _call
        ),
        "appnp": PeerLayer(_appnp, _no_weights, _call),
        "aggregate": PeerLayer(lambda p: Aggregate(p.text("reduce")), _no_weights, _call),
    },
)

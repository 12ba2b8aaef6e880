"""The zoo's layers in DGL, as its users call them: a graph with its self-loops whose sparse formats are all made."""

from __future__ import annotations

from typing import Any

import dgl
import torch
from dgl import function as fn
from dgl.nn import pytorch as conv
from torch import Tensor, nn

from workers.training.comparison.layer import IntArray, Library, Place, peer_layer
from workers.training.comparison.weights import NOTHING, Weights, heads, joined, linear, one, perceptron, plain

ISOLATED = {"allow_zero_in_degree": True}


def graph(src: IntArray, dst: IntArray, n: int) -> Any:
    found = dgl.graph((torch.from_numpy(src), torch.from_numpy(dst)), num_nodes=n)
    found.create_formats_()
    return found


class Attention(nn.Module):
    """An attention of DGL's with its heads side by side or their mean, and one bias for the result."""

    def __init__(self, layer: nn.Module, p: Place) -> None:
        super().__init__()
        self.layer, self.concat = layer, p.text("join") == "concat"
        width = p.whole("out_features") * (p.whole("heads") if self.concat else 1)
        self.bias = nn.Parameter(torch.zeros(width)) if p.flag("bias") else None

    def forward(self, where: Any, x: Tensor) -> Tensor:
        found: Tensor = self.layer(where, x)
        found = found.flatten(1) if self.concat else found.mean(1)
        return found if self.bias is None else found + self.bias


class Gate(nn.Module):
    """A gate for each edge and column, in DGL's built-in functions."""

    def __init__(self, p: Place) -> None:
        super().__init__()
        out, bias = p.whole("out_features"), p.flag("bias")
        self.key, self.query, self.value, self.residual = (nn.Linear(p.width, out, bias=bias) for _ in range(4))
        self.reduce = getattr(fn, p.text("reduce"))

    def forward(self, where: Any, x: Tensor) -> Tensor:
        with where.local_scope():
            where.ndata.update(k=self.key(x), q=self.query(x), v=self.value(x))
            where.apply_edges(fn.u_add_v("k", "q", "a"))
            where.edata["a"] = torch.sigmoid(where.edata["a"])
            where.update_all(fn.u_mul_e("v", "a", "m"), self.reduce("m", "o"))
            found: Tensor = self.residual(x) + where.dstdata["o"]
            return found


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


def _gcn(p: Place) -> Any:
    return conv.GraphConv(p.width, p.whole("out_features"), bias=p.flag("bias"), **ISOLATED)


def _gat(p: Place) -> nn.Module:
    layer = conv.GATConv(p.width, p.whole("out_features"), p.whole("heads"), bias=False, **_attends(p))
    return Attention(layer, p)


def _gatv2(p: Place) -> nn.Module:
    matrices = {"bias": p.flag("bias"), "share_weights": p.flag("share")}
    return Attention(conv.GATv2Conv(p.width, p.whole("out_features"), p.whole("heads"), **matrices, **_attends(p)), p)


def _attends(p: Place) -> dict[str, Any]:
    return {"attn_drop": p.number("attention_dropout"), "negative_slope": p.number("negative_slope"), **ISOLATED}


def _gatv2_state(w: Weights) -> dict[str, Tensor]:
    """A shared matrix goes by both names."""
    source = linear("layer.fc_src", "source", "b_source")(w)
    other = (
        linear("layer.fc_dst", "destination", "b_destination")(w)
        if "destination" in w
        else {name.replace("fc_src", "fc_dst"): x for name, x in source.items()}
    )
    return source | other | heads(**{"layer.attn": "attend"})(w) | plain(bias="b")(w)


def _sgc(p: Place) -> Any:
    return conv.SGConv(
        p.width, p.whole("out_features"), p.whole("hops"), cached=p.first, bias=p.flag("bias"), **ISOLATED
    )


def _tag(p: Place) -> Any:
    return conv.TAGConv(p.width, p.whole("out_features"), p.whole("hops"))


def _tag_state(w: Weights) -> dict[str, Tensor]:
    """Their powers stand below one another, ours side by side."""
    return {"lin.weight": torch.cat(w["weight"].split(len(w["b"]), dim=1)).T, "lin.bias": w["b"]}


def _agnn(p: Place) -> Any:
    return conv.AGNNConv(learn_beta=p.flag("train_beta"), **ISOLATED)


def _sage(p: Place) -> Any:
    return conv.SAGEConv(p.width, p.whole("out_features"), p.text("reduce"), bias=p.flag("bias"))


def _gin(p: Place) -> Any:
    inner = perceptron(p.width, p.whole("hidden_features"), p.whole("out_features"))
    return conv.GINConv(inner, "sum", learn_eps=p.flag("train_eps"))


def _appnp(p: Place) -> Any:
    return conv.APPNPConv(p.whole("hops"), p.number("alpha"), p.number("edge_dropout"))


def _call(layer: nn.Module, where: Any, x: Tensor) -> Tensor:
    found: Tensor = layer(where, x)
    return found


LIBRARY = Library(
    graph=graph,
    layers={
        "gcn": peer_layer(_gcn, plain(weight="weight", bias="b"), _call),
        "gat": peer_layer(
            _gat,
            joined(
                linear("layer.fc", "weight"),
                heads(**{"layer.attn_l": "attend_source", "layer.attn_r": "attend_destination"}),
                plain(bias="b"),
            ),
            _call,
        ),
        "gatv2": peer_layer(_gatv2, _gatv2_state, _call),
        "sage": peer_layer(
            _sage,
            joined(linear("fc_pool", "pool", "b_pool"), linear("fc_neigh", "others"), linear("fc_self", "own", "b")),
            _call,
        ),
        "gin": peer_layer(
            _gin, joined(linear("apply_func.0", "w1", "b1"), linear("apply_func.2", "w2", "b2"), one(eps="eps")), _call
        ),
        "appnp": peer_layer(_appnp, NOTHING, _call),
        "sgc": peer_layer(_sgc, linear("fc", "weight", "b"), _call),
        "tag": peer_layer(_tag, _tag_state, _call),
        "agnn": peer_layer(_agnn, one(beta="beta"), _call),
        "edgegate": peer_layer(
            Gate,
            joined(
                linear("key", "key", "b_key"),
                linear("query", "query", "b_query"),
                linear("value", "value", "b_value"),
                linear("residual", "residual", "b"),
            ),
            _call,
        ),
        "aggregate": peer_layer(lambda p: Aggregate(p.text("reduce")), NOTHING, _call),
    },
)

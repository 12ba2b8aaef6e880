"""The zoo's layers in PyTorch Geometric, as its users call them: self-loops made up front, normalisation cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric import nn as pyg
from torch_geometric.nn.resolver import aggregation_resolver

from workers.training.comparison.layer import IntArray, Library, Place, peer_layer
from workers.training.comparison.weights import NOTHING, Weights, heads, joined, linear, one, perceptron, plain


@dataclass(frozen=True)
class Graph:
    """edge_index: int64[2, E]."""

    edge_index: Tensor
    n: int


def graph(src: IntArray, dst: IntArray, n: int) -> Graph:
    return Graph(torch.stack([torch.from_numpy(src), torch.from_numpy(dst)]), n)


def _gcn(p: Place) -> Any:
    return pyg.GCNConv(p.width, p.whole("out_features"), cached=True, add_self_loops=False, bias=p.flag("bias"))


def _attention(make: Callable[..., nn.Module], p: Place, **own: Any) -> nn.Module:
    """An attention of PyG's with the settings that all of them have, and its `own`."""
    return make(
        p.width,
        p.whole("out_features"),
        p.whole("heads"),
        concat=p.text("join") == "concat",
        dropout=p.number("attention_dropout"),
        bias=p.flag("bias"),
        **own,
    )


def _gat(p: Place) -> nn.Module:
    return _attention(pyg.GATConv, p, negative_slope=p.number("negative_slope"), add_self_loops=False)


def _gatv2(p: Place) -> nn.Module:
    own = {"negative_slope": p.number("negative_slope"), "share_weights": p.flag("share")}
    return _attention(pyg.GATv2Conv, p, add_self_loops=False, **own)


def _transformer(p: Place) -> nn.Module:
    return _attention(pyg.TransformerConv, p, beta=p.flag("gate"), root_weight=p.flag("root"))


def _sage(p: Place) -> Any:
    reduce = p.text("reduce")
    return pyg.SAGEConv(
        p.width,
        p.whole("out_features"),
        aggr="max" if reduce == "pool" else reduce,
        project=reduce == "pool",
        normalize=p.flag("unit_length"),
        bias=p.flag("bias"),
    )


def _gin(p: Place) -> Any:
    inner = perceptron(p.width, p.whole("hidden_features"), p.whole("out_features"))
    return pyg.GINConv(inner, train_eps=p.flag("train_eps"))


def _appnp(p: Place) -> Any:
    return pyg.APPNP(p.whole("hops"), p.number("alpha"), p.number("edge_dropout"), cached=True, add_self_loops=False)


def _sgc(p: Place) -> Any:
    return pyg.SGConv(
        p.width, p.whole("out_features"), p.whole("hops"), cached=p.first, add_self_loops=False, bias=p.flag("bias")
    )


def _tag(p: Place) -> Any:
    return pyg.TAGConv(p.width, p.whole("out_features"), p.whole("hops"))


def _tag_state(w: Weights) -> dict[str, Tensor]:
    parts = w["weight"].split(len(w["b"]), dim=1)
    return {f"lins.{k}.weight": part.T for k, part in enumerate(parts)} | {"bias": w["b"]}


def _agnn(p: Place) -> Any:
    return pyg.AGNNConv(requires_grad=p.flag("train_beta"), add_self_loops=False)


def _monet(p: Place) -> Any:
    return pyg.GMMConv(
        p.width,
        p.whole("out_features"),
        dim=p.edge_width,
        kernel_size=p.whole("kernels"),
        aggr=p.text("reduce"),
        root_weight=p.flag("root"),
        bias=p.flag("bias"),
    )


def _edgeconv(p: Place) -> Any:
    out, deep = p.whole("out_features"), p.whole("depth") == 2
    inner = (
        perceptron(2 * p.width, p.whole("hidden_features"), out) if deep else nn.Sequential(nn.Linear(2 * p.width, out))
    )
    return pyg.EdgeConv(inner)


def _edgeconv_state(w: Weights) -> dict[str, Tensor]:
    first = {"nn.0.weight": torch.cat([w["centre"], w["offset"]]).T, "nn.0.bias": w["b"]}
    return first | ({"nn.2.weight": w["w2"].T, "nn.2.bias": w["b2"]} if "w2" in w else {})


def _pna(p: Place) -> Any:
    """The mean of log(degree + 1), which PyG counts in a histogram, is a setting of ours."""
    combined, scaled = ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"]
    layer = pyg.PNAConv(p.width, p.whole("out_features"), combined, scaled, torch.ones(2, dtype=torch.long))
    layer.aggr_module.avg_deg_log.fill_(p.number("usual"))
    return layer


def _pna_state(w: Weights) -> dict[str, Tensor]:
    return {
        "pre_nns.0.0.weight": torch.cat([w["centre"], w["near"]]).T,
        "pre_nns.0.0.bias": w["b"],
        "post_nns.0.0.weight": w["weight"].T,
        "post_nns.0.0.bias": w["b_weight"],
        "lin.weight": w["mix"].T,
        "lin.bias": w["b_mix"],
    }


def _edgegate(p: Place) -> Any:
    return pyg.ResGatedGraphConv(p.width, p.whole("out_features"), bias=p.flag("bias"), aggr=p.text("reduce"))


def _reduction(p: Place) -> Any:
    return aggregation_resolver(p.text("reduce"))


def _call(layer: nn.Module, where: Graph, x: Tensor, *edge_values: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index, *edge_values)
    return found


def _aggregate(layer: nn.Module, where: Graph, x: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index[1], dim_size=where.n, dim=0)
    return found


LIBRARY = Library(
    graph=graph,
    layers={
        "gcn": peer_layer(_gcn, joined(linear("lin", "weight"), plain(bias="b")), _call),
        "gat": peer_layer(
            _gat,
            joined(
                linear("lin", "weight"), heads(att_src="attend_source", att_dst="attend_destination"), plain(bias="b")
            ),
            _call,
        ),
        "gatv2": peer_layer(
            _gatv2,
            joined(
                linear("lin_l", "source", "b_source"),
                linear("lin_r", "destination", "b_destination"),
                heads(att="attend"),
                plain(bias="b"),
            ),
            _call,
        ),
        "transformer": peer_layer(
            _transformer,
            joined(
                linear("lin_query", "query", "b_query"),
                linear("lin_key", "key", "b_key"),
                linear("lin_value", "value", "b_value"),
                linear("lin_skip", "residual", "b"),
                linear("lin_beta", "choose"),
            ),
            _call,
        ),
        "sage": peer_layer(
            _sage,
            joined(linear("lin", "pool", "b_pool"), linear("lin_l", "others", "b"), linear("lin_r", "own")),
            _call,
        ),
        "gin": peer_layer(_gin, joined(linear("nn.0", "w1", "b1"), linear("nn.2", "w2", "b2"), one(eps="eps")), _call),
        "appnp": peer_layer(_appnp, NOTHING, _call),
        "sgc": peer_layer(_sgc, linear("lin", "weight", "b"), _call),
        "tag": peer_layer(_tag, _tag_state, _call),
        "agnn": peer_layer(_agnn, one(beta="beta"), _call),
        "monet": peer_layer(
            _monet, joined(linear("root", "residual"), plain(g="weight", mu="mu", sigma="sigma", bias="b")), _call
        ),
        "edgeconv": peer_layer(_edgeconv, _edgeconv_state, _call),
        "pna": peer_layer(_pna, _pna_state, _call),
        "edgegate": peer_layer(
            _edgegate,
            joined(
                linear("lin_key", "query", "b_query"),
                linear("lin_query", "key", "b_key"),
                linear("lin_value", "value", "b_value"),
                linear("lin_skip", "residual"),
                plain(bias="b"),
            ),
            _call,
        ),
        "aggregate": peer_layer(_reduction, NOTHING, _aggregate),
    },
)

"""The zoo's layers in PyTorch Geometric, as its users call them: self-loops made up front, normalisation cached."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric import nn as pyg
from torch_geometric.nn.resolver import aggregation_resolver

from workers.systems.seastar.comparison.layer import IntArray, Library, PeerLayer, Place
from workers.systems.seastar.comparison.weights import Weights, heads, joined, linear, one, perceptron, plain


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


def _gatv2(p: Place) -> nn.Module:
    layer: nn.Module = pyg.GATv2Conv(
        p.width,
        p.whole("out_features"),
        p.whole("heads"),
        concat=p.text("join") == "concat",
        negative_slope=p.number("negative_slope"),
        dropout=p.number("attention_dropout"),
        add_self_loops=False,
        bias=p.flag("bias"),
        share_weights=p.flag("share"),
    )
    return layer


def _transformer(p: Place) -> nn.Module:
    layer: nn.Module = pyg.TransformerConv(
        p.width,
        p.whole("out_features"),
        p.whole("heads"),
        concat=p.text("join") == "concat",
        beta=p.flag("gate"),
        dropout=p.number("attention_dropout"),
        bias=p.flag("bias"),
        root_weight=p.flag("root"),
    )
    return layer


def _sage(p: Place) -> nn.Module:
    reduce = p.text("reduce")
    layer: nn.Module = pyg.SAGEConv(
        p.width,
        p.whole("out_features"),
        aggr="max" if reduce == "pool" else reduce,
        project=reduce == "pool",
        normalize=p.flag("unit_length"),
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


def _sgc(p: Place) -> nn.Module:
    layer: nn.Module = pyg.SGConv(
        p.width, p.whole("out_features"), p.whole("hops"), cached=p.first, add_self_loops=False, bias=p.flag("bias")
    )
    return layer


def _tag(p: Place) -> nn.Module:
    layer: nn.Module = pyg.TAGConv(p.width, p.whole("out_features"), p.whole("hops"))
    return layer


def _tag_state(w: Weights) -> dict[str, Tensor]:
    parts = w["weight"].split(len(w["b"]), dim=1)
    return {f"lins.{k}.weight": part.T for k, part in enumerate(parts)} | {"bias": w["b"]}


def _agnn(p: Place) -> nn.Module:
    layer: nn.Module = pyg.AGNNConv(requires_grad=p.flag("train_beta"), add_self_loops=False)
    return layer


def _monet(p: Place) -> nn.Module:
    layer: nn.Module = pyg.GMMConv(
        p.width,
        p.whole("out_features"),
        dim=p.edge_width,
        kernel_size=p.whole("kernels"),
        aggr=p.text("reduce"),
        root_weight=p.flag("root"),
        bias=p.flag("bias"),
    )
    return layer


def _edgeconv(p: Place) -> nn.Module:
    out, deep = p.whole("out_features"), p.whole("depth") == 2
    inner = (
        perceptron(2 * p.width, p.whole("hidden_features"), out) if deep else nn.Sequential(nn.Linear(2 * p.width, out))
    )
    layer: nn.Module = pyg.EdgeConv(inner)
    return layer


def _edgeconv_state(w: Weights) -> dict[str, Tensor]:
    first = {"nn.0.weight": torch.cat([w["centre"], w["offset"]]).T, "nn.0.bias": w["b"]}
    return first | ({"nn.2.weight": w["w2"].T, "nn.2.bias": w["b2"]} if "w2" in w else {})


def _pna(p: Place) -> nn.Module:
    """The mean of log(degree + 1), which PyG counts in a histogram, is a setting of ours."""
    combined, scaled = ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"]
    layer: nn.Module = pyg.PNAConv(p.width, p.whole("out_features"), combined, scaled, torch.ones(2, dtype=torch.long))
    layer.aggr_module.avg_deg_log.fill_(p.number("usual"))  # type: ignore[union-attr, operator]
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


def _edgegate(p: Place) -> nn.Module:
    layer: nn.Module = pyg.ResGatedGraphConv(
        p.width, p.whole("out_features"), bias=p.flag("bias"), aggr=p.text("reduce")
    )
    return layer


def _reduction(p: Place) -> nn.Module:
    layer: nn.Module = aggregation_resolver(p.text("reduce"))
    return layer


def _call(layer: nn.Module, where: Graph, x: Tensor, *edge_values: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index, *edge_values)
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
        "gatv2": PeerLayer(
            _gatv2,
            joined(
                linear("lin_l", "source", "b_source"),
                linear("lin_r", "destination", "b_destination"),
                heads(att="attend"),
                plain(bias="b"),
            ),
            _call,
        ),
        "transformer": PeerLayer(
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
        "sage": PeerLayer(
            _sage,
            joined(linear("lin", "pool", "b_pool"), linear("lin_l", "others", "b"), linear("lin_r", "own")),
            _call,
        ),
        "gin": PeerLayer(_gin, joined(linear("nn.0", "w1", "b1"), linear("nn.2", "w2", "b2"), one(eps="eps")), _call),
        "appnp": PeerLayer(_appnp, _no_weights, _call),
        "sgc": PeerLayer(_sgc, linear("lin", "weight", "b"), _call),
        "tag": PeerLayer(_tag, _tag_state, _call),
        "agnn": PeerLayer(_agnn, one(beta="beta"), _call),
        "monet": PeerLayer(
            _monet, joined(linear("root", "residual"), plain(g="weight", mu="mu", sigma="sigma", bias="b")), _call
        ),
        "edgeconv": PeerLayer(_edgeconv, _edgeconv_state, _call),
        "pna": PeerLayer(_pna, _pna_state, _call),
        "edgegate": PeerLayer(
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
        "aggregate": PeerLayer(
            lambda p: pyg.aggr.resolver.aggregation_resolver(p.text("reduce")), _no_weights, _aggregate
        ),
    },
)

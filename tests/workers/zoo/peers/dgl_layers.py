"""The zoo's layers as DGL writes them."""

from __future__ import annotations

from functools import partial
from typing import Any

import dgl
import dgl.function as fn
import dgl.nn.pytorch as conv
import torch
from dgl.nn.pytorch.conv.pnaconv import PNAConvTower
from torch import Tensor, nn

from tests.workers.compiler.graphs import Graph
from tests.workers.zoo.peers.agreement import Peer, Weights
from tests.workers.zoo.peers.states import heads, joined, linear, one, perceptron

ISOLATED = {"allow_zero_in_degree": True}


def call(module: nn.Module, graph: Graph, x: Tensor | tuple[Tensor, Tensor], edge: Tensor | None) -> Tensor:
    ends = (torch.from_numpy(graph.src), torch.from_numpy(graph.dst))
    where = (
        dgl.create_block(ends, graph.n_src, graph.n_dst)
        if isinstance(x, tuple)
        else dgl.graph(ends, num_nodes=graph.n_dst)
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # some of its layers make tensors of ones without asking what of
    try:
        found: Tensor = module(where, x) if edge is None else module(where, x, edge)
        return found
    finally:
        torch.set_default_dtype(before)


class MeanOfHeads(nn.Module):
    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, graph: Any, x: Tensor) -> Tensor:
        found: Tensor = self.layer(graph, x)
        return found.mean(1)


class OneTower(nn.Module):
    """DGL's tower of principal neighbourhood aggregation without the normalisations around it, then its mixing."""

    def __init__(self, width: int, out: int, usual: float) -> None:
        super().__init__()
        parts = (["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"])
        tower = PNAConvTower(width, out, *parts, usual)
        tower.batchnorm = nn.Identity()
        self.tower, self.mix = tower, nn.Linear(out, out)

    def forward(self, graph: Any, x: Tensor) -> Tensor:
        found: Tensor = self.mix(self.tower(graph, x) * graph.num_nodes() ** 0.5)
        return found


class Gate(nn.Module):
    """A gate for each edge and column, in DGL's built-in functions."""

    def __init__(self, width: int, out: int, reduce: Any) -> None:
        super().__init__()
        self.key, self.query, self.value, self.residual = (nn.Linear(width, out) for _ in range(4))
        self.reduce = reduce

    def forward(self, graph: Any, x: Tensor) -> Tensor:
        with graph.local_scope():
            graph.ndata.update(k=self.key(x), q=self.query(x), v=self.value(x))
            graph.apply_edges(fn.u_add_v("k", "q", "a"))
            graph.edata["a"] = torch.sigmoid(graph.edata["a"])
            graph.update_all(fn.u_mul_e("v", "a", "m"), self.reduce("m", "o"))
            found: Tensor = self.residual(x) + graph.ndata["o"]
            return found


def _edgeconv(w: Weights) -> dict[str, Tensor]:
    """DGL's difference points from the neighbour to the vertex, and its biases are two."""
    centre = {"phi.weight": w["centre"].T, "phi.bias": torch.zeros_like(w["b"])}
    return centre | {"theta.weight": -w["offset"].T, "theta.bias": w["b"]}


def _tag(w: Weights) -> dict[str, Tensor]:
    """Their powers stand below one another, ours side by side."""
    return {"lin.weight": torch.cat(w["weight"].chunk(4, dim=1)).T, "lin.bias": w["b"]}


def _pna(w: Weights) -> dict[str, Tensor]:
    messages = {"tower.M.weight": torch.cat([w["near"], w["centre"]]).T, "tower.M.bias": w["b"]}
    return messages | {
        "tower.U.weight": w["weight"].T, "tower.U.bias": w["b_weight"],
        "mix.weight": w["mix"].T, "mix.bias": w["b_mix"],
    }  # fmt: skip


IN = {"in": 5}
HEADS = {**IN, "out": 3, "heads": 2}
BOTH_ENDS = [linear("fc_src", "source", "b_source"), linear("fc_dst", "destination", "b_destination")]
GATE = [linear(part, part, f"b_{part}") for part in ("key", "query", "value")] + [linear("residual", "residual", "b")]

PEERS: dict[str, Peer] = {
    "gcn": Peer(
        "gcn", lambda: conv.GraphConv(5, 4, **ISOLATED), joined(weight="weight", bias="b"), {**IN, "out": 4},
        symmetric=True,
    ),
    "gat": Peer(
        "gat",
        lambda: conv.GATConv(5, 3, 2, **ISOLATED),
        joined(linear("fc", "weight"), heads(attn_l="attend_source", attn_r="attend_destination"), bias="b"),
        {**HEADS, "joined": 6},
        bipartite=True,
    ),
    "gatv2": Peer(
        "gatv2",
        lambda: conv.GATv2Conv(5, 3, 2, **ISOLATED),
        joined(*BOTH_ENDS, heads(attn="attend")),
        {**HEADS, "joined": 6},
        bipartite=True,
        absent=("b",),
    ),
    "gatv2, mean of heads": Peer(
        "gatv2",
        lambda: MeanOfHeads(conv.GATv2Conv(5, 3, 2, **ISOLATED)),
        lambda w: {f"layer.{n}": t for n, t in joined(*BOTH_ENDS, heads(attn="attend"))(w).items()},
        {**HEADS, "joined": 3, "join": "mean"},
        absent=("b",),
    ),
    "sage mean": Peer(
        "sage",
        lambda: conv.SAGEConv(5, 4, "mean"),
        joined(linear("fc_neigh", "others"), linear("fc_self", "own", "b")),
        {**IN, "out": 4},
        bipartite=True,
    ),
    "sage pool": Peer(
        "sage",
        lambda: conv.SAGEConv(5, 4, "pool"),
        joined(linear("fc_pool", "pool", "b_pool"), linear("fc_neigh", "others"), linear("fc_self", "own", "b")),
        {**IN, "out": 4, "reduce": "pool"},
        bipartite=True,
    ),
    "gin": Peer(
        "gin",
        lambda: conv.GINConv(perceptron(5, 6, 4), "sum", learn_eps=True),
        joined(linear("apply_func.0", "w1", "b1"), linear("apply_func.2", "w2", "b2"), one(eps="eps")),
        {**IN, "hidden": 6, "out": 4},
        bipartite=True,
    ),
    "appnp": Peer(
        "appnp", lambda: conv.APPNPConv(3, 0.2), joined(), {**IN, "hops": 3, "alpha": 0.2}, symmetric=True
    ),
    "sgc": Peer(
        "sgc", lambda: conv.SGConv(5, 4, 3, **ISOLATED), linear("fc", "weight", "b"), {**IN, "out": 4, "hops": 3},
        symmetric=True,
    ),
    "tag": Peer("tag", lambda: conv.TAGConv(5, 4, 3), _tag, {**IN, "out": 4, "hops": 3}, symmetric=True),
    **{
        f"monet {reduce}": Peer(
            "monet",
            partial(conv.GMMConv, 5, 3, 2, 4, reduce, residual=True, **ISOLATED),
            joined(
                linear("fc", "weight"), linear("res_fc", "residual"), lambda w: {"inv_sigma": 1 / w["sigma"]},
                mu="mu", bias="b",
            ),
            {**IN, "out": 3, "kernels": 4, "dim": 2, "reduce": reduce},
            bipartite=True,
            edge="u",
        )
        for reduce in ("mean", "sum")
    },
    "agnn": Peer("agnn", lambda: conv.AGNNConv(**ISOLATED), one(beta="beta"), IN, bipartite=True),
    "transformer": Peer(
        "transformer",
        lambda: conv.DotGatConv(5, 3, 2, **ISOLATED),
        linear("fc", "key"),
        {**HEADS, "joined": 6, "root": False, "bias": False},
        ties={"query": "key", "value": "key"},
    ),
    "edgeconv": Peer(
        "edgeconv",
        lambda: conv.EdgeConv(5, 4, **ISOLATED),
        _edgeconv,
        {**IN, "hidden": 1, "out": 4, "depth": 1},
        bipartite=True,
    ),
    "pna": Peer("pna", lambda: OneTower(5, 4, 0.9), _pna, {**IN, "out": 4, "usual": 0.9}),
    **{
        f"edgegate {reduce}": Peer(
            "edgegate",
            partial(Gate, 5, 4, getattr(fn, reduce)),
            joined(*GATE),
            {**IN, "out": 4, "reduce": reduce},
        )
        for reduce in ("sum", "max", "mean")
    },
}  # fmt: skip

"""The zoo's layers as PyTorch Geometric writes them."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
import torch_geometric.nn as pyg
from torch import Tensor, nn
from torch_geometric.utils import degree

from tests.workers.compiler.graphs import SQUARE, Graph
from tests.workers.zoo.peers.agreement import Peer, Weights
from tests.workers.zoo.peers.states import heads, joined, linear, one, perceptron


def call(module: nn.Module, graph: Graph, x: Tensor | tuple[Tensor, Tensor], edge: Tensor | None) -> Tensor:
    ends = torch.from_numpy(np.stack([graph.src, graph.dst]))
    found: Tensor = module(x, ends) if edge is None else module(x, ends, edge)
    return found


def _edgeconv(w: Weights) -> dict[str, Tensor]:
    first = {"nn.0.weight": torch.cat([w["centre"], w["offset"]]).T, "nn.0.bias": w["b"]}
    return first | ({"nn.2.weight": w["w2"].T, "nn.2.bias": w["b2"]} if "w2" in w else {})


def _tag(w: Weights) -> dict[str, Tensor]:
    parts = w["weight"].chunk(4, dim=1)
    return {f"lins.{k}.weight": part.T for k, part in enumerate(parts)} | {"bias": w["b"]}


def _pna(w: Weights) -> dict[str, Tensor]:
    return {
        "pre_nns.0.0.weight": torch.cat([w["centre"], w["near"]]).T,
        "pre_nns.0.0.bias": w["b"],
        "post_nns.0.0.weight": w["weight"].T,
        "post_nns.0.0.bias": w["b_weight"],
        "lin.weight": w["mix"].T,
        "lin.bias": w["b_mix"],
    }


class Recurrent(nn.Module):
    """T-GCN of two frames in PyG's graph convolutions, which has no such layer itself."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.conv = pyg.GCNConv(width, 3 * out, add_self_loops=False)
        self.update, self.reset, self.candidate = (nn.Linear(2 * out, out) for _ in range(3))
        self.out = out

    def forward(self, x: Tensor, ends: Tensor) -> Tensor:
        state = x.new_zeros(x.shape[0], self.out)
        for frame in x.chunk(2, dim=1):
            a, b, c = self.conv(frame, ends).chunk(3, dim=1)
            z = torch.sigmoid(self.update(torch.cat([a, state], 1)))
            r = torch.sigmoid(self.reset(torch.cat([b, state], 1)))
            state = z * state + (1 - z) * torch.tanh(self.candidate(torch.cat([c, state * r], 1)))
        return state


DEGREES = torch.bincount(degree(torch.from_numpy(SQUARE["random"].dst), 9, dtype=torch.long))
USUAL = float((torch.arange(len(DEGREES)).add(1).log() * DEGREES).sum() / DEGREES.sum())
AGGREGATORS, SCALERS = ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"]
IN = {"in": 5}
PLAIN = {"add_self_loops": False}

PEERS: dict[str, Peer] = {
    "gcn": Peer("gcn", lambda: pyg.GCNConv(5, 4, **PLAIN), joined(linear("lin", "weight"), bias="b"), {**IN, "out": 4}),
    "gat": Peer(
        "gat",
        lambda: pyg.GATConv(5, 3, 2, **PLAIN),
        joined(linear("lin", "weight"), heads(att_src="attend_source", att_dst="attend_destination"), bias="b"),
        {**IN, "out": 3, "heads": 2, "joined": 6},
        bipartite=True,
    ),
    "gat, mean of heads": Peer(
        "gat",
        lambda: pyg.GATConv(5, 3, 2, concat=False, **PLAIN),
        joined(linear("lin", "weight"), heads(att_src="attend_source", att_dst="attend_destination"), bias="b"),
        {**IN, "out": 3, "heads": 2, "joined": 3, "join": "mean"},
    ),
    "gatv2": Peer(
        "gatv2",
        lambda: pyg.GATv2Conv(5, 3, 2, **PLAIN),
        joined(
            linear("lin_l", "source", "b_source"),
            linear("lin_r", "destination", "b_destination"),
            heads(att="attend"),
            bias="b",
        ),
        {**IN, "out": 3, "heads": 2, "joined": 6},
        bipartite=True,
    ),
    "gatv2, one matrix": Peer(
        "gatv2",
        lambda: pyg.GATv2Conv(5, 3, 2, concat=False, share_weights=True, **PLAIN),
        joined(linear("lin_l", "source", "b_source"), heads(att="attend"), bias="b"),
        {**IN, "out": 3, "heads": 2, "joined": 3, "join": "mean", "share": True},
    ),
    **{
        f"sage {reduce}": Peer(
            "sage",
            partial(pyg.SAGEConv, 5, 4, aggr=reduce),
            joined(linear("lin_l", "others", "b"), linear("lin_r", "own")),
            {**IN, "out": 4, "reduce": reduce},
            bipartite=True,
        )
        for reduce in ("mean", "max", "sum")
    },
    "sage pool": Peer(
        "sage",
        lambda: pyg.SAGEConv(5, 4, aggr="max", project=True),
        joined(linear("lin", "pool", "b_pool"), linear("lin_l", "others", "b"), linear("lin_r", "own")),
        {**IN, "out": 4, "reduce": "pool"},
        bipartite=True,
    ),
    "sage of length one": Peer(
        "sage",
        lambda: pyg.SAGEConv(5, 4, normalize=True),
        joined(linear("lin_l", "others", "b"), linear("lin_r", "own")),
        {**IN, "out": 4, "unit": True},
    ),
    "gin": Peer(
        "gin",
        lambda: pyg.GINConv(perceptron(5, 6, 4), train_eps=True),
        joined(linear("nn.0", "w1", "b1"), linear("nn.2", "w2", "b2"), one(eps="eps")),
        {**IN, "hidden": 6, "out": 4},
        bipartite=True,
    ),
    "appnp": Peer("appnp", lambda: pyg.APPNP(3, 0.2, **PLAIN), joined(), {**IN, "hops": 3, "alpha": 0.2}),
    "sgc": Peer(
        "sgc", lambda: pyg.SGConv(5, 4, K=3, **PLAIN), linear("lin", "weight", "b"), {**IN, "out": 4, "hops": 3}
    ),
    "tag": Peer("tag", lambda: pyg.TAGConv(5, 4, K=3), _tag, {**IN, "out": 4, "hops": 3}),
    **{
        f"monet {reduce}": Peer(
            "monet",
            partial(pyg.GMMConv, 5, 3, dim=2, kernel_size=4, aggr=reduce),
            joined(linear("root", "residual"), g="weight", mu="mu", sigma="sigma", bias="b"),
            {**IN, "out": 3, "kernels": 4, "dim": 2, "reduce": reduce},
            bipartite=True,
            edge="u",
        )
        for reduce in ("mean", "sum")
    },
    "agnn": Peer("agnn", lambda: pyg.AGNNConv(**PLAIN), one(beta="beta"), IN),
    **{
        f"transformer {join}, {'gate' if gate else 'no gate'}": Peer(
            "transformer",
            partial(pyg.TransformerConv, 5, 3, 2, concat=join == "concat", beta=gate),
            joined(
                linear("lin_query", "query", "b_query"),
                linear("lin_key", "key", "b_key"),
                linear("lin_value", "value", "b_value"),
                linear("lin_skip", "residual", "b"),
                *([linear("lin_beta", "choose")] if gate else []),
            ),
            {**IN, "out": 3, "heads": 2, "joined": 6 if join == "concat" else 3, "join": join, "gate": gate},
            bipartite=True,
        )
        for join in ("concat", "mean")
        for gate in (False, True)
    },
    "edgeconv": Peer(
        "edgeconv",
        lambda: pyg.EdgeConv(perceptron(10, 6, 4)),
        _edgeconv,
        {**IN, "hidden": 6, "out": 4},
        bipartite=True,
    ),
    "edgeconv, one layer": Peer(
        "edgeconv",
        lambda: pyg.EdgeConv(nn.Sequential(nn.Linear(10, 4))),
        _edgeconv,
        {**IN, "hidden": 1, "out": 4, "depth": 1},
    ),
    "pna": Peer(
        "pna",
        lambda: pyg.PNAConv(5, 4, AGGREGATORS, SCALERS, DEGREES),
        _pna,
        {**IN, "out": 4, "usual": USUAL},
    ),
    "edgegate": Peer(
        "edgegate",
        lambda: pyg.ResGatedGraphConv(5, 4),
        joined(
            linear("lin_key", "query", "b_query"),
            linear("lin_query", "key", "b_key"),
            linear("lin_value", "value", "b_value"),
            linear("lin_skip", "residual"),
            bias="b",
        ),
        {**IN, "out": 4},
        bipartite=True,
    ),
    "tgcn": Peer(
        "tgcn",
        lambda: Recurrent(3, 4),
        joined(
            lambda w: {"conv.lin.weight": w["convolve"].T, "conv.bias": w["b_convolve"]},
            linear("update", "update", "b_update"),
            linear("reset", "reset", "b_reset"),
            linear("candidate", "candidate", "b_candidate"),
        ),
        {"in": 6, "out": 4, "frames": 2},
    ),
}

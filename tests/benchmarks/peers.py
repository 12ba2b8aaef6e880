"""The same networks in DGL and PyG, as their users would write them: formats and normalisation made up front.

`edgegate` is a message nobody ships: sigmoid(k_u + q_v) * v_u, the maximum over in-neighbours, plus a linear residual.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.benchmarks.workloads import Workload

HIDDEN, HEADS, HOPS, TELEPORT = 32, 4, 10, 0.1
Step = Callable[[Tensor], Tensor]


class Steps(nn.Module):
    """Functions applied in turn; the modules among them own the parameters."""

    def __init__(self, steps: list[Step], modules: list[nn.Module]) -> None:
        super().__init__()
        self.steps, self.owned = steps, nn.ModuleList(modules)

    def forward(self, x: Tensor) -> Tensor:
        for step in self.steps:
            x = step(x)
        return x


class Gate(nn.Module):
    """The linear maps of the gated edge layer; `gather` is how a library runs its message."""

    def __init__(self, width: int, out: int, gather: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
        super().__init__()
        self.k, self.q, self.v, self.r = (nn.Linear(width, out) for _ in range(4))
        self.gather = gather

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.r(x) + self.gather(self.k(x), self.q(x), self.v(x))
        return result


def mlp(width: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, out))


def pyg(model: str, w: Workload, device: torch.device | None = None) -> nn.Module:
    """PyG's own layers over an edge index on `device` that already holds the self-loops."""
    from torch_geometric import nn as layers

    edges = torch.stack((torch.from_numpy(w.src), torch.from_numpy(w.dst))).to(device)
    attends = {"add_self_loops": False}
    normalises = {"add_self_loops": False, "cached": True}
    make: dict[str, Callable[[int, int, int], nn.Module]] = {
        "gcn": lambda a, b, _heads: layers.GCNConv(a, b, **normalises),
        "gat": lambda a, b, heads: layers.GATConv(a, b, heads, **attends),
        "gatv2": lambda a, b, heads: layers.GATv2Conv(a, b, heads, **attends),
        "sage": lambda a, b, _heads: layers.SAGEConv(a, b),
        "gin": lambda a, b, _heads: layers.GINConv(mlp(a, b)),
        "edgegate": lambda a, b, _heads: Gate(a, b, _pyg_gate(edges)),
    }
    if model == "appnp":
        hops = layers.APPNP(HOPS, TELEPORT, **normalises)
        return _propagated(w, hops, lambda x: hops(x, edges))
    return _two(model, w, make[model], lambda layer, x: layer(x) if model == "edgegate" else layer(x, edges))


def dgl(model: str, w: Workload) -> nn.Module:
    """DGL's own layers over a graph whose sparse formats were all built before."""
    import dgl as library
    from dgl import nn as layers

    graph = library.graph((torch.from_numpy(w.src), torch.from_numpy(w.dst)), num_nodes=w.n)
    graph.create_formats_()
    make: dict[str, Callable[[int, int, int], nn.Module]] = {
        "gcn": lambda a, b, _heads: layers.GraphConv(a, b),
        "gat": lambda a, b, heads: layers.GATConv(a, b, heads),
        "gatv2": lambda a, b, heads: layers.GATv2Conv(a, b, heads),
        "sage": lambda a, b, _heads: layers.SAGEConv(a, b, "mean"),
        "gin": lambda a, b, _heads: layers.GINConv(mlp(a, b), "sum"),
        "edgegate": lambda a, b, _heads: Gate(a, b, _dgl_gate(graph)),
    }
    if model == "appnp":
        hops = layers.APPNPConv(HOPS, TELEPORT)
        return _propagated(w, hops, lambda x: hops(graph, x))

    def apply(layer: nn.Module, x: Tensor) -> Tensor:
        result: Tensor = layer(x) if model == "edgegate" else layer(graph, x)
        return result.flatten(1)  # of several heads, or of one

    return _two(model, w, make[model], apply)


def _two(
    model: str,
    w: Workload,
    make: Callable[[int, int, int], nn.Module],
    apply: Callable[[nn.Module, Tensor], Tensor],
) -> nn.Module:
    """Two layers of a kind with an activation between them."""
    heads = HEADS if model in ("gat", "gatv2") else 1
    first, second = make(w.x.shape[1], HIDDEN, heads), make(HIDDEN * heads, w.classes, 1)
    bend: Step = functional.elu if heads > 1 else functional.relu
    return Steps([lambda x: apply(first, x), bend, lambda x: apply(second, x)], [first, second])


def _propagated(w: Workload, hops: nn.Module, apply: Step) -> nn.Module:
    dense = [nn.Linear(w.x.shape[1], HIDDEN), nn.Linear(HIDDEN, w.classes)]
    return Steps([dense[0], functional.relu, dense[1], apply], [*dense, hops])


def _pyg_gate(edges: Tensor) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    from torch_geometric.nn import MessagePassing

    class Message(MessagePassing):  # type: ignore[misc]
        def forward(self, k: Tensor, q: Tensor, v: Tensor) -> Tensor:
            result: Tensor = self.propagate(edges, k=k, q=q, v=v)  # the library reads this very call
            return result

        def message(self, k_j: Tensor, q_i: Tensor, v_j: Tensor) -> Tensor:
            return torch.sigmoid(k_j + q_i) * v_j

    return Message(aggr="max")


def _dgl_gate(graph: Any) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    from dgl import function as fn

    def gather(k: Tensor, q: Tensor, v: Tensor) -> Tensor:
        with graph.local_scope():
            graph.ndata.update(k=k, q=q, v=v)
            graph.apply_edges(fn.u_add_v("k", "q", "a"))
            graph.edata["a"] = torch.sigmoid(graph.edata["a"])
            graph.update_all(fn.u_mul_e("v", "a", "m"), fn.max("m", "o"))
            result: Tensor = graph.ndata["o"]
            return result

    return gather


PEERS: dict[str, Callable[[str, Workload], nn.Module]] = {
    "dgl": dgl,
    "pyg": pyg,
    "pyg-compile": lambda model, w: torch.compile(pyg(model, w)),  # type: ignore[dict-item, return-value]
}

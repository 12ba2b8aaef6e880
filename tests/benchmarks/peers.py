"""The same networks in DGL and PyG, as their users would write them: formats and normalisation made up front."""

from __future__ import annotations

from collections.abc import Callable

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


def pyg(model: str, w: Workload) -> nn.Module:
    """PyG's own layers over an edge index that already holds the self-loops."""
    from torch_geometric import nn as layers

    index = torch.from_numpy(w.src), torch.from_numpy(w.dst)
    edges, width = torch.stack(index), w.x.shape[1]
    if model == "gat":
        first = layers.GATConv(width, HIDDEN, HEADS, add_self_loops=False)
        second = layers.GATConv(HIDDEN * HEADS, w.classes, 1, add_self_loops=False)
        return Steps([lambda x: first(x, edges), functional.elu, lambda x: second(x, edges)], [first, second])
    if model == "gcn":
        a = layers.GCNConv(width, HIDDEN, cached=True, add_self_loops=False)
        b = layers.GCNConv(HIDDEN, w.classes, cached=True, add_self_loops=False)
        return Steps([lambda x: a(x, edges), functional.relu, lambda x: b(x, edges)], [a, b])
    dense = [nn.Linear(width, HIDDEN), nn.Linear(HIDDEN, w.classes)]
    hops = layers.APPNP(HOPS, TELEPORT, cached=True, add_self_loops=False)
    return Steps([dense[0], functional.relu, dense[1], lambda x: hops(x, edges)], [*dense, hops])


def dgl(model: str, w: Workload) -> nn.Module:
    """DGL's own layers over a graph whose sparse formats were all built before."""
    import dgl as library
    from dgl import nn as layers

    graph = library.graph((torch.from_numpy(w.src), torch.from_numpy(w.dst)), num_nodes=w.n)
    graph.create_formats_()
    width = w.x.shape[1]
    if model == "gat":
        first, second = layers.GATConv(width, HIDDEN, HEADS), layers.GATConv(HIDDEN * HEADS, w.classes, 1)
        steps: list[Step] = [lambda x: functional.elu(first(graph, x).flatten(1)), lambda x: second(graph, x).mean(1)]
        return Steps(steps, [first, second])
    if model == "gcn":
        a, b = layers.GraphConv(width, HIDDEN), layers.GraphConv(HIDDEN, w.classes)
        return Steps([lambda x: a(graph, x), functional.relu, lambda x: b(graph, x)], [a, b])
    dense = [nn.Linear(width, HIDDEN), nn.Linear(HIDDEN, w.classes)]
    hops = layers.APPNPConv(HOPS, TELEPORT)
    return Steps([dense[0], functional.relu, dense[1], lambda x: hops(graph, x)], [*dense, hops])


PEERS: dict[str, Callable[[str, Workload], nn.Module]] = {
    "dgl": dgl,
    "pyg": pyg,
    "pyg-compile": lambda model, w: torch.compile(pyg(model, w)),  # type: ignore[dict-item, return-value]
}

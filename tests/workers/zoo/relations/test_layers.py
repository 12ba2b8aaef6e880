"""Layers over relations: every program is read and trained, and numbers are PyG's where it has the layer."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.relations.graphs import random_schema
from workers.compiler.codegen import reference
from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.relation_layer import NAMES, RelationLayer, read

SIZES: dict[str, dict[str, int]] = {
    "rgcn": {"in": 6, "out": 4},
    "rgcn_bases": {"width": 6, "out": 4, "count": 3},
    "rgcn_blocks": {"in": 6, "out": 4, "blocks": 2},
    "rgcn_rows": {"out": 2, "count": 3},
    "rgat": {"in": 6, "out": 3, "heads": 2},
    "han": {"in": 6, "out": 3, "heads": 2},
    "hgt": {"out": 3, "heads": 2},
    "hetero_sage": {"in": 6, "out": 4},
    "simple_hgn": {"in": 6, "out": 3, "heads": 2, "kind": 2},
    "comp_gcn": {"in": 6, "out": 4},
}
GRAPH = random_schema(5, types=3, relations=6, vertices=20, edges=70)


def layer_of(name: str) -> tuple[RelationLayer, Tensor]:
    torch.manual_seed(0)
    layer = RelationLayer(read(name, SIZES[name]), GRAPH, dtype=torch.float64)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return layer, torch.randn(GRAPH.n_dst, 6, dtype=torch.float64, requires_grad=True)


def close(layer: RelationLayer, x: Tensor, found: Tensor, expected: Tensor) -> None:
    """Values and the gradients of the features and of all parameters in common."""
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-10)
    weights = torch.rand(found.shape, dtype=torch.float64)
    leaves = [x, *layer.parameters()]
    pairs = (torch.autograd.grad((y * weights).sum(), leaves, allow_unused=True) for y in (found, expected))
    for a, b in zip(*pairs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_layer_is_its_programs_definition(name: str) -> None:
    layer, x = layer_of(name)
    given = {"h": x, **dict(layer.named_parameters())}
    close(layer, x, layer(GRAPH, x), reference.run(layer.compiled.program, given, GRAPH)["out"])


def ends(graph: StitchedIndex) -> tuple[Tensor, Tensor]:
    return torch.stack(graph.ends), torch.from_numpy(graph.relation)


@pytest.mark.parametrize("name", ["rgcn", "rgcn_bases", "rgcn_blocks"])
def test_rgcn_is_pygs(name: str) -> None:
    layers = pytest.importorskip("torch_geometric.nn")
    layer, x = layer_of(name)
    shared = {"rgcn": {}, "rgcn_bases": {"num_bases": 3}, "rgcn_blocks": {"num_blocks": 2}}[name]
    peer = layers.RGCNConv(6, 4, GRAPH.relations, **shared).double()
    p = dict(layer.named_parameters())
    parts: dict[str, Tensor] = {"root": p["own"], "bias": p["b"]}
    if name == "rgcn_bases":
        parts |= {"weight": p["bases"].reshape(3, 6, 4), "comp": p["shares"]}
    else:
        parts["weight"] = p["weight"]
    close(layer, x, layer(GRAPH, x), torch.func.functional_call(peer, parts, (x, *ends(GRAPH))))


def test_rgcn_over_rows_is_pygs_without_features() -> None:
    layers = pytest.importorskip("torch_geometric.nn")
    layer, x = layer_of("rgcn_rows")
    peer = layers.RGCNConv(GRAPH.n_dst, 2, GRAPH.relations, num_bases=3).double()
    p, rows = dict(layer.named_parameters()), x.reshape(-1, 2, 3)
    parts = {"weight": rows.permute(2, 0, 1), "comp": p["shares"][..., 0], "root": (rows @ p["own"])[..., 0]}
    expected = torch.func.functional_call(peer, parts | {"bias": p["b"]}, (None, *ends(GRAPH)))
    close(layer, x, layer(GRAPH, x), expected)


def test_rgat_is_pygs_gat_relation_by_relation() -> None:
    layers = pytest.importorskip("torch_geometric.nn")
    layer, x = layer_of("rgat")
    peer = layers.GATConv(6, 3, heads=2, add_self_loops=False, bias=False).double()
    edges, relation = ends(GRAPH)
    total = torch.zeros(GRAPH.n_dst, 6, dtype=torch.float64)
    for r in range(GRAPH.relations):
        parts = {
            "lin.weight": layer.weight[r].T,  # type: ignore[index]
            "att_src": layer.attend_source[r][None],  # type: ignore[index]
            "att_dst": layer.attend_destination[r][None],  # type: ignore[index]
        }
        total = total + torch.func.functional_call(peer, parts, (x, edges[:, relation == r]))
    close(layer, x, layer(GRAPH, x), total)


def test_han_is_pygs() -> None:
    """PyG counts relations without edges too, so it is told of the others alone."""
    layers = pytest.importorskip("torch_geometric.nn")
    layer, x = layer_of("han")
    p, (edges, relation), ptr = dict(layer.named_parameters()), ends(GRAPH), torch.from_numpy(GRAPH.type_ptr)
    types = [f"t{k}" for k in range(GRAPH.types)]
    parts = {"q": p["ask"][None], "k_lin.weight": p["look"].T, "k_lin.bias": p["look_bias"]}
    for t, name in enumerate(types):
        parts |= {f"proj.{name}.weight": p["weight"][t].T, f"proj.{name}.bias": p["b"][t]}
    between: dict[tuple[str, str, str], Tensor] = {}
    for r in relation.unique().tolist():
        mine = edges[:, relation == r]
        kinds = torch.from_numpy(GRAPH.type)[mine[:, 0]]
        key = (types[kinds[0]], f"r{r}", types[kinds[1]])
        between[key] = mine - ptr[kinds][:, None]
        for side in ("src", "dst"):
            name = "attend_source" if side == "src" else "attend_destination"
            parts[f"lin_{side}.{'__'.join(key)}"] = p[name][r][None]
    peer = layers.HANConv(6, 6, (types, list(between)), heads=2).double()
    rows = dict(zip(types, x.split(ptr.diff().tolist()), strict=True))
    found = torch.func.functional_call(peer, parts, (rows, between))
    none = [x.new_zeros(len(rows[t]), 6) for t in types]
    expected = torch.cat([found.get(t) if found.get(t) is not None else z for t, z in zip(types, none, strict=True)])
    close(layer, x, layer(GRAPH, x), expected)


@pytest.mark.parametrize("name", NAMES)
def test_two_layers_learn(name: str) -> None:
    """Loss falls on random targets; nothing becomes NaN where types only send and relations are empty."""
    layer, x = layer_of(name)
    target = torch.randn(GRAPH.n_dst, layer(GRAPH, x).shape[1], dtype=torch.float64)
    optimizer = torch.optim.Adam(layer.parameters(), 0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = ((layer(GRAPH, x.detach()) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]

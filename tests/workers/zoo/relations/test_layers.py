"""Layers over relations: every program is read, runs as defined, and is trained.

That numbers are PyG's and DGL's, where they have the layer, `tests/workers/systems/hgl/comparison` holds.
"""

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


def test_rgcn_over_rows_is_pygs_without_features() -> None:
    layers = pytest.importorskip("torch_geometric.nn")
    layer, x = layer_of("rgcn_rows")
    peer = layers.RGCNConv(GRAPH.n_dst, 2, GRAPH.relations, num_bases=3).double()
    p, rows = dict(layer.named_parameters()), x.reshape(-1, 2, 3)
    parts = {"weight": rows.permute(2, 0, 1), "comp": p["shares"][..., 0], "root": (rows @ p["own"])[..., 0]}
    expected = torch.func.functional_call(peer, parts | {"bias": p["b"]}, (None, *ends(GRAPH)))
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

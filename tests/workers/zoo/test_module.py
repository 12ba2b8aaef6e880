"""Layers and templates as torch modules, against dense float64 formulas written out here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from tests.workers.zoo.documents import dataset_for
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc, Scalar
from workers.core.problems import DocumentError
from workers.zoo.graphs import Graphs
from workers.zoo.layer_modules import Kernels
from workers.zoo.module import ModelModule
from workers.zoo.templates import TEMPLATES, Block, chain

WIDTH, CLASSES = 5, 3
EDGES = {
    "random": [(0, 1), (1, 0), (2, 1), (3, 1), (1, 3), (4, 0), (0, 4), (2, 4)],
    "duplicates and loops": [(0, 1), (0, 1), (0, 1), (2, 2), (1, 0), (3, 2)],
    "isolated": [(0, 1)],
    "no edges": [],
}


def _info(n: int, goal: str = "node_classification") -> DatasetInfo:
    return dataset_for(goal, vertices=n, features=WIDTH, classes=("a", "b", "c"))


def _graphs(edges: list[tuple[int, int]], n: int) -> Graphs:
    src, dst = np.array(edges, np.int64).reshape(-1, 2).T
    return Graphs(src, dst, n, GraphIndex.square, torch.float64)


def _module(doc: ModelDoc, n: int, kernels: Kernels = "generated", goal: str = "node_classification") -> ModelModule:
    return ModelModule(doc, _info(n, goal), kernels=kernels, dtype=torch.float64, seed=1)


def _adjacency(edges: list[tuple[int, int]], n: int, self_loops: bool) -> Tensor:
    """[dst, src] counts of arcs; with `self_loops` exactly one a vertex."""
    a = torch.zeros(n, n, dtype=torch.float64)
    for s, d in edges:
        if not self_loops or s != d:
            a[d, s] += 1
    return a + torch.eye(n, dtype=torch.float64) if self_loops else a


def _inverse(x: Tensor) -> Tensor:
    return torch.where(x > 0, 1 / x.clamp(min=1e-300), 0)


def _symmetric(a: Tensor) -> Tensor:
    norm = _inverse(a.sum(1)).sqrt()
    return norm[:, None] * a * norm


def _gcn(x: Tensor, w: dict[str, Tensor], edges: list[tuple[int, int]]) -> Tensor:
    return _symmetric(_adjacency(edges, len(x), True)) @ (x @ w["weight"]) + w["b"]


def _gat(x: Tensor, w: dict[str, Tensor], edges: list[tuple[int, int]]) -> Tensor:
    a = _adjacency(edges, len(x), True)
    z = (x @ w["weight"]).reshape(len(x), *w["attend_source"].shape)
    left, right = (z * w["attend_source"]).sum(-1), (z * w["attend_destination"]).sum(-1)
    logits = functional.leaky_relu(left[None] + right[:, None], 0.2)
    e = a[:, :, None] * (logits - logits.masked_fill(a[:, :, None] == 0, -torch.inf).amax(1, keepdim=True)).exp()
    alpha = e / e.sum(1, keepdim=True)
    return torch.einsum("dsh,shf->dhf", alpha, z).flatten(1) + w["b"]


def _sage(x: Tensor, w: dict[str, Tensor], edges: list[tuple[int, int]]) -> Tensor:
    a = _adjacency(edges, len(x), False)
    return x @ w["own"] + _inverse(a.sum(1))[:, None] * (a @ (x @ w["others"])) + w["b"]


def _gin(x: Tensor, w: dict[str, Tensor], edges: list[tuple[int, int]]) -> Tensor:
    total = (1 + w["eps"]) * x + _adjacency(edges, len(x), False) @ x
    return functional.relu(total @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]


def _appnp(x: Tensor, w: dict[str, Tensor], edges: list[tuple[int, int]]) -> Tensor:
    spread, z = _symmetric(_adjacency(edges, len(x), True)), x
    for _ in range(4):
        z = 0.8 * (spread @ z) + 0.2 * x
    return z


Formula = Callable[[Tensor, dict[str, Tensor], list[tuple[int, int]]], Tensor]
LAYERS: dict[str, tuple[dict[str, Scalar], Formula]] = {
    "gcn": ({"out_features": 0}, _gcn),
    "gat": ({"out_features": 1, "heads": 3, "attention_dropout": 0.6}, _gat),
    "sage": ({"out_features": 0}, _sage),
    "gin": ({"hidden_features": 7, "out_features": 0}, _gin),
    "appnp": ({"hops": 4, "alpha": 0.2}, _appnp),
}


def _one_layer(layer: str) -> ModelDoc:
    params, _ = LAYERS[layer]
    before: list[Block] = [("narrow", "linear", {"out_features": 0})] if layer == "appnp" else []
    return chain([("input", "input", {}), *before, ("layer", layer, params), ("output", "output", {})])


@pytest.mark.parametrize("edges", EDGES.values(), ids=EDGES)
@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_equals_its_dense_formula_in_values_and_gradients(layer: str, edges: list[tuple[int, int]]) -> None:
    module = _module(_one_layer(layer), 5).eval()
    x = torch.randn(5, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    got = module(x, _graphs(edges, 5))
    given = module.layers["layer"].named()
    h = module.layers["narrow"].named() if layer == "appnp" else None
    fed = x if h is None else x @ h["weight"] + h["bias"]
    want = LAYERS[layer][1](fed, given, edges)
    assert torch.allclose(got, want, atol=1e-10)
    out = torch.randn(got.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    trained = list(module.parameters())
    for ours, theirs in zip(
        torch.autograd.grad(got, trained, out), torch.autograd.grad(want, trained, out), strict=True
    ):
        assert torch.allclose(ours, theirs, atol=1e-9)


@pytest.mark.parametrize("name", [n for n, t in TEMPLATES.items() if t.kind == "seastar"])
def test_generated_and_reference_kernels_agree_on_every_template_with_dropout_on(name: str) -> None:
    edges = EDGES["random"]
    x = torch.randn(5, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    results = []
    for kernels in ("generated", "reference"):
        torch.manual_seed(3)
        module = _module(TEMPLATES[name].doc, 5, kernels, TEMPLATES[name].task["type"])
        logits = module.train()(x, _graphs(edges, 5), seed=9)
        grads = torch.autograd.grad(logits.square().sum(), list(module.parameters()))
        results.append([logits.detach(), *grads])
    for ours, theirs in zip(*results, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-9)


def test_the_same_seed_gives_the_same_weights_in_both_dtypes() -> None:
    doc, info = TEMPLATES["gat"].doc, _info(5)
    wide = ModelModule(doc, info, dtype=torch.float64, seed=4).state_dict()
    narrow = ModelModule(doc, info, dtype=torch.float32, seed=4).state_dict()
    assert all(torch.equal(wide[name].float(), narrow[name]) for name in wide)
    other = ModelModule(doc, info, dtype=torch.float64, seed=5).state_dict()
    assert not torch.equal(wide["gat1.weight"], other["gat1.weight"])


def test_a_graph_without_vertices_gives_no_rows() -> None:
    module = _module(_one_layer("gat"), 0)
    logits = module(torch.zeros(0, WIDTH, dtype=torch.float64), _graphs([], 0))
    assert logits.shape == (0, CLASSES)
    logits.sum().backward()
    assert all(p.grad is None or not p.grad.any() for p in module.parameters())


def test_a_faulty_document_is_refused_with_its_problems() -> None:
    doc = chain([("input", "input", {}), ("layer", "gcn", {"out_features": 7}), ("output", "output", {})])
    with pytest.raises(DocumentError) as refused:
        _module(doc, 5)
    assert refused.value.problems[0].node_id == "output"


def test_nodes_and_weights_may_be_called_anything() -> None:
    doc = chain(
        [
            ("input", "input", {}),
            ("train", "linear", {"out_features": 4}),
            ("values", "gcn", {}),
            ("output", "output", {}),
        ]
    )
    doc = doc.model_copy(
        update={
            "nodes": tuple(
                n.model_copy(update={"params": {"out_features": 0}}) if n.type == "gcn" else n for n in doc.nodes
            )
        }
    )
    module = _module(doc, 5)
    assert {"train.weight", "values.weight"} <= set(module.state_dict())
    module.load_state_dict(module.state_dict())
    assert module(torch.ones(5, WIDTH, dtype=torch.float64), _graphs(EDGES["random"], 5)).shape == (5, CLASSES)


def test_batch_norm_learns_running_figures_and_uses_them_in_evaluation() -> None:
    doc = chain(
        [
            ("input", "input", {}),
            ("norm", "batch_norm", {}),
            ("l", "linear", {"out_features": 0}),
            ("output", "output", {}),
        ]
    )
    module = _module(doc, 5)
    x = torch.randn(5, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    module.train()(x, _graphs([], 5))
    norm = module.layers["norm"].named()
    assert torch.allclose(norm["running_mean"], 0.1 * x.mean(0))
    assert torch.allclose(norm["running_var"], 0.9 + 0.1 * x.var(0))

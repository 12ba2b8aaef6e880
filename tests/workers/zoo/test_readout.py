"""Vertices brought together graph by graph, against torch, with graphs that hold no vertex."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.zoo.documents import codes, dataset, doc, node, only_problem
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.zoo.goal import document_goal
from workers.zoo.graphs import Graphs
from workers.zoo.layer_modules import Kernels
from workers.zoo.module import ModelModule
from workers.zoo.templates import TEMPLATES, Block, chain
from workers.zoo.validate import validate

SIZES = [3, 0, 2, 0]
GRAPH_OF = np.repeat(np.arange(4), SIZES)
REDUCE: dict[str, Callable[[Tensor], Tensor]] = {
    "sum": lambda x: x.sum(0),
    "mean": lambda x: x.mean(0),
    "max": lambda x: x.amax(0),
    "min": lambda x: x.amin(0),
}


def _info(**facts: object) -> DatasetInfo:
    known = {
        "task": "graph_classification",
        "features": 3,
        "classes": ("a", "b"),
        "graphs": 4,
        "vertices": 5,
        "arcs": 4,
    }
    return dataset(**(known | facts))


def _model(reduce: str) -> ModelDoc:
    return chain(
        (
            ("input", "input", {}),
            ("readout", "readout", {"reduce": reduce}),
            ("linear", "linear", {"out_features": 0}),
            ("output", "output", {}),
        )
    )


@pytest.mark.parametrize("kernels", ["generated", "reference"])
@pytest.mark.parametrize("reduce", REDUCE)
def test_a_graph_without_vertices_has_a_row_of_zeros(reduce: str, kernels: Kernels) -> None:
    module = ModelModule(_model(reduce), _info(), kernels=kernels, dtype=torch.float64, seed=1)
    src, dst = np.array([0, 1, 3, 4]), np.array([1, 0, 4, 3])
    graphs = Graphs(src, dst, 5, GraphIndex.square, torch.float64, GRAPH_OF, len(SIZES))
    x = torch.from_numpy(np.random.default_rng(0).standard_normal((5, 3))).requires_grad_()
    twin = x.detach().clone().requires_grad_()
    rows = [REDUCE[reduce](part) if len(part) else torch.zeros(3, dtype=torch.float64) for part in twin.split(SIZES)]
    weights = module.layers["linear"].named()
    want, got = torch.stack(rows) @ weights["weight"] + weights["bias"], module(x, graphs)
    torch.testing.assert_close(got, want)
    seed = torch.arange(8, dtype=torch.float64).reshape(4, 2)
    torch.testing.assert_close(torch.autograd.grad(got, x, seed)[0], torch.autograd.grad(want, twin, seed)[0])


def test_layers_that_act_row_by_row_serve_graphs_too() -> None:
    blocks: list[Block] = [("input", "input", {}), ("readout", "readout", {})]
    blocks += [("drop", "dropout", {"p": 0.5}), ("norm", "batch_norm", {}), ("ln", "layer_norm", {})]
    blocks += [("relu", "activation", {}), ("linear", "linear", {"out_features": 0}), ("output", "output", {})]
    found = validate(chain(blocks), _info())
    assert found.problems == ()
    assert str(found.steps[-2].outputs["y"]) == "graph feature [G, 2]"
    module = ModelModule(chain(blocks), _info(), dtype=torch.float64)
    src = dst = np.zeros(0, np.int64)
    graphs = Graphs(src, dst, 5, GraphIndex.square, torch.float64, GRAPH_OF, len(SIZES))
    assert module(torch.ones(5, 3, dtype=torch.float64), graphs, seed=3).shape == (4, 2)


def test_messages_do_not_pass_between_graphs() -> None:
    blocks: list[Block] = [
        ("input", "input", {}),
        ("readout", "readout", {}),
        ("gcn", "gcn", {}),
        ("output", "output", {}),
    ]
    assert codes(chain(blocks)) == ["wire.kind"]
    bent: list[Block] = [
        ("input", "input", {}),
        ("readout", "readout", {}),
        ("relu", "activation", {}),
        ("gcn", "gcn", {}),
    ]
    problem = only_problem(chain([*bent, ("output", "output", {})]))
    assert problem.message == "GCN.x expects vertex feature [N, d], got graph feature [G, F]."


def test_vertices_and_graphs_do_not_add_up() -> None:
    document = doc(
        [node("input"), node("readout"), node("add"), node("output")],
        ["input.h > readout.x", "readout.y > add.x", "input.h > add.x", "add.y > output.x"],
    )
    problem = only_problem(document)
    assert (problem.code, problem.pointer) == ("wire.kind", "/wires/2")
    assert problem.message == "Add takes values of one kind, got graph feature [G, F] and vertex feature [N, F]."


@pytest.mark.parametrize(
    ("template", "goal"),
    [("gcn", "node_classification"), ("gcn-links", "link_prediction"), ("gin-graphs", "graph_classification")],
)
def test_the_output_says_what_a_model_is_for(template: str, goal: str) -> None:
    assert document_goal(validate(TEMPLATES[template].doc).steps) == goal


def test_links_are_between_vertices_and_their_embedding_has_a_width() -> None:
    output: Block = ("output", "output", {"predicts": "links"})
    graphs = chain((("input", "input", {}), ("readout", "readout", {}), output))
    assert "Links join vertices" in only_problem(graphs).message
    flat = chain((("input", "input", {}), ("gcn", "gcn", {"out_features": 0}), output))
    assert "needs a width" in only_problem(flat, dataset(task="none", classes=(), train=0)).message
    assert validate(flat, dataset()).ok


def test_a_dataset_that_does_not_suit_the_model_is_named() -> None:
    graphs, vertices, links = (TEMPLATES[name].doc for name in ("gin-graphs", "gcn", "gcn-links"))
    assert only_problem(graphs, dataset()).message == "test is one graph, and the model tells graphs apart."
    assert only_problem(vertices, _info()).message == "test has classes of graphs, and the model tells vertices."
    assert only_problem(links, _info()).message == "test holds 4 separate graphs."
    assert only_problem(links, dataset(arcs=6)).message == "test has 6 arcs, too few to hold some back."
    assert validate(links, dataset(task="none", classes=(), train=0)).ok

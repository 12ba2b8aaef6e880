"""A model on sampled neighbours and layer by layer, against the same model on the whole graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.zoo.documents import dataset, doc, node
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.training.sampler import OwnSampler, hops
from workers.zoo.blocks import Block, Degrees, Hop, Sampled
from workers.zoo.graphs import Graphs
from workers.zoo.hops import levels, passes_messages, sampling_problems
from workers.zoo.layer_modules import Kernels
from workers.zoo.layer_wise import layer_wise, whole_blocks
from workers.zoo.module import ModelModule
from workers.zoo.signature import Preparation
from workers.zoo.templates import TEMPLATES, chain
from workers.zoo.validate import validate

N, E, WIDTH = 40, 150, 5
RANDOM = np.random.default_rng(0)
SRC, DST = RANDOM.integers(0, N - 3, E), RANDOM.integers(0, N, E)  # loops, repeats, and vertices nobody sends to
X = torch.from_numpy(RANDOM.standard_normal((N, WIDTH)))
EDGE_X = torch.from_numpy(RANDOM.standard_normal((E, 2)))

SKIPS = doc(
    [
        node("input"), node("gcn1:gcn", out_features=WIDTH), node("gat:gat", out_features=2, heads=2),
        node("both:concat"), node("linear", out_features=0), node("output"),
    ],
    [
        "input.h > gcn1.x", "gcn1.y > gat.x", "gat.y > both.x", "gcn1.y > both.x", "input.h > both.x",
        "both.y > linear.x", "linear.y > output.x",
    ],
)  # fmt: skip
EDGES = doc(
    [node("input"), node("aggregate"), node("sage", out_features=0), node("output")],
    ["input.e > aggregate.e", "aggregate.y > sage.x", "sage.y > output.x"],
)
MODELS: dict[str, ModelDoc] = {
    **{name: TEMPLATES[name].doc for name in ("gcn", "gat", "graphsage", "gin")}, "skips": SKIPS, "edges": EDGES,
}  # fmt: skip
models = pytest.mark.parametrize("model", MODELS)


def _info() -> DatasetInfo:
    return dataset(vertices=N, arcs=E, features=WIDTH, edge_features=2, classes=("a", "b", "c"))


def _module(model: str, kernels: Kernels = "generated") -> ModelModule:
    return ModelModule(MODELS[model], _info(), kernels=kernels, dtype=torch.float64, seed=1)


def _whole(module: ModelModule) -> Tensor:
    graphs = Graphs(SRC, DST, N, GraphIndex.square, torch.float64)
    found: Tensor = module(X, graphs, EDGE_X)
    return found


def _sampled(module: ModelModule, ids: np.ndarray, fan_out: int = 0, seed: int = 0) -> Tensor:
    drawn = hops(OwnSampler(SRC, DST, N), ids, [fan_out] * module.hops, np.random.default_rng(seed))
    ground = Sampled(drawn, Degrees(SRC, DST, N), torch.float64)
    found: Tensor = module(X[torch.from_numpy(ground.vertices)], ground, EDGE_X)
    return found


@models
@pytest.mark.parametrize("kernels", ["generated", "reference"])
def test_all_neighbours_give_the_rows_and_gradients_of_the_whole_graph(model: str, kernels: Kernels) -> None:
    module = _module(model, kernels).eval()
    ids = np.array([7, 39, 0, 12, 38])
    seed = torch.from_numpy(np.random.default_rng(1).standard_normal((len(ids), 3)))
    rows = []
    for given in (_whole(module)[torch.from_numpy(ids)], _sampled(module, ids)):
        gradients = torch.autograd.grad(given, list(module.parameters()), seed)
        rows.append((given.detach(), *gradients))
    for want, got in zip(*rows, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-12)


@models
@pytest.mark.parametrize("rows", [1, 7, N])
def test_layer_by_layer_gives_what_the_whole_graph_gives(model: str, rows: int) -> None:
    module = _module(model).eval()
    sampler, random = OwnSampler(SRC, DST, N), np.random.default_rng(0)
    with torch.no_grad():
        want = _whole(module)
    blocks = whole_blocks(lambda ids: sampler.hop(ids, 0, random), N, rows, Degrees(SRC, DST, N), torch.float64)
    assert sum(len(block.hop.edge) for block in blocks) == E
    got = layer_wise(module, X, EDGE_X, blocks)
    torch.testing.assert_close(got, want, rtol=1e-11, atol=1e-12)
    assert not got.requires_grad


def test_the_mean_over_many_draws_of_a_normalised_sum_is_the_sum_over_all() -> None:
    document = chain((("input", "input", {}), ("gcn", "gcn", {"out_features": 0}), ("output", "output", {})))
    module = ModelModule(document, _info(), dtype=torch.float64, seed=2).eval()
    loopless = SRC != DST
    src, dst = SRC[loopless], DST[loopless]
    ids = np.arange(N)
    block = Block(OwnSampler(src, dst, N).hop(ids, 2, np.random.default_rng(3)), Degrees(src, dst, N), torch.float64)
    norms = block.prepared(Preparation(self_loops=True, norm=True)).features
    drawn = np.bincount(block._ends(True)[1], minlength=N)
    degree = np.bincount(dst, minlength=N) + 1
    assert module.hops == 1
    np.testing.assert_allclose(norms["src:norm"].numpy(), 1 / np.sqrt(degree)[block.hop.vertices])
    np.testing.assert_allclose(norms["dst:norm"].numpy(), np.sqrt(degree) / drawn)


def test_a_sampled_batch_reads_only_the_vertices_it_needs() -> None:
    module = _module("graphsage").eval()
    drawn = hops(OwnSampler(SRC, DST, N), np.array([5]), [2, 2], np.random.default_rng(0))
    assert len(drawn[0].vertices) <= 3 + 3 * 2
    assert _sampled(module, np.array([5]), fan_out=2).shape == (1, 3)


def test_levels_count_the_hops_behind_a_value() -> None:
    steps = validate(SKIPS, _info()).steps
    assert levels(steps) == {"input": 0, "gcn1": 1, "gat": 2, "both": 2, "linear": 2, "output": 2}
    assert [s.node.id for s in steps if passes_messages(s)] == ["gcn1", "gat"]


def test_a_layer_of_many_hops_is_said_to_need_the_whole_graph() -> None:
    steps = validate(TEMPLATES["appnp"].doc, _info()).steps
    (problem,) = sampling_problems(steps)
    assert problem.node_id == "appnp"
    assert "more than one hop" in problem.message
    assert list(sampling_problems(validate(TEMPLATES["gat"].doc, _info()).steps)) == []


def test_loops_of_a_block_are_one_a_destination() -> None:
    hop = Hop(np.array([4, 9, 2]), 2, np.array([0, 2, 1]), np.array([0, 0, 0]), np.array([0, 1, 2]))
    degrees = Degrees(np.array([4, 2, 9]), np.array([4, 4, 4]), 10)
    graph = Block(hop, degrees, torch.float64).prepared(Preparation(self_loops=True)).graph
    assert sorted(zip(graph.src.tolist(), graph.dst.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1), (2, 0)]

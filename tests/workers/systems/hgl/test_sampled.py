"""Neighbours sampled relation by relation: all of them are the whole graph, some are what was asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from workers.core.channel import MemoryChannel
from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData
from workers.datasets import bundled
from workers.systems.hgl.run import run
from workers.systems.hgl.spec import SYSTEM, HglSpec
from workers.systems.hgl.stitched import SampledModel, stitched_model
from workers.systems.hgl.task_spec import TypedNodeClassification
from workers.training.typed_sampler import TypedSampler
from workers.zoo.templates import TEMPLATES


@pytest.fixture(scope="module")
def library() -> HeteroData:
    return bundled.load_hetero("library")


def spec(template: str, **batches: Any) -> HglSpec:
    """In float64 and without dropout, which would be drawn for other rows."""
    document = TEMPLATES[template].doc.model_dump()
    for node in document["nodes"]:
        if node["type"] == "dropout":
            node["params"] = {"p": 0.0}
    return HglSpec.model_validate({
        "model": document, "dataset": "library", "training": {"epochs": 3, "dtype": "float64", "profile_epochs": 0},
        "task": {"type": "node_classification", "batches": {"type": "sampled"} | batches},
    })  # fmt: skip


def model(given: HglSpec, data: HeteroData) -> SampledModel:
    assert isinstance(given.task, TypedNodeClassification)
    found = stitched_model(given, data, given.task.batches)
    assert isinstance(found, SampledModel)
    return found


@pytest.mark.parametrize("fan_out", [0, 10_000])
@pytest.mark.parametrize("template", ["rgcn", "rgat", "hgt", "simple-hgn"])
def test_all_neighbours_give_the_rows_and_gradients_of_the_whole_graph(
    template: str, fan_out: int, library: HeteroData
) -> None:
    it, ids = model(spec(template, fan_outs=[fan_out]), library), np.array([3, 4, 40, 200, 555])
    leaves = list(it.module.parameters())
    rows = [it.forward(ids, np.random.default_rng(0))(1), it.run(1)[torch.from_numpy(ids)]]
    torch.testing.assert_close(*rows, rtol=1e-9, atol=1e-10)
    for a, b in zip(*(torch.autograd.grad(r.square().sum(), leaves) for r in rows), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-8, atol=1e-9)


def test_at_most_the_fan_out_of_each_relation_is_drawn_and_no_edge_twice(library: HeteroData) -> None:
    graph = model(spec("rgcn"), library).graph.graph
    wanted, random = np.arange(0, graph.n_dst, 3), np.random.default_rng(1)
    hop = TypedSampler(graph, {0: 1, 1: 0}).hop(wanted, 2, random)
    block, most = hop.index, {0: 1, 1: graph.edges}
    rows = block.receivers
    drawn = dict(
        zip(zip(rows.relation, hop.vertices[rows.vertex], strict=True), np.diff(rows.ptr).tolist(), strict=True)
    )
    whole = zip(graph.receivers.relation, graph.receivers.vertex, np.diff(graph.receivers.ptr).tolist(), strict=True)
    assert drawn == {(r, v): min(n, most.get(r, 2)) for r, v, n in whole if v % 3 == 0}
    known = set(zip(graph.relation.tolist(), graph.src.tolist(), graph.dst.tolist(), strict=True))
    ends = hop.vertices[block.src].tolist(), hop.vertices[block.dst].tolist()
    edges = list(zip(block.relation.tolist(), *ends, strict=True))
    assert len(set(edges)) == len(edges)
    assert set(edges) <= known


def test_a_sampled_job_is_the_same_again_and_learns(library: HeteroData) -> None:
    given = spec("rgcn", batch_size=16, fan_outs=[4], by_relation=[{"relation": "rev_cites", "fan_out": 2}])
    found = []
    for _ in range(2):
        channel = MemoryChannel(datasets={"library": library})
        run(given, channel)
        found.append([values["train_loss"] for _, values in channel.metrics])
    assert found[0] == found[1]
    assert found[0][-1] < found[0][0]


@pytest.mark.parametrize(
    ("template", "batches", "pointer", "code"),
    [
        ("han", {}, "/model/nodes/han1", "sampling.hops"),
        ("rgcn", {"fan_outs": [1, 2, 3]}, "/task/batches/fan_outs", "task.fan_outs"),
        (
            "rgcn",
            {"by_relation": [{"relation": "eats", "fan_out": 1}]},
            "/task/batches/by_relation/0/relation",
            "task.relation",
        ),
    ],
)
def test_what_cannot_be_sampled_is_told_before_the_job_starts(
    template: str, batches: dict[str, Any], pointer: str, code: str, library: HeteroData
) -> None:
    found = SYSTEM.check(spec(template, **batches), lambda _: describe("library", library))
    assert (pointer, code) in [(p.pointer, p.code) for p in found]

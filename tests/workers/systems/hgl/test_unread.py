"""What nobody reads is left out: the same rows, gradients and scores as with all of the graph, from less of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.zoo.relations.documents import graph
from workers.compiler.passes.pipeline import DROP_UNREAD
from workers.core.channel import MemoryChannel
from workers.core.hetero import HeteroData, Relation
from workers.core.model import ModelDoc
from workers.core.stitch import stitch
from workers.datasets import bundled
from workers.systems.hgl.run import run
from workers.systems.hgl.spec import HglSpec
from workers.systems.hgl.stitched import Ids, StitchedModel
from workers.zoo.templates import TEMPLATES, chain
from workers.zoo.typed_blocks import TypedSampled


@pytest.fixture(scope="module")
def library() -> HeteroData:
    return bundled.load_hetero("library")


def spec(document: ModelDoc, *off: str, **training: Any) -> HglSpec:
    """In float64 and without dropout, which is drawn for the rows that are there."""
    written = document.model_dump()
    for node in written["nodes"]:
        node["params"] |= {k: 0.0 for k in ("p", "attention_dropout") if k in node["params"]}
    settings = {"epochs": 4, "dtype": "float64", "profile_epochs": 0} | training
    asked = {"model": written, "dataset": "library", "training": settings, "compiler": {"passes_off": off}}
    return HglSpec.model_validate(asked)


def layered(*layers: tuple[str, str, dict[str, Any]]) -> ModelDoc:
    rows: tuple[str, str, dict[str, Any]] = ("rows", "encode_types", {"out_features": 8})
    return chain(
        [("input", "input", {}), rows, *layers, ("last", "rgcn", {"out_features": 0}), ("output", "output", {})]
    )


PINNED = "paper -cites-> paper; author -rev_written by-> paper"
DOCUMENTS = {
    **{name: TEMPLATES[name].doc for name in ("rgcn", "rgat", "hgt", "simple-hgn", "han")},
    "batch norm": layered(("first", "rgcn", {"out_features": 8}), ("norm", "batch_norm", {})),
    "pinned": layered(("first", "rgcn", {"out_features": 8, "relations": PINNED})),
    "two han": layered(("first", "han", {"out_features": 2, "heads": 4}), ("second", "han", {"out_features": 2})),
}  # fmt: skip


def test_rows_that_nothing_reads_have_no_gradient_but_zero() -> None:
    """As with the whole graph, or an optimiser would leave them out: momentum and weight decay among it."""
    data = graph()
    within = chain([
        ("input", "input", {}), ("rows", "encode_types", {"out_features": 8}),
        ("it", "hetero_sage", {"out_features": 8, "relations": "paper -cites-> paper"}),
        ("last", "linear", {"out_features": 0}), ("output", "output", {}),
    ])  # fmt: skip
    model, papers = StitchedModel(spec(within), data), data.vertices_of("paper")
    ids = np.arange(papers.start, papers.stop)
    assert set(data.type_of(blocks(model, ids).vertices)) == {data.node_types.index("paper")}
    found, expected = (rows_and_gradients(model, rows)[1] for rows in (model.rows(ids, 1), model.run(1)[ids]))
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-8, atol=1e-9)


def rows_and_gradients(model: StitchedModel, rows: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
    weights = torch.linspace(0.5, 1.5, rows.numel(), dtype=rows.dtype).reshape(rows.shape)
    return rows, torch.autograd.grad((rows * weights).square().sum(), list(model.module.parameters()))


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("kernels", ["generated", "reference"])
def test_rows_and_gradients_are_those_of_the_whole_graph(name: str, kernels: str, library: HeteroData) -> None:
    model = StitchedModel(spec(DOCUMENTS[name], kernels=kernels), library)
    papers = library.vertices_of("paper")
    for ids in (np.arange(papers.start, papers.stop), np.arange(papers.start, papers.stop, 7)):
        rows, gradients = rows_and_gradients(model, model.rows(ids, 1))
        whole, expected = rows_and_gradients(model, model.run(1)[torch.from_numpy(ids)])
        torch.testing.assert_close(rows, whole, rtol=1e-9, atol=1e-11)
        for a, b in zip(gradients, expected, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", ["rgcn", "hgt", "han", "batch norm"])
def test_a_job_learns_the_same_with_and_without(name: str, library: HeteroData) -> None:
    found = []
    for off in ((), (DROP_UNREAD,)):
        channel = MemoryChannel(datasets={"library": library})
        run(spec(DOCUMENTS[name], *off), channel)
        found.append([values for _, values in channel.metrics])
    for a, b in zip(*found, strict=True):
        for key in set(a) - {"epoch_ms"}:
            assert a[key] == pytest.approx(b[key], rel=1e-8), key


def chained() -> HeteroData:
    """a <- b <- c <- d, and relations into b and d that no score of a two-layer model on `a` depends on."""
    random, size = np.random.default_rng(0), 30
    ends = [("b", "x", "a"), ("c", "y", "b"), ("d", "z", "c"), ("a", "w", "d")]
    edges = {Relation(*end): tuple(random.integers(0, size, (2, 60))) for end in ends}
    masks = {part: np.arange(size) % 3 == k for k, part in enumerate(("train", "val", "test"))}
    counts = dict.fromkeys("abcd", size)
    return stitch(counts, edges, name="chained", target="a", y=np.arange(size) % 2, classes=("p", "q"), **masks)


def blocks(model: StitchedModel, ids: range | Ids) -> TypedSampled:
    found = model.view(np.array(ids)).grounds
    assert isinstance(found, TypedSampled)
    return found


def test_a_layer_walks_only_edges_that_the_rows_asked_for_depend_on() -> None:
    data = chained()
    model = StitchedModel(spec(layered(("first", "rgcn", {"out_features": 8}))), data)
    begin = data.vertices_of("a").start
    first, last = blocks(model, range(begin, begin + 30)).hops
    assert np.diff(last.index.rel_ptr).tolist() == [60, 0, 0, 0]
    walked = np.diff(first.index.rel_ptr)
    assert walked[0] == 60
    assert 0 < walked[1] <= 60
    assert walked[2:].tolist() == [0, 0]
    assert set(data.type_of(first.vertices)) == {0, 1, 2}
    fewer = blocks(model, range(begin, begin + 2)).hops[1].index
    assert fewer.edges == sum(np.isin(data.dst, [begin, begin + 1]))


def test_statistics_over_all_rows_keep_all_rows() -> None:
    model = StitchedModel(spec(DOCUMENTS["batch norm"]), chained())
    first, last = blocks(model, range(30)).hops
    assert first.index.edges == 240
    assert last.index.edges == 60


def test_switched_off_or_without_messages_the_graph_is_whole() -> None:
    data, plain = chained(), chain([
        ("input", "input", {}), ("rows", "encode_types", {"out_features": 8}), ("head", "linear", {"out_features": 0}),
        ("output", "output", {}),
    ])  # fmt: skip
    for given in (spec(DOCUMENTS["rgcn"], DROP_UNREAD), spec(plain)):
        model = StitchedModel(given, data)
        assert model.view(np.arange(30)).grounds is model.graph
        assert model.rows(np.arange(30), 0).shape == (30, 2)
        assert model.walked(np.arange(30)) == "every layer walks 240 edges"


def test_a_job_says_what_its_layers_walk() -> None:
    model = StitchedModel(spec(layered(("first", "rgcn", {"out_features": 8}))), chained())
    first, last = blocks(model, range(30)).hops
    assert last.index.edges == 60
    assert model.walked(np.arange(30)) == f"{DROP_UNREAD}: layers walk {first.index.edges}, then 60 of 240 edges"

"""Whole heterogeneous jobs in this process: they learn, leave files and curves, and refuse what they cannot train."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
import torch

from workers.compiler.runtime.stitched import StitchedIndex
from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.dataset import DatasetInfo, GraphData
from workers.core.dataset_store import describe
from workers.core.errors import JobError
from workers.core.hetero import HeteroData, Relation
from workers.core.model import ModelDoc
from workers.core.stitch import stitch
from workers.datasets import bundled
from workers.systems.hgl.run import run
from workers.systems.hgl.spec import SYSTEM, HglResult, HglSpec
from workers.systems.hgl.task_spec import TypedNodeOutcome
from workers.systems.hgl.tasks.node import macro_f1
from workers.systems.seastar import spec as seastar
from workers.zoo.graphs import Stitched
from workers.zoo.module import ModelModule
from workers.zoo.templates import TEMPLATES, chain
from workers.zoo.typed_features import TypedFeatures

OVER_RELATIONS = [name for name, t in TEMPLATES.items() if t.kind == "hgl" and t.task["type"] == "node_classification"]


@pytest.fixture(scope="module")
def library() -> HeteroData:
    return bundled.load_hetero("library")


def spec(model: ModelDoc, dataset: str = "library", **training: Any) -> HglSpec:
    settings = {"epochs": 12, "profile_epochs": 2} | training
    return HglSpec.model_validate({"model": model.model_dump(), "dataset": dataset, "training": settings})


def trained(model: ModelDoc, data: HeteroData | GraphData, **training: Any) -> tuple[HglResult, MemoryChannel]:
    channel = MemoryChannel(datasets={"library": data})
    return run(spec(model, **training), channel), channel


def told(result: HglResult) -> TypedNodeOutcome:
    assert isinstance(result.outcome, TypedNodeOutcome)
    return result.outcome


def problems(document: HglSpec, data: HeteroData | GraphData) -> list[tuple[str, str]]:
    return [(p.pointer, p.code) for p in SYSTEM.check(document, lambda _: describe("library", data))]


@pytest.mark.parametrize("name", OVER_RELATIONS)
def test_a_template_learns_and_leaves_curves_profile_and_files(name: str, library: HeteroData) -> None:
    document = TEMPLATES[name].doc
    assert problems(spec(document), library) == []
    result, channel = trained(document, library, epochs=25, learning_rate=0.02)
    assert [step for step, _ in channel.metrics] == list(range(1, result.epochs_run + 1))
    assert told(result).test.accuracy > 0.5  # four areas
    assert told(result).test.macro_f1 == dict(channel.metrics)[result.best_epoch]["test_macro_f1"]
    assert (result.types, result.relations, told(result).target) == (4, 8, "paper")
    assert result.profile is not None
    generated = [k for k in result.profile.kernels if k.kind in ("row", "map")]
    assert generated
    assert all(k.source in channel.artifacts for k in generated)
    assert result.launches == pytest.approx(sum(k.calls for k in result.profile.kernels if k.kind != "other"))
    rows = list(csv.DictReader(io.StringIO(channel.artifacts["predictions.csv"].decode())))
    assert len(rows) == library.count("paper")
    tested = [r for r in rows if r["split"] == "test"]
    right = sum(r["label"] == r["predicted"] for r in tested)
    assert right / len(tested) == pytest.approx(told(result).test.accuracy)


def test_the_checkpoint_gives_the_predictions_that_were_stored(library: HeteroData) -> None:
    document = TEMPLATES["rgcn"].doc
    _, channel = trained(document, library)
    kept = torch.load(io.BytesIO(channel.artifacts["checkpoint.pt"]), weights_only=True)
    module = ModelModule(ModelDoc.model_validate_json(kept["model"]), describe("library", library)).eval()
    module.load_state_dict(kept["weights"])
    graph = Stitched(StitchedIndex(library.type_ptr, library.src, library.dst, library.rel_ptr))
    with torch.no_grad():
        found = module(TypedFeatures.of(library, torch.float32), graph)[library.vertices_of("paper")].argmax(1)
    rows = csv.DictReader(io.StringIO(channel.artifacts["predictions.csv"].decode()))
    assert [library.classes[k] for k in found.tolist()] == [r["predicted"] for r in rows]


def test_launches_do_not_grow_with_relations() -> None:
    """The same 600 edges in 3 relations and in 60."""
    found = [trained(TEMPLATES["rgcn"].doc, many(relations), epochs=8)[0].launches for relations in (3, 60)]
    assert found[0] == found[1]


def many(relations: int) -> HeteroData:
    random = np.random.default_rng(0)
    pairs = np.unique(random.integers(0, 40, (900, 2)), axis=0)[:600]
    parts = np.array_split(random.permutation(pairs), relations)
    edges = {Relation("a", f"r{k}", "a"): (p[:, 0].copy(), p[:, 1].copy()) for k, p in enumerate(parts)}
    masks = {part: np.arange(40) % 3 == k for k, part in enumerate(("train", "val", "test"))}
    y = np.arange(40) % 4
    return stitch({"a": 40}, edges, name="many", target="a", y=y, classes=("p", "q", "r", "s"), **masks)


def test_kernels_and_the_reference_learn_the_same(library: HeteroData) -> None:
    losses = [
        [m["train_loss"] for _, m in trained(_plain(), library, epochs=4, kernels=kernels, dtype="float64")[1].metrics]
        for kernels in ("generated", "reference")
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)


def test_passes_off_learn_the_same(library: HeteroData) -> None:
    document = spec(_plain(), epochs=4, dtype="float64")
    off = document.model_copy(update={"compiler": document.compiler.model_copy(update={"passes_off": ("fuse",)})})
    losses = []
    for one in (document, off):
        channel = MemoryChannel(datasets={"library": library})
        run(one, channel)
        losses.append([m["train_loss"] for _, m in channel.metrics])
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)


def _plain(kind: str = "rgcn", **params: Any) -> ModelDoc:
    return chain([
        ("input", "input", {}), ("rows", "encode_types", {"out_features": 8}),
        ("it", kind, {"out_features": 0} | params), ("output", "output", {}),
    ])  # fmt: skip


def test_it_stops_early_without_progress(library: HeteroData) -> None:
    result, _ = trained(_plain(), library, epochs=200, patience=3, learning_rate=1e-9)
    assert result.stopped_early


def test_a_cancelled_job_ends_at_once(library: HeteroData) -> None:
    channel = MemoryChannel(datasets={"library": library}, cancelled=True)
    with pytest.raises(JobCancelled):
        run(spec(_plain()), channel)


def test_a_graph_of_one_type_is_trained_on_as_one_relation() -> None:
    data = bundled.load("karate")
    assert problems(spec(_plain()), data) == []
    result, _ = trained(_plain(), data, epochs=40)
    assert (result.types, result.relations) == (1, 1)
    assert told(result).train.accuracy == 1.0


# --- what is refused --------------------------------------------------------------------------------------------------


def test_a_model_for_one_relation_is_sent_to_the_other_kind_and_back(library: HeteroData) -> None:
    karate = bundled.load("karate")
    assert problems(spec(TEMPLATES["gcn"].doc), karate) == [("/model", "model.one_relation")]
    document = seastar.SeastarSpec.model_validate({"model": _plain().model_dump(), "dataset": "karate"})
    assert [p.code for p in seastar.check(document, lambda _: describe("karate", karate))] == ["model.over_relations"]
    hetero = document.model_copy(update={"dataset": "library"})
    found = seastar.check(hetero, lambda _: describe("library", library))
    assert [(p.pointer, p.code) for p in found] == [("/dataset", "dataset_heterogeneous")]


def test_what_cannot_be_trained_is_told_before_it_starts(library: HeteroData) -> None:
    bare = stitch({"a": 3}, {Relation("a", "r", "a"): (np.array([0]), np.array([1]))}, name="bare")
    assert problems(spec(_plain()), bare) == [("/dataset", "dataset_unsuited")]
    assert SYSTEM.check(spec(_plain()), _nothing)[0].code == "dataset_missing"
    gpu = spec(_plain()).model_copy(update={"device": "gpu"})
    assert problems(gpu, library) == [("/device", "device")]
    mixed = chain(
        [
            ("input", "input", {}),
            ("rows", "encode_types", {}),
            ("gcn", "gcn", {"out_features": 0}),
            ("output", "output", {}),
        ]
    )
    assert problems(spec(mixed), library) == [("/model/nodes/gcn", "relations.mixed")]
    with pytest.raises(JobError, match="labelled"):
        run(spec(_plain()), MemoryChannel(datasets={"library": bare}))


def _nothing(_: str) -> DatasetInfo | None:
    return None


def test_macro_f1_is_scikit_learns() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = torch.Generator().manual_seed(3)
    guess, truth = (torch.randint(0, 4, (50,), generator=random) for _ in range(2))
    assert macro_f1(guess, truth, 5) == pytest.approx(metrics.f1_score(truth, guess, average="macro"))

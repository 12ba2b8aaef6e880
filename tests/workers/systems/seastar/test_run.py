"""Whole training jobs in this process, through the channel that remembers."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest
import torch

from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.dataset import GraphData
from workers.core.errors import JobError
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarResult, SeastarSpec
from workers.zoo.interop.dataset_tensors import features
from workers.zoo.templates import TEMPLATES

OF_VERTICES = [name for name, t in TEMPLATES.items() if (t.kind, t.task["type"]) == ("seastar", "node_classification")]


def _spec(template: str = "gcn", dataset: str = "karate", **training: Any) -> SeastarSpec:
    settings = {"epochs": 12, "profile_epochs": 3} | training
    document = {"model": TEMPLATES[template].doc.model_dump(), "dataset": dataset, "training": settings}
    return SeastarSpec.model_validate(document)


def _train(spec: SeastarSpec) -> tuple[SeastarResult, MemoryChannel]:
    channel = MemoryChannel(datasets={spec.dataset: bundled.load(spec.dataset)})
    return run(spec, channel), channel


@pytest.mark.parametrize("template", OF_VERTICES)
def test_a_template_trains_and_leaves_curves_profile_and_files(template: str) -> None:
    result, channel = _train(_spec(template))
    assert [step for step, _ in channel.metrics] == list(range(1, result.epochs_run + 1))
    assert result.best_epoch == max(channel.metrics, key=lambda m: (m[1]["val_accuracy"], -m[1]["val_loss"]))[0]
    assert result.outcome.type == "node_classification"
    assert result.outcome.test.accuracy == dict(channel.metrics)[result.best_epoch]["test_accuracy"]
    assert channel.progresses[-1] == (result.epochs_run, result.epochs_run, "epochs")
    profile = result.profile
    assert profile is not None
    for phase in ("forward", "backward"):
        total = sum(k.time_s for k in profile.kernels if k.phase == phase)
        assert total == pytest.approx(getattr(profile, f"{phase}_s"), rel=1e-6)
    generated = [k for k in profile.kernels if k.kind in ("row", "map")]
    assert generated
    assert all(k.source in channel.artifacts for k in generated)
    assert json.loads(result.model_dump_json())["profile"]["epochs"] == 3


def test_the_checkpoint_gives_the_predictions_that_were_stored() -> None:
    spec = _spec("gat", epochs=30)
    _, channel = _train(spec)
    stored = torch.load(io.BytesIO(channel.artifacts["checkpoint.pt"]), weights_only=True)
    assert ModelDoc.model_validate_json(stored["model"]) == spec.model
    rows = list(csv.DictReader(io.StringIO(channel.artifacts["predictions.csv"].decode())))
    data = bundled.load("karate")
    assert data.y is not None
    assert data.test is not None
    assert len(rows) == data.n
    right = np.mean([rows[v]["label"] == rows[v]["predicted"] for v in data.test])
    at_best = dict(channel.metrics)[stored["epoch"]]["test_accuracy"]
    assert right == pytest.approx(at_best)
    assert {row["split"] for row in rows} <= {"train", "val", "test", ""}


def test_the_exported_model_gives_the_predictions_that_were_stored() -> None:
    _, channel = _train(_spec("gcn", epochs=20))
    model = torch.export.load(io.BytesIO(channel.artifacts["model.pt2"])).module()
    data = bundled.load("karate")
    with torch.no_grad():
        scores = model(features(data), torch.from_numpy(np.stack([data.src, data.dst])))
    rows = list(csv.DictReader(io.StringIO(channel.artifacts["predictions.csv"].decode())))
    chances = scores.softmax(1).amax(1).tolist()
    assert [float(row["probability"]) for row in rows] == pytest.approx(chances, abs=1e-4)


def test_generated_and_reference_kernels_train_alike() -> None:
    curves = []
    for kernels in ("generated", "reference"):
        _, channel = _train(_spec("gat", kernels=kernels, dtype="float64", profile_epochs=0))
        curves.append([values["train_loss"] for _, values in channel.metrics])
    assert curves[0] == pytest.approx(curves[1], rel=1e-9)


@pytest.mark.parametrize("template", OF_VERTICES)
def test_the_same_seed_gives_the_same_run_on_one_and_two_threads(template: str) -> None:
    before, curves = torch.get_num_threads(), []
    for threads in (1, 2):
        _, channel = _train(_spec(template, dataset="digits", epochs=4, threads=threads, seed=3, profile_epochs=0))
        curves.append([{k: v for k, v in values.items() if k != "epoch_ms"} for _, values in channel.metrics])
    torch.set_num_threads(before)
    assert curves[0] == curves[1]


def test_another_seed_gives_another_run() -> None:
    losses = [_train(_spec(seed=seed))[0].outcome.train.loss for seed in (0, 1)]
    assert losses[0] != losses[1]


def test_cancelling_stops_at_the_next_step() -> None:
    spec = _spec(epochs=1000)
    channel = MemoryChannel(datasets={"karate": bundled.load("karate")}, cancelled=True)
    with pytest.raises(JobCancelled):
        run(spec, channel)
    assert channel.metrics == []


def test_what_the_user_can_mend_is_said_in_one_line() -> None:
    line = np.arange(3)
    bare = GraphData("bare", 3, line[:2], line[1:], y=line, classes=("a", "b", "c"), train=line[:1])
    unlabelled = GraphData("unlabelled", 3, line[:2], line[1:], x=np.ones((3, 2), np.float32))
    for data, message in ((bare, "no vertex features"), (unlabelled, "no labelled vertices")):
        with pytest.raises(JobError, match=message):
            run(_spec(dataset=data.name), MemoryChannel(datasets={data.name: data}))


def test_a_model_that_does_not_fit_the_dataset_is_refused_before_the_job_and_in_it() -> None:
    spec = _spec()
    nodes = tuple(
        n.model_copy(update={"params": {"out_features": 9}}) if n.id == "gcn2" else n for n in spec.model.nodes
    )
    wrong = spec.model_copy(update={"model": spec.model.model_copy(update={"nodes": nodes})})
    from workers.core.dataset_store import describe

    data = bundled.load("karate")
    problems = SYSTEM.check(wrong, lambda dataset_id: describe(dataset_id, data))
    assert [(p.pointer.startswith("/model/"), p.node_id) for p in problems] == [(True, "output")]
    with pytest.raises(DocumentError):
        run(wrong, MemoryChannel(datasets={"karate": data}))


def test_a_missing_dataset_is_named() -> None:
    (problem,) = SYSTEM.check(_spec(dataset="ds_gone"), lambda _: None)
    assert problem.pointer == "/dataset"
    assert "ds_gone" in problem.message

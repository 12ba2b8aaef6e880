"""Whole comparisons in processes of their own, through the channel that remembers."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from tests.workers.systems.seastar.comparison.chains import with_own_program
from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.dataset_store import describe
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.seastar.comparison import contender
from workers.systems.seastar.comparison.counterparts import COUNTERPARTS
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarSpec
from workers.training.comparison.contest import Contest
from workers.training.comparison.host import compare
from workers.zoo.templates import TEMPLATES


def spec_of(*systems: str, model: ModelDoc = TEMPLATES["gcn"].doc, **changes: Any) -> SeastarSpec:
    training = {"epochs": 10, "patience": 0, "profile_epochs": 0, "threads": 1}
    document = {"model": model.model_dump(), "dataset": "karate", "training": training, "compare": systems}
    return SeastarSpec.model_validate(document | changes)


def test_a_job_brings_the_same_model_in_every_system() -> None:
    channel = MemoryChannel(datasets={"karate": bundled.load("karate")})
    found = run(spec_of("passes_off", "dgl", "pyg"), channel).comparison
    assert found is not None
    assert [r.system for r in found.runs] == ["asterism", "passes_off", "dgl", "pyg"]
    assert (found.epochs, found.threads) == (10, 1)
    for r in found.runs:
        assert r.figures is not None, r.note
        assert list(r.figures.curve.epochs) == list(range(1, 11))
        assert r.figures.epochs_per_s == pytest.approx(1 / r.figures.epoch_s)
        assert r.figures.peak_memory_bytes > 0
        assert (r.figures.difference or 0) < 1e-5
    ours, off = (r.figures for r in found.runs[:2])
    assert ours is not None
    assert off is not None
    assert off.curve.train_loss == pytest.approx(ours.curve.train_loss, rel=1e-4), "dropout is drawn alike"
    told = [unit for unit, _ in groupby(unit for _, _, unit in channel.progresses if unit.startswith("epochs of "))]
    first = ["Asterism", "Asterism, passes off", "DGL", "PyG"]
    assert told == [f"epochs of {title}" for title in (*first, *first[1:], first[0])], "blocks in turn"


def test_what_has_no_counterpart_is_said_before_and_left_out() -> None:
    data = bundled.load("karate")
    (problem,) = SYSTEM.check(spec_of("dgl", model=with_own_program()), lambda name: describe(name, data))
    assert (problem.severity, problem.pointer) == ("warning", "/compare/0")
    assert "DGL has no counterpart of Vertex program (program0)" in problem.message


def test_other_tasks_are_not_compared() -> None:
    data = bundled.load("karate")
    spec = spec_of("pyg", task={"type": "node_classification", "batches": {"type": "sampled"}})
    assert [p.code for p in SYSTEM.check(spec, lambda name: describe(name, data))] == ["not_comparable"]


def test_a_cancelled_job_leaves_no_contender_behind() -> None:
    spec, channel = spec_of("pyg"), MemoryChannel(cancelled=True)
    told = {"contender": contender.__name__, "system": "asterism", "spec": spec, "epochs": 1000, "threads": 1}
    contest = Contest[SeastarSpec].model_validate(told)
    with pytest.raises(JobCancelled):
        compare(contest, spec.compare, COUNTERPARTS, channel, bundled.load("karate"))

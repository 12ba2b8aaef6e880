"""Whole comparisons of a job over relations, in processes of their own, through the channel that remembers."""

from __future__ import annotations

from typing import Any

from workers.core.channel import MemoryChannel
from workers.core.dataset_store import describe
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.hgl.run import run
from workers.systems.hgl.spec import SYSTEM, HglSpec
from workers.zoo.templates import TEMPLATES

LIBRARY = bundled.load_hetero("library")


def spec_of(*systems: str, model: ModelDoc = TEMPLATES["rgcn"].doc, **changes: Any) -> HglSpec:
    training = {"epochs": 4, "patience": 0, "profile_epochs": 0, "threads": 1}
    document = {"model": model.model_dump(), "dataset": "library", "training": training, "compare": systems}
    return HglSpec.model_validate(document | changes)


def problems(spec: HglSpec) -> list[tuple[str, str, str]]:
    return [(p.pointer, p.code, p.severity) for p in SYSTEM.check(spec, lambda name: describe(name, LIBRARY))]


def test_a_job_brings_the_same_model_in_every_system() -> None:
    channel = MemoryChannel(datasets={"library": LIBRARY})
    found = run(spec_of("passes_off", "dgl", "pyg"), channel).comparison
    assert found is not None
    assert [r.system for r in found.runs] == ["asterism", "passes_off", "dgl", "pyg"]
    assert (found.epochs, found.threads) == (4, 1)
    for r in found.runs:
        assert r.figures is not None, r.note
        assert list(r.figures.curve.epochs) == [1, 2, 3, 4]
        assert (r.figures.difference or 0) < 1e-5


def test_what_cannot_be_compared_is_said_before() -> None:
    assert problems(spec_of("dgl", "pyg")) == []
    assert problems(spec_of("pyg", "dgl", model=TEMPLATES["han"].doc)) == [("/compare/1", "no_counterpart", "warning")]
    sampled = {"type": "node_classification", "batches": {"type": "sampled"}}
    found = problems(spec_of("dgl", task=sampled))
    assert found == [("/compare", "not_comparable", "error")]

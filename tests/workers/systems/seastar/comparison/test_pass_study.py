"""Each pass off by itself, in processes of their own: the same losses, and what each is worth."""

from __future__ import annotations

from typing import Any

import pytest

from workers.compiler.passes.pipeline import SWITCHES
from workers.core.channel import JobCancelled, MemoryChannel
from workers.core.dataset_store import describe
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.seastar.comparison.pass_study import effective, study, without
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarSpec
from workers.zoo.templates import TEMPLATES

KARATE = bundled.load("karate")
NAMED = ("share_subexpressions", "fuse", "split_concat_linears")


def spec_of(*passes: str, model: ModelDoc = TEMPLATES["gat"].doc, **changes: Any) -> SeastarSpec:
    training = {"epochs": 2, "patience": 0, "profile_epochs": 0, "threads": 1, "dtype": "float64"}
    asked = {"passes": passes, "epochs": 4}
    document = {"model": model.model_dump(), "dataset": "karate", "training": training, "pass_study": asked}
    return SeastarSpec.model_validate(document | changes)


def test_each_pass_off_trains_to_the_same_losses_and_shows_what_it_is_worth() -> None:
    channel = MemoryChannel(datasets={"karate": KARATE})
    found = run(spec_of(*NAMED), channel).pass_study
    assert found is not None
    assert (found.epochs, found.threads) == (4, 1)
    assert [r.off for r in found.runs] == ["", *NAMED, "all"]
    ran = {r.off: r.figures for r in found.runs if r.figures}
    assert {r.off for r in found.runs if not r.changes} == {"", *NAMED, "all"} - set(ran)
    assert "split_concat_linears" not in ran, "a GAT joins nothing before a product"
    for figures in ran.values():
        assert figures.loss_apart < 1e-9
        assert figures.epoch_s > 0
    assert ran["fuse"].launches > 2 * ran[""].launches, "every operation is a kernel of its own"
    assert ran["all"].kept_bytes > ran[""].kept_bytes
    assert {unit for _, _, unit in channel.progresses} >= {"epochs", "epochs of fuse off (2 of 4 runs)"}


def test_a_pass_without_which_the_same_is_generated_is_known_before_anything_runs() -> None:
    found = set(effective(spec_of(), KARATE, SWITCHES))
    assert {"fuse", "save_or_recompute", "gradients_from_results"} <= found
    assert "split_concat_linears" not in found
    assert not found & set(effective(without(spec_of(), "all"), KARATE, SWITCHES)), "they are off already"


def test_what_cannot_be_studied_is_said_before() -> None:
    def codes(spec: SeastarSpec) -> list[tuple[str, str]]:
        return [(p.pointer, p.code) for p in SYSTEM.check(spec, lambda name: describe(name, KARATE))]

    assert codes(spec_of("fuse")) == []
    assert codes(spec_of("fuse", "fusion")) == [("/pass_study/passes/1", "unknown_pass")]
    sampled = {"type": "node_classification", "batches": {"type": "sampled"}}
    assert codes(spec_of(task=sampled)) == [("/pass_study", "not_comparable")]
    assert codes(spec_of(device="gpu")) == [("/pass_study", "device")]


def test_a_cancelled_job_stops_between_runs() -> None:
    with pytest.raises(JobCancelled):
        study(spec_of("fuse"), MemoryChannel(cancelled=True), KARATE, 1)

"""What a job tells the compiler is honoured: passes left out, memory spent or saved, with the same numbers."""

from __future__ import annotations

from typing import Any

import pytest

from workers.compiler.passes.pipeline import SWITCHES
from workers.core.channel import MemoryChannel
from workers.core.dataset import DatasetInfo
from workers.core.dataset_store import describe
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarResult, SeastarSpec
from workers.zoo.templates import TEMPLATES


def _spec(**compiler: Any) -> SeastarSpec:
    settings = {"epochs": 6, "profile_epochs": 2, "dtype": "float64"}
    document = {"model": TEMPLATES["gat"].doc.model_dump(), "dataset": "karate", "training": settings}
    return SeastarSpec.model_validate(document | {"compiler": compiler})


def _train(**compiler: Any) -> SeastarResult:
    return run(_spec(**compiler), MemoryChannel(datasets={"karate": bundled.load("karate")}))


def _found(name: str) -> DatasetInfo:
    return describe(name, bundled.load("karate"))


def test_every_pass_off_trains_to_the_same_loss() -> None:
    usual, plain = _train(), _train(passes_off=SWITCHES)
    assert plain.outcome.train.loss == pytest.approx(usual.outcome.train.loss, rel=1e-9)
    assert usual.profile is not None
    assert plain.profile is not None
    assert len(plain.profile.kernels) > 2 * len(usual.profile.kernels)


def test_less_memory_keeps_less_and_trains_to_the_same_loss() -> None:
    usual, least = _train(), _train(memory="min")
    assert least.outcome.train.loss == pytest.approx(usual.outcome.train.loss, rel=1e-9)
    assert usual.profile is not None
    assert least.profile is not None
    assert least.profile.saved_bytes < usual.profile.saved_bytes / 2


def test_an_unknown_pass_is_a_problem_that_names_the_known_ones() -> None:
    problems = SYSTEM.check(_spec(passes_off=("fuse", "fusion")), _found)
    assert [(p.pointer, p.code) for p in problems] == [("/compiler/passes_off/1", "unknown_pass")]
    assert "fold_constants" in str(problems[0].hint)
    assert SYSTEM.check(_spec(passes_off=SWITCHES), _found) == []

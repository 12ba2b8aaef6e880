"""What a toy job takes and gives."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from workers.core.problems import Problem
from workers.core.spec import Result, Spec
from workers.core.system import FindDataset, System

Mode = Literal["finish", "fail", "blame", "crash", "exit", "sleep", "chatter", "deaf", "orphan", "files", "commands"]


class ToySpec(Spec):
    """Behave in a certain way, for tests."""

    kind: Literal["toy"] = "toy"
    mode: Mode = Field(default="finish", description="How to behave.")
    steps: int = Field(default=3, ge=0, le=1_000_000, description="How many steps to take.")
    first: int = Field(default=1, ge=1, le=1_000_000, description="Number of the first step.")
    series: int = Field(default=0, ge=0, le=100, description="Series beside loss and accuracy.")
    step_s: float = Field(default=0.0, ge=0, le=600, description="Time of a step.")
    signal: int = Field(default=11, ge=1, le=31, description="Signal to crash with.")
    note: str = Field(default="", max_length=200, description="Text to leave in a file: a mark that a run happened.")
    folder: str = Field(default="", max_length=400, description="Where marks of runs are left.")
    dataset: str | None = Field(default=None, max_length=64, description="A dataset that must be there.")


class ToyResult(Result):
    """What was done."""

    kind: Literal["toy"] = "toy"
    steps: int
    attempt_mark: str


def check(spec: Any, find_dataset: FindDataset) -> list[Problem]:
    """A toy job may name a dataset, which must then be there."""
    if spec.dataset is None or find_dataset(spec.dataset) is not None:
        return []
    message = f"There is no dataset {spec.dataset!r}."
    return [Problem(pointer="/dataset", code="dataset_missing", message=message, hint="Choose one from the list.")]


SYSTEM = System(
    kind="toy",
    title="Toy",
    description="Does what a test tells it to.",
    spec=ToySpec,
    result=ToyResult,
    devices=("cpu", "gpu"),
    check=check,
)

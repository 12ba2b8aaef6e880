"""A system: the narrow waist between the platform and one kind of job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workers.core.dataset import DatasetInfo
from workers.core.problems import Problem
from workers.core.spec import Result, Spec

FindDataset = Callable[[str], DatasetInfo | None]


def no_problems(spec: Any, find_dataset: FindDataset) -> list[Problem]:
    """The check of a system whose spec's own field rules say everything."""
    del spec, find_dataset
    return []


@dataclass(frozen=True)
class System:
    """One kind of job. Its folder name, `kind`, spec discriminator and page folder are the same word.

    `preload` has workers import its `run` ahead of the first job, so that jobs start at once: worth it for what people
    wait for, at the price of the memory of what it imports.

    `check` runs in the API process before a job is accepted (no torch there): it sees the spec and the facts of the
    datasets it names, and returns every problem it finds.
    """

    kind: str
    title: str
    description: str
    spec: type[Spec]
    result: type[Result]
    devices: tuple[str, ...] = ("cpu",)
    preload: bool = False
    check: Callable[[Any, FindDataset], list[Problem]] = field(default=no_problems)

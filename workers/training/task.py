"""The protocol of tasks: what the training loop asks of them, and what a job asks beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData
from workers.training.placement import device_of, place
from workers.training.spec import TrainingSpec
from workers.zoo.module import ModelModule

Score = Mapping[str, float]
"""`loss` and the task's metrics by name, on one part of the data."""
Scores = Mapping[str, Score]
"""By part: train, val, test."""
Table = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""Column names and rows."""


@dataclass(frozen=True)
class Batch:
    """One step: `forward` runs the model, `loss` scores what it gave."""

    forward: Callable[[], Tensor]
    loss: Callable[[Tensor], Tensor]


class Task(Protocol):
    """One model in training. `learner` holds everything that is trained, the model's own module among it."""

    module: ModelModule
    learner: nn.Module

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The steps of an epoch, the same ones for the same epoch and seed."""

    def scores(self) -> Scores:
        """How good the weights are now; the learner is evaluating and no gradient is kept."""

    def described(self) -> Sequence[str]:
        """Lines for the log about what is trained on."""

    def other_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        """For the checkpoint: what is trained beside the module, by name."""


@dataclass(frozen=True)
class Kind:
    """What a kind of job does for one task, of its own spec and data.

    metric: the one whose best validation value decides which weights are kept. make: the tasks of a job, several for a
    cross-validation. outcome, predictions: from the tasks with their best weights, and those weights' scores, in the
    same order. final: those scores once more, where an epoch scores only some of what there is.
    """

    metric: str
    make: Callable[[Any, Any], Sequence[Any]]
    outcome: Callable[[Sequence[Any], Sequence[Scores], Sequence[int]], Any]
    predictions: Callable[[Any, Sequence[Any]], Table]
    final: Callable[[Any], Sequence[Scores]] | None = None


def build(spec: TrainingSpec, data: GraphData | HeteroData, *, sparse: bool = False) -> ModelModule:
    """The spec's model for that data. Raises DocumentError where it cannot run on it."""
    settings = spec.training
    module = ModelModule(
        spec.model,
        describe(spec.dataset, data),
        kernels=settings.kernels,
        dtype=dtype_of(spec),
        seed=settings.seed,
        sparse=sparse,
        passes_off=spec.compiler.passes_off,
        memory=spec.compiler.memory,
    )
    place(module, device_of(spec.device))
    return module


def as_entries(spec: TrainingSpec) -> bool:
    """Whether features that are mostly zeros may stay entries: only the kernels for memory take them."""
    return spec.training.kernels == "generated" and spec.device == "cpu"


def dtype_of(spec: TrainingSpec) -> torch.dtype:
    found: torch.dtype = getattr(torch, spec.training.dtype)
    return found


def step_seed(spec: TrainingSpec, step: int) -> int:
    """What decides the random numbers inside vertex programs at training step `step`, from 1; 0 is for evaluation."""
    return spec.training.seed * 1_000_003 + step

"""The files a training job leaves beside the sources of its kernels: checkpoint and predictions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from workers.training.spec import TrainingSpec
from workers.training.task import Task


def checkpoint(spec: TrainingSpec, tasks: Sequence[Task], epochs: Sequence[int]) -> bytes:
    """A torch file that `torch.load(..., weights_only=True)` opens.

    model, task: JSON documents. dataset, epoch. weights: the model's by name. decoder: those that score pairs, where
    there are any. folds: the model's weights and epoch of every fold of a cross-validation; `weights` are the first's.
    """
    content: dict[str, Any] = {
        "format": 1,
        "model": spec.model.model_dump_json(),
        "task": spec.task.model_dump_json(),
        "dataset": spec.dataset,
        "epoch": epochs[0],
        "weights": tasks[0].module.state_dict(),
        **tasks[0].other_weights(),
    }
    if len(tasks) > 1:
        rows = zip(epochs, tasks, strict=True)
        content["folds"] = [{"epoch": epoch, "weights": task.module.state_dict()} for epoch, task in rows]
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()

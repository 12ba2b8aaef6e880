"""The files a training job leaves: checkpoint, predictions and the sources of its kernels."""

from __future__ import annotations

import csv
import io

import numpy as np
import torch
from torch import Tensor

from workers.core.dataset import GraphData
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.train import Labels


def checkpoint(spec: SeastarSpec, weights: dict[str, Tensor], epoch: int) -> bytes:
    """A torch file that `torch.load(..., weights_only=True)` opens: document, dataset, epoch and weights by name."""
    buffer = io.BytesIO()
    document = spec.model.model_dump_json()
    torch.save({"format": 1, "model": document, "dataset": spec.dataset, "epoch": epoch, "weights": weights}, buffer)
    return buffer.getvalue()


def predictions(data: GraphData, labels: Labels, logits: Tensor) -> bytes:
    """CSV, one line a vertex: vertex, split, label, predicted, probability of the predicted class."""
    probability, predicted = logits.softmax(1).max(1)
    split = np.full(data.n, "", dtype=object)
    for name, rows in labels.splits().items():
        split[rows.numpy()] = name
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["vertex", "split", "label", "predicted", "probability"])
    columns = (split, labels.y.tolist(), predicted.tolist(), probability.tolist())
    for vertex, (part, label, guess, chance) in enumerate(zip(*columns, strict=True)):
        writer.writerow([vertex, part, _class(data, label), _class(data, guess), f"{chance:.6f}"])
    return text.getvalue().encode()


def _class(data: GraphData, number: int) -> str:
    if number < 0:
        return ""
    return data.classes[number] if number < len(data.classes) else str(number)

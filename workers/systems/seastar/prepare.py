"""A stored dataset as the tensors that training reads.

Shapes: N vertices, F features, E arcs, K edge features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.core.dataset import GraphData, SparseRows
from workers.core.errors import JobError
from workers.systems.seastar.train import Labels


@dataclass(frozen=True)
class Features:
    """x: [N, F]; edge_x: [E, K] or None, in the order of the dataset's arcs; both of the job's dtype."""

    x: Tensor
    edge_x: Tensor | None


def features(data: GraphData, dtype: torch.dtype) -> Features:
    """Raises JobError where the vertices have no features."""
    if data.x is None:
        raise JobError(f"{data.name} has no vertex features. Pick a dataset with features.")
    x = dense(data.x) if isinstance(data.x, SparseRows) else data.x
    edge_x = None if data.edge_x is None else torch.from_numpy(data.edge_x).to(dtype)
    return Features(torch.from_numpy(x).to(dtype), edge_x)


def dense(rows: SparseRows) -> NDArray[np.float32]:
    """float32[N, F]."""
    counts = np.diff(rows.indptr)
    out = np.zeros((len(counts), rows.columns), np.float32)
    out[np.repeat(np.arange(len(counts)), counts), rows.indices] = rows.data
    return out


def labels(data: GraphData) -> Labels:
    """Raises JobError where there is nothing to learn from."""
    if data.y is None or data.train is None or not len(data.train):
        raise JobError(f"{data.name} has no labelled vertices to train on. Pick a dataset with a training split.")
    empty = np.zeros(0, np.int64)
    val, test = (empty if part is None else part for part in (data.val, data.test))
    y, train, val_ids, test_ids = (torch.from_numpy(np.ascontiguousarray(a)) for a in (data.y, data.train, val, test))
    return Labels(y, train, val_ids, test_ids)

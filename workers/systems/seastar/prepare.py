"""A stored dataset as the tensors that training reads.

Shapes: N vertices, F features, E arcs, K edge features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from workers.core.dataset import GraphData, SparseRows
from workers.core.errors import JobError
from workers.zoo import feature_form
from workers.zoo.feature_form import Cost
from workers.zoo.sparse_features import SparseFeatures


@dataclass(frozen=True)
class Labels:
    """y: int64[R], -1 where unlabelled, for R vertices or graphs; train, val, test: int64 numbers of them."""

    y: Tensor
    train: Tensor
    val: Tensor
    test: Tensor

    def splits(self) -> dict[str, Tensor]:
        return {"train": self.train, "val": self.val, "test": self.test}


@dataclass(frozen=True)
class Features:
    """x: [N, F], as entries where that is quicker; edge_x: [E, K] or None, in the order of the dataset's arcs.

    Both are of the job's dtype; `cost` is what decided on the form of x.
    """

    x: Tensor | SparseFeatures
    edge_x: Tensor | None
    cost: Cost | None = None

    def described(self) -> tuple[str, ...]:
        """For the log: how wide they are, and why they are kept as they are."""
        width = f"{self.x.shape[1]:,} features a vertex"
        if self.cost is None:
            return (width,)
        kept = "kept as entries" if self.cost.as_entries else "made dense"
        times = f"{1e3 * self.cost.entries_s:.2f} ms as entries, {1e3 * self.cost.dense_s:.2f} ms dense"
        return (f"{width}, {kept}: a first product over some rows took {times}",)


def features(
    data: GraphData, dtype: torch.dtype, *, sparse: bool = True, device: torch.device | None = None
) -> Features:
    """`sparse` allows features as entries; dense ones lie on `device`. Raises JobError where there are none."""
    if data.x is None:
        raise JobError(f"{data.name} has no vertex features. Pick a dataset with features.")
    edge_x = None if data.edge_x is None else torch.from_numpy(data.edge_x).to(device, dtype)
    if not isinstance(data.x, SparseRows):
        return Features(torch.from_numpy(data.x).to(device, dtype), edge_x)
    if not sparse:
        return Features(SparseFeatures.of(data.x, dtype).dense().to(device), edge_x)
    x, cost = feature_form.features(data.x, dtype)
    return Features(x, edge_x, cost)


def labels(data: GraphData) -> Labels:
    """Raises JobError where there is nothing to learn from."""
    if data.y is None or data.train is None or not len(data.train):
        raise JobError(f"{data.name} has no labelled vertices to train on. Pick a dataset with a training split.")
    empty = np.zeros(0, np.int64)
    val, test = (empty if part is None else part for part in (data.val, data.test))
    y, train, val_ids, test_ids = (torch.from_numpy(np.ascontiguousarray(a)) for a in (data.y, data.train, val, test))
    return Labels(y, train, val_ids, test_ids)

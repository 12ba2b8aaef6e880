"""The arrays of a dataset as torch tensors and back, splits as masks and back, for the bridges to other libraries.

Shapes: N vertices, F features, G graphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from torch import Tensor

from workers.core.dataset import GraphData, SparseRows

SPLITS = ("train", "val", "test")


def features(data: GraphData) -> Tensor | None:
    """float32[N, F], dense."""
    if isinstance(data.x, SparseRows):
        rows = csr_matrix((data.x.data, data.x.indices, data.x.indptr), shape=(data.n, data.x.columns))
        return torch.from_numpy(rows.toarray())
    return tensor(data.x)


def tensor(array: NDArray[Any] | None) -> Tensor | None:
    return None if array is None else torch.from_numpy(np.array(array))


def masks(data: GraphData, rows: int) -> dict[str, Tensor]:
    """`train_mask` and the like, bool[rows], for the splits there are."""
    found = {}
    for split in SPLITS:
        if (ids := getattr(data, split)) is not None:
            found[f"{split}_mask"] = torch.zeros(rows, dtype=torch.bool)
            found[f"{split}_mask"][torch.from_numpy(np.array(ids))] = True
    return found


def split_ids(found: Mapping[str, Any]) -> dict[str, Any]:
    """`train` and the like, int64 ids, from the masks there are."""
    return {s: array(found[m].nonzero().flatten(), np.int64) for s in SPLITS if (m := f"{s}_mask") in found}


def array(x: Tensor, dtype: Any) -> NDArray[Any]:
    """A copy, so that neither library's objects change ours."""
    return np.array(x.detach().cpu().numpy(), dtype)


def matrix(x: Tensor) -> NDArray[np.float32]:
    """float32[N, F]; one number a row becomes one column."""
    return array(x.reshape(len(x), -1), np.float32)


def class_names(*labels: NDArray[np.int64] | None) -> tuple[str, ...]:
    """Numbers as names, since neither library knows any."""
    return tuple(str(k) for k in range(max((int(y.max(initial=-1)) for y in labels if y is not None), default=-1) + 1))

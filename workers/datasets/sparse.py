"""Feature matrices: dense float32[N, F] or CSR rows, whichever is smaller to keep.

Shape letters: N vertices, F features, Z entries that are not zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import SparseRows

SPARSE_BELOW = 0.2
"""Below this share of entries that are not zero, rows are kept sparse."""

Features = NDArray[np.float32] | SparseRows


def nonzero_count(x: Features) -> int:
    return int(np.count_nonzero(x.data if isinstance(x, SparseRows) else x))


def nonzero_ratio(x: Features | None) -> float:
    """Share of the N*F entries that are not zero; 0.0 for an empty matrix."""
    if x is None:
        return 0.0
    rows, columns = shape(x)
    return nonzero_count(x) / (rows * columns) if rows * columns else 0.0


def shape(x: Features) -> tuple[int, int]:
    if isinstance(x, SparseRows):
        return len(x.indptr) - 1, x.columns
    return x.shape[0], x.shape[1]


def from_entries(
    rows: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float32], n: int, width: int
) -> SparseRows:
    """CSR from coordinates int64[Z]; an entry given more than once counts once (its last value)."""
    key = rows * max(width, 1) + columns
    _, last_from_end = np.unique(key[::-1], return_index=True)
    keep = len(key) - 1 - last_from_end
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(rows[keep], minlength=n), out=indptr[1:])
    return SparseRows(indptr, columns[keep].astype(np.int32), values[keep].astype(np.float32), width)


def from_dense(x: NDArray[np.float32]) -> SparseRows:
    rows, columns = np.nonzero(x)
    indptr = np.zeros(x.shape[0] + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=x.shape[0]), out=indptr[1:])
    return SparseRows(indptr, columns.astype(np.int32), x[rows, columns].astype(np.float32), x.shape[1])


def to_dense(x: Features) -> NDArray[np.float32]:
    if not isinstance(x, SparseRows):
        return x
    dense = np.zeros(shape(x), np.float32)
    dense[row_numbers(x), x.indices] = x.data
    return dense


def row_numbers(x: SparseRows) -> NDArray[np.int64]:
    """int64[Z]: the row of each stored entry."""
    return np.repeat(np.arange(len(x.indptr) - 1, dtype=np.int64), np.diff(x.indptr))


def smaller_layout(x: Features) -> Features:
    """Sparse where few entries are set, dense where many are."""
    sparse = nonzero_ratio(x) < SPARSE_BELOW
    if isinstance(x, SparseRows):
        return x if sparse else to_dense(x)
    return from_dense(x) if sparse else np.ascontiguousarray(x, np.float32)


def row_normalise(x: Features) -> Features:
    """Divide each row by its sum; rows that sum to zero stay as they are."""
    if isinstance(x, SparseRows):
        sums = np.bincount(row_numbers(x), weights=x.data, minlength=len(x.indptr) - 1).astype(np.float64)
        scale = np.repeat(_inverse(sums), np.diff(x.indptr))
        return SparseRows(x.indptr, x.indices, (x.data * scale).astype(np.float32), x.columns)
    return (x * _inverse(x.sum(axis=1, dtype=np.float64))[:, None]).astype(np.float32)


def take_rows(x: Features, ids: NDArray[np.int64]) -> Features:
    """The rows `ids`, in that order."""
    if not isinstance(x, SparseRows):
        return x[ids]
    counts = np.diff(x.indptr)[ids]
    indptr = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(counts, out=indptr[1:])
    at = np.arange(indptr[-1]) - np.repeat(indptr[:-1], counts) + np.repeat(x.indptr[ids], counts)
    return SparseRows(indptr, x.indices[at], x.data[at], x.columns)


def _inverse(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(1.0, sums, out=np.ones_like(sums), where=sums != 0)

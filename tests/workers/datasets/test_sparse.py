"""Sparse rows against the dense matrix they stand for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from workers.core.dataset import SparseRows
from workers.datasets import sparse

MATRICES = nps.arrays(
    np.float32,
    nps.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6),
    elements=st.sampled_from([0, 0, 0, 1, 2, -3]),
)


@given(MATRICES)
def test_there_and_back(x: np.ndarray) -> None:
    assert np.array_equal(sparse.to_dense(sparse.from_dense(x)), x)
    assert sparse.nonzero_ratio(x) == sparse.nonzero_ratio(sparse.from_dense(x))


@given(MATRICES)
def test_row_normalising_is_the_same_in_both_layouts(x: np.ndarray) -> None:
    x = np.abs(x)
    dense = sparse.to_dense(sparse.row_normalise(x))
    assert np.allclose(dense, sparse.to_dense(sparse.row_normalise(sparse.from_dense(x))))
    sums = dense.sum(axis=1)
    assert np.allclose(sums, x.any(axis=1) if x.shape[1] else np.zeros(len(x)))


@given(MATRICES, st.randoms(use_true_random=False))
def test_taking_rows_is_the_same_in_both_layouts(x: np.ndarray, random: object) -> None:
    ids = np.random.default_rng(len(x)).integers(0, max(len(x), 1), 5 if len(x) else 0)
    assert np.array_equal(sparse.to_dense(sparse.take_rows(sparse.from_dense(x), ids)), x[ids])


def test_an_entry_given_twice_counts_once() -> None:
    rows, columns = np.array([0, 1, 0]), np.array([2, 0, 2])
    x = sparse.from_entries(rows, columns, np.array([5, 1, 7], np.float32), 2, 3)
    assert np.array_equal(sparse.to_dense(x), [[0, 0, 7], [1, 0, 0]])


def test_the_layout_follows_the_share_of_entries_that_are_set() -> None:
    few, many = np.zeros((10, 10), np.float32), np.ones((10, 10), np.float32)
    few[0, :5] = 1
    assert isinstance(sparse.smaller_layout(few), SparseRows)
    assert isinstance(sparse.smaller_layout(sparse.from_dense(many)), np.ndarray)

"""Splits are disjoint, sized as asked, and the same for the same seed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workers.datasets import splits

LABELS = st.lists(st.integers(-1, 3), max_size=60).map(lambda labels: np.array(labels, np.int64))


def _disjoint_and_labelled(split: splits.Split, y: np.ndarray) -> None:
    ids = np.concatenate(split)
    assert len(np.unique(ids)) == len(ids)
    assert bool((y[ids] >= 0).all())
    assert all(bool(np.all(np.diff(part) > 0)) for part in split)


@given(LABELS, st.integers(1, 5), st.integers(0, 9), st.integers(0, 9))
def test_per_class_gives_each_class_its_labels(y: np.ndarray, labels: int, val: int, test: int) -> None:
    split = splits.per_class(y, labels, val, test, seed=0)
    _disjoint_and_labelled(split, y)
    for c in np.unique(y[y >= 0]):
        assert (y[split.train] == c).sum() == min(labels, max(1, (y == c).sum() // 2))
    assert len(split.val) <= val
    assert len(split.test) <= test


@given(LABELS)
def test_per_class_all_leaves_nobody_out(y: np.ndarray) -> None:
    split = splits.per_class_all(y, 2, 3, seed=1)
    _disjoint_and_labelled(split, y)
    assert sum(map(len, split)) == (y >= 0).sum()


@given(LABELS)
def test_stratified_leaves_nobody_out(y: np.ndarray) -> None:
    split = splits.stratified(y, 0.8, 0.1, seed=1)
    _disjoint_and_labelled(split, y)
    assert sum(map(len, split)) == (y >= 0).sum()


def test_shares_are_of_the_size_asked_for_and_follow_the_seed() -> None:
    ids = np.arange(100)
    first, same, other = (splits.shares(ids, 0.6, 0.2, seed) for seed in (0, 0, 1))
    assert [len(part) for part in first] == [60, 20, 20]
    assert np.array_equal(first.train, same.train)
    assert not np.array_equal(first.train, other.train)

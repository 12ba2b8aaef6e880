"""Who is trained on, who is validated on, who is tested on: int64 vertex ids, ascending, disjoint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


class Split(NamedTuple):
    train: Ids
    val: Ids
    test: Ids


def shares(ids: Ids, train: float, val: float, seed: int) -> Split:
    """Shuffle `ids`; the first share trains, the next validates, the rest tests."""
    order = np.random.default_rng(seed).permutation(ids)
    first = round(len(ids) * train)
    second = first + round(len(ids) * val)
    return _sorted(order[:first], order[first:second], order[second:])


def stratified(y: NDArray[np.int64], train: float, val: float, seed: int) -> Split:
    """As `shares`, class by class, so that each part has every class in proportion. Entries of -1 are left out."""
    parts = [shares(np.flatnonzero(y == c), train, val, seed + int(c)) for c in np.unique(y[y >= 0])]
    if not parts:
        return _sorted(*(np.zeros(0, np.int64),) * 3)
    return _sorted(*(np.concatenate(ids) for ids in zip(*parts, strict=True)))


def per_class(y: NDArray[np.int64], labels: int, val: int, test: int, seed: int) -> Split:
    """`labels` vertices of each class train (at most half of a class); of the rest `val`, then `test`, at random."""
    rng = np.random.default_rng(seed)
    picks = []
    for c in np.unique(y[y >= 0]):
        members = np.flatnonzero(y == c)
        picks.append(rng.permutation(members)[: min(labels, max(1, len(members) // 2))])
    train = np.concatenate(picks) if picks else np.zeros(0, np.int64)
    rest = rng.permutation(np.setdiff1d(np.flatnonzero(y >= 0), train))
    return _sorted(train, rest[:val], rest[val : val + test])


def per_class_all(y: NDArray[np.int64], labels: int, val_labels: int, seed: int) -> Split:
    """Of each class `labels` vertices train (at most half of it) and up to `val_labels` validate; all others test."""
    rng = np.random.default_rng(seed)
    train, val, test = [], [], []
    for c in np.unique(y[y >= 0]):
        members = rng.permutation(np.flatnonzero(y == c))
        first = min(labels, max(1, len(members) // 2))
        train.append(members[:first])
        val.append(members[first : first + val_labels])
        test.append(members[first + val_labels :])
    return _sorted(*(np.concatenate(part) if part else np.zeros(0, np.int64) for part in (train, val, test)))


def _sorted(train: Ids, val: Ids, test: Ids) -> Split:
    return Split(*(np.sort(ids).astype(np.int64) for ids in (train, val, test)))

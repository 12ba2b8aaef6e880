"""Edges held back and pairs without an edge, for link prediction.

A pair is a row of int64[P, 2]. In a graph whose arcs all run both ways a pair is an undirected edge with the lower
vertex first; otherwise it is an arc. Loops are no pairs. Shape letters: N vertices, E arcs, P pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import GraphData
from workers.core.errors import JobError

Pairs = NDArray[np.int64]
TRIES = 100
"""Rounds of drawing pairs before the graph counts as too full to have any left."""


@dataclass(frozen=True)
class EdgeSplit:
    """`messages`: the dataset with training edges alone. Edges of each part, and as many pairs without one."""

    messages: GraphData
    undirected: bool
    edges: dict[str, Pairs]
    others: dict[str, Pairs]


def split_edges(data: GraphData, val_share: float, test_share: float, seed: int) -> EdgeSplit:
    """1. Shuffle the pairs; the first share tests, the next validates, the rest trains and passes messages.
    2. Draw as many pairs without an edge for each part, once: none is an edge of the graph.

    Raises JobError where no edge would be left for a part, or no pair without one.
    """
    undirected = _both_ways(data)
    keys = _keys(data, undirected)
    pairs = np.unique(keys[keys >= 0])
    test, val = round(len(pairs) * test_share), round(len(pairs) * val_share)
    if not test or not val or test + val >= len(pairs):
        raise JobError(f"{len(pairs)} edges of {data.name} are too few for shares of {val_share} and {test_share}.")
    random = np.random.default_rng([seed, 0])
    order = random.permutation(pairs)
    parts = {"train": np.sort(order[test + val :]), "val": order[test : test + val], "test": order[:test]}
    kept = np.isin(keys, parts["train"]) | (keys < 0)
    messages = replace(
        data, src=data.src[kept], dst=data.dst[kept], edge_x=None if data.edge_x is None else data.edge_x[kept]
    )
    others = {part: _without(len(found), pairs, data, undirected, random) for part, found in parts.items()}
    return EdgeSplit(messages, undirected, {part: _pairs(found, data.n) for part, found in parts.items()}, others)


def draw_pairs(count: int, split: EdgeSplit, random: np.random.Generator) -> Pairs:
    """Pairs that are no training edge; whether they are held back is not looked at, as that would tell the answer."""
    known = np.sort(split.edges["train"] @ np.array([split.messages.n, 1]))
    return _without(count, known, split.messages, split.undirected, random)


def _without(count: int, known: Pairs, data: GraphData, undirected: bool, random: np.random.Generator) -> Pairs:
    """Uniform over the pairs whose keys are not in the sorted `known`; a pair may come twice."""
    found = np.zeros(0, np.int64)
    for _ in range(TRIES):
        ends = random.integers(0, data.n, (2 * (count - len(found)) + 8, 2))
        if undirected:
            ends.sort(axis=1)
        ends = ends[ends[:, 0] != ends[:, 1]]
        keys = ends @ np.array([data.n, 1])
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        found = np.concatenate([found, keys[known[at] != keys]])[:count]
        if len(found) == count:
            return _pairs(found, data.n)
    raise JobError(f"{data.name} joins nearly every pair of vertices: nothing is left to tell edges from.")


def _both_ways(data: GraphData) -> bool:
    forth, back = np.unique(data.src * data.n + data.dst), np.unique(data.dst * data.n + data.src)
    return bool(np.array_equal(forth, back))


def _keys(data: GraphData, undirected: bool) -> Pairs:
    """int64[E]: the key low * N + high of each arc; -1 for loops."""
    ends = np.stack([data.src, data.dst], 1)
    if undirected:
        ends = np.sort(ends, axis=1)
    return np.where(ends[:, 0] == ends[:, 1], -1, ends @ np.array([data.n, 1]))


def _pairs(keys: Pairs, n: int) -> Pairs:
    return np.stack([keys // n, keys % n], 1)

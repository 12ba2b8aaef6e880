"""Draws in-neighbours for mini-batches, many vertices at once in NumPy: the same seed draws the same neighbours.

Ours is the default, so that training needs no package beside torch; `dgl_bridge.py` puts DGL's in its place.

Shape letters: N vertices, E arcs, D destinations, k the fan-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workers.zoo.blocks import Hop

Ids = NDArray[np.int64]


class Sampler(Protocol):
    """Draws one hop at a time."""

    def hop(self, wanted: Ids, fan_out: int, random: np.random.Generator) -> Hop:
        """Arcs into the distinct vertices `wanted`: at most `fan_out` of each, none twice; 0 takes all."""


class OwnSampler:
    """Uniform draws over arcs grouped by destination: int64[E] src and dst over N vertices."""

    def __init__(self, src: Ids, dst: Ids, n: int) -> None:
        self.edge = np.argsort(dst, kind="stable")
        self.src = src[self.edge]
        self.start = np.concatenate([[0], np.cumsum(np.bincount(dst, minlength=n))]).astype(np.int64)

    def hop(self, wanted: Ids, fan_out: int, random: np.random.Generator) -> Hop:
        begin, degree = self.start[wanted], self.start[wanted + 1] - self.start[wanted]
        few = degree <= fan_out if fan_out else np.ones(len(wanted), bool)
        rows, places = all_of(np.flatnonzero(few), degree[few])
        if not few.all():
            many = np.flatnonzero(~few)
            drawn = draw(degree[many], fan_out, random)
            rows = np.concatenate([rows, np.repeat(many, fan_out)])
            places = np.concatenate([places, drawn.ravel()])
            order = np.argsort(rows, kind="stable")
            rows, places = rows[order], places[order]
        picked = begin[rows] + places
        return numbered(wanted, self.src[picked], rows, self.edge[picked])


def draw(sizes: Ids, k: int, random: np.random.Generator) -> Ids:
    """int64[D, k]: for each size, k distinct numbers below it, ascending; every size is above k.

    Floyd's algorithm (Bentley and Floyd, CACM 1987), one step for all rows at a time: draw below j + 1, and take j
    itself where the number drawn is taken already. Time and memory depend on k, not on the sizes.
    """
    chosen = np.full((len(sizes), k), -1, np.int64)
    for step in range(k):
        top = sizes - k + step
        number = (random.random(len(sizes)) * (top + 1)).astype(np.int64)
        taken = (chosen[:, :step] == number[:, None]).any(1)
        chosen[:, step] = np.where(taken, top, number)
    return np.sort(chosen, axis=1)


def numbered(wanted: Ids, tails: Ids, rows: Ids, edge: Ids) -> Hop:
    """The hop whose arcs run from the vertices `tails` to places `rows` in `wanted`; new sources follow, ascending."""
    vertices = np.concatenate([wanted, np.setdiff1d(tails, wanted)])
    order = np.argsort(vertices, kind="stable")
    src = order[np.searchsorted(vertices, tails, sorter=order)]
    return Hop(vertices, len(wanted), src, rows, edge)


def hops(sampler: Sampler, seeds: Ids, fan_outs: Sequence[int], random: np.random.Generator) -> tuple[Hop, ...]:
    """Hops that lead to `seeds`, from the input on, as `fan_outs` are given; they are drawn from the seeds back."""
    found: list[Hop] = []
    for fan_out in reversed(fan_outs):
        found.append(sampler.hop(found[-1].vertices if found else seeds, fan_out, random))
    return tuple(reversed(found))


def all_of(rows: Ids, degree: Ids) -> tuple[Ids, Ids]:
    """Each row as often as its degree, and the places 0 to degree - 1 beside it."""
    total = int(degree.sum())
    offset = np.cumsum(degree) - degree
    return np.repeat(rows, degree), np.arange(total) - np.repeat(offset, degree)

"""Draws in-neighbours relation by relation: at most so many of each vertex in each relation, all vertices at a time.

Shape letters: N vertices, E edges, R relations, W vertices asked for, A edges drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from workers.compiler.rows import Side
from workers.compiler.runtime.stitched import StitchedIndex
from workers.training.sampler import all_of, draw
from workers.zoo.typed_blocks import TypedHop

Ids = NDArray[np.int64]


class TypedSampler:
    """Uniform draws over the edges of a stitched graph; `own` has the fan-outs of relations that differ, by number."""

    def __init__(self, graph: StitchedIndex, own: Mapping[int, int] | None = None) -> None:
        self.graph, self.ends = graph, graph.receivers
        received = graph.half(Side.RECEIVED)
        self.start, self.receivers = received.ptr, received.edge
        self.own = np.full(graph.relations, -1, np.int64)
        for relation, fan_out in (own or {}).items():
            self.own[relation] = fan_out

    def hop(self, wanted: Ids, fan_out: int, random: np.random.Generator) -> TypedHop:
        """Edges into the distinct ascending vertices `wanted` int64[W], none twice; 0 takes all of a relation."""
        rows = self._receivers_of(wanted)
        begin, degree = self.ends.ptr[rows], self.ends.ptr[rows + 1] - self.ends.ptr[rows]
        own = self.own[self.ends.relation[rows]]
        most = np.where(own < 0, fan_out, own)
        few = (most == 0) | (degree <= most)
        owner, place = all_of(np.flatnonzero(few), degree[few])
        picked = [begin[owner] + place]
        for k in np.unique(most[~few]):
            many = np.flatnonzero(~few & (most == k))
            picked.append((begin[many][:, None] + draw(degree[many], int(k), random)).ravel())
        edges = np.sort(self.ends.order[np.concatenate(picked)])
        return TypedHop.of(self.graph, wanted, edges)

    def _receivers_of(self, wanted: Ids) -> Ids:
        """Numbers of what the vertices are in each relation that they have in-edges of."""
        owner, place = all_of(wanted, self.start[wanted + 1] - self.start[wanted])
        return np.asarray(self.receivers[self.start[owner] + place], np.int64)


def typed_hops(
    sampler: TypedSampler, seeds: Ids, fan_outs: Sequence[int], random: np.random.Generator
) -> tuple[TypedHop, ...]:
    """Hops that lead to the ascending `seeds`, from the input on as `fan_outs` are; drawn from the seeds back."""
    found: list[TypedHop] = []
    for fan_out in reversed(fan_outs):
        found.append(sampler.hop(found[-1].vertices if found else seeds, fan_out, random))
    return tuple(reversed(found))

"""A model over relations on some vertices of a graph: one stitched block a hop, over the vertices that hop needs.

1. A block has the vertices asked for and the ends of the edges drawn, ascending, so that types lie side by side; edges
   keep their order, so that relations do. It is stitched anew by counting sorts.
2. Each hop's vertices are among those of the hop before. A layer gives a row for each vertex of its block; only rows of
   the next hop's vertices saw their neighbours, and no others are read on.

Shape letters: V vertices of a block, W of them asked for, A edges, T types, R relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.graphs import Features, Ground, Prepared, Stitched
from workers.zoo.picked_rows import picked
from workers.zoo.signature import PortKind, Preparation

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class TypedHop:
    """wanted: int64[W], vertices: int64[V], ascending numbers in the whole graph. index: the block, numbered anew."""

    wanted: Ids
    vertices: Ids
    index: StitchedIndex

    @staticmethod
    def of(graph: StitchedIndex, wanted: Ids, edges: Ids, vertices: Ids | None = None) -> TypedHop:
        """From edges into `wanted`, int64[A] of the whole graph by relation; `vertices` may hold more than ends."""
        src, dst = graph.src[edges], graph.dst[edges]
        if vertices is None:
            vertices = np.union1d(wanted, src)
        if len(vertices) == graph.n_dst and len(edges) == graph.edges:
            return TypedHop(wanted, vertices, graph)
        type_ptr = np.searchsorted(vertices, graph.type_ptr)
        rel_ptr = np.searchsorted(graph.relation[edges], np.arange(graph.relations + 1))
        place = np.zeros(graph.n_dst, np.int64)
        place[vertices] = np.arange(len(vertices))
        return TypedHop(wanted, vertices, StitchedIndex(type_ptr, place[src], place[dst], rel_ptr))


@dataclass
class Nested:
    """Vertices int64 of each level, every set among those of the level before; where a level's are in another's."""

    ids: Sequence[Ids]
    _rows: dict[tuple[int, int], Tensor] = field(default_factory=dict)

    def rows(self, count: int, level: int) -> Tensor | None:
        """int64: rows of the level's vertices in a value of `count` rows; None where it has just those.

        A value has a row for each vertex of some level: nested sets of one size are the same set.
        """
        wanted = self.ids[level]
        if count == len(wanted):
            return None
        if (count, level) not in self._rows:
            given = next(ids for ids in self.ids if len(ids) == count)
            self._rows[count, level] = torch.from_numpy(np.searchsorted(given, wanted))
        return self._rows[count, level]


@dataclass(frozen=True)
class TypedRows:
    """Where a step runs: vertices of one level, and the block of its hop if it walks."""

    levels: Nested
    level: int
    block: Stitched | None

    def taken(self, value: Features, kind: PortKind) -> Features:
        assert kind != "edge"
        rows = self.levels.rows(value.shape[0], self.level)
        if rows is None:
            return value
        return picked(value, rows) if isinstance(value, Tensor) else value.rows(rows)

    def prepared(self, wanted: Preparation) -> Prepared:
        assert self.block is not None, f"a step that passes no messages asks for {wanted}"
        return self.block.prepared(wanted)


class TypedSampled:
    """Hops from the input to the rows asked for. The model is given the features of `vertices`."""

    def __init__(self, hops: Sequence[TypedHop]) -> None:
        self.hops = hops
        self.blocks = [Stitched(hop.index) for hop in hops]
        self.levels = Nested([*(hop.vertices for hop in hops), hops[-1].wanted])

    @property
    def vertices(self) -> Ids:
        return self.levels.ids[0]

    def at(self, level: int, walks: bool) -> Ground:
        if walks:
            return TypedRows(self.levels, level - 1, self.blocks[level - 1])
        return TypedRows(self.levels, level, None)

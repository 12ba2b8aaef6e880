"""A model over relations on some vertices of a graph: one stitched block a hop, over the vertices that hop needs.

1. A block has the vertices asked for and the ends of the edges drawn, ascending, so that types lie side by side; edges
   keep their order, so that relations do. It is stitched anew by counting sorts.
2. Each hop's vertices are among those of the hop before. A layer gives a row for each vertex of its block; only rows of
   the next hop's vertices saw their neighbours, and no others are read on.

Shape letters: V vertices of a block, W of them asked for, A edges, T types, R relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.graphs import Features, Ground, Prepared
from workers.zoo.signature import PortKind, Preparation

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class TypedHop:
    """wanted: int64[W], vertices: int64[V], ascending numbers in the whole graph. index: the block, numbered anew."""

    wanted: Ids
    vertices: Ids
    index: StitchedIndex

    @staticmethod
    def of(graph: StitchedIndex, wanted: Ids, edges: Ids) -> TypedHop:
        """From edges into `wanted`, int64[A] ascending numbers in the whole graph."""
        src, dst = graph.src[edges], graph.dst[edges]
        vertices = np.union1d(wanted, src)
        type_ptr, rel_ptr = np.searchsorted(vertices, graph.type_ptr), np.searchsorted(edges, graph.rel_ptr)
        src, dst = np.searchsorted(vertices, src), np.searchsorted(vertices, dst)
        return TypedHop(wanted, vertices, StitchedIndex(type_ptr, src, dst, rel_ptr))


@dataclass(frozen=True)
class TypedRows:
    """Where a step runs: vertices of one level, and the block of its hop if it walks."""

    levels: Sequence[Ids]
    level: int
    index: StitchedIndex | None

    def taken(self, value: Features, kind: PortKind) -> Features:
        """An arriving value has a row for each vertex of some level: nested sets of one size are the same set."""
        assert kind != "edge"
        wanted = self.levels[self.level]
        if value.shape[0] == len(wanted):
            return value
        given = next(ids for ids in self.levels if len(ids) == value.shape[0])
        rows = torch.from_numpy(np.searchsorted(given, wanted))
        return value[rows] if isinstance(value, Tensor) else value.rows(rows)

    def prepared(self, wanted: Preparation) -> Prepared:
        assert self.index is not None, f"a step that passes no messages asks for {wanted}"
        return Prepared(self.index, {})


class TypedSampled:
    """Hops from the input to the rows asked for. The model is given the features of `vertices`."""

    def __init__(self, hops: Sequence[TypedHop]) -> None:
        self.hops = hops
        self.levels = [*(hop.vertices for hop in hops), hops[-1].wanted]

    @property
    def vertices(self) -> Ids:
        return self.levels[0]

    def at(self, level: int, walks: bool) -> Ground:
        if walks:
            return TypedRows(self.levels, level - 1, self.hops[level - 1].index)
        return TypedRows(self.levels, level, None)

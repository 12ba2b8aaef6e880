"""The blocks of a graph that some vertices' scores depend on: exact, and nothing that nobody reads.

As `reach.py` says it of types and relations, but vertex by vertex: of a relation that is read, edges into vertices that
are not are left out too.

Shape letters: N vertices, E edges, M vertices asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.reach import Level, Scope
from workers.zoo.typed_blocks import Ids, TypedHop, TypedSampled

NEARLY_ALL = 0.9
"""Share of the vertices from which a block has all of them: picking rows would cost more than it saves."""


def read_rows(graph: StitchedIndex, levels: Sequence[Level], asked: Ids) -> TypedSampled:
    """Blocks for the rows of the distinct ascending vertices `asked`, int64[M]. At least one of the levels is a hop.

    1. From the last level back: edges into what is read; their sources, and what is read, are what the level before
       must give, widened to its scope.
    2. A block has the rows of the block after it, too, since rows that are there but unread cost less than a copy.
    """
    hops: list[TypedHop] = []
    read = there = _widened(graph, asked, levels[-1].scope)
    for below, level in reversed(list(pairwise(levels))):
        edges = _edges_into(graph, read, level)
        read = _widened(graph, np.union1d(read, graph.src[edges]), below.scope)
        vertices = np.union1d(read, there)
        vertices = np.arange(graph.n_dst) if len(vertices) > NEARLY_ALL * graph.n_dst else vertices
        hops.append(TypedHop.of(graph, there, edges, vertices))
        there = vertices
    return TypedSampled(tuple(reversed(hops)))


def _edges_into(graph: StitchedIndex, read: Ids, level: Level) -> Ids:
    """int64 by (relation, destination): edges that the level's layers walk to the vertices `read`.

    So what receivers write of their edges goes to memory in order.
    """
    into = _marked(graph.n_dst, read)[graph.dst]
    if level.relations is not None:
        into &= _marked(graph.relations, sorted(level.relations))[graph.relation]
    order = graph.receivers.order
    return order[into[order]]


def _widened(graph: StitchedIndex, ids: Ids, scope: Scope) -> Ids:
    if scope == "graph":
        return np.arange(graph.n_dst)
    if scope == "types":
        return np.flatnonzero(_marked(graph.types, graph.type[ids])[graph.type])
    return ids


def _marked(size: int, ids: Ids | Sequence[int]) -> NDArray[np.bool_]:
    found = np.zeros(size, bool)
    found[np.asarray(ids, np.int64)] = True
    return found

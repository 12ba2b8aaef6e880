"""A model on some vertices of a graph: one bipartite block a hop, so that each step computes only what is asked for.

Shape letters: S sources of a hop, D destinations, A arcs between them, N and E vertices and arcs of the whole graph.
Destinations come first among the sources, so a value of the sources is cut to the destinations by its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime import GraphIndex
from workers.zoo.graphs import Features, Ground, Prepared, first
from workers.zoo.signature import PortKind, Preparation

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Hop:
    """Arcs from S sources to D destinations.

    vertices: int64[S], numbers in the whole graph, destinations first. src, dst: int64[A], places in `vertices`.
    edge: int64[A], numbers of the arcs in the whole graph.
    """

    vertices: Ids
    n_dst: int
    src: Ids
    dst: Ids
    edge: Ids


class Degrees:
    """In-degrees [N] of the whole graph: as it is, and with exactly one loop at each vertex."""

    def __init__(self, src: Ids, dst: Ids, n: int) -> None:
        kept = np.bincount(dst[src != dst], minlength=n)
        self.of = {False: np.bincount(dst, minlength=n), True: kept + 1}


class Block:
    """One hop as the ground of a layer. Arriving values hold one row a source; see `Sampled.at` for others."""

    def __init__(self, hop: Hop, degrees: Degrees, dtype: torch.dtype) -> None:
        self.hop, self.degrees, self.dtype = hop, degrees, dtype
        self._prepared: dict[Preparation, Prepared] = {}

    def taken(self, value: Features, kind: PortKind) -> Features:
        if kind == "edge":
            assert isinstance(value, Tensor)
            return value[torch.from_numpy(self.hop.edge)]
        return first(value, len(self.hop.vertices))

    def prepared(self, wanted: Preparation) -> Prepared:
        if wanted not in self._prepared:
            src, dst = self._ends(wanted.self_loops)
            graph = GraphIndex(src, dst, len(self.hop.vertices), self.hop.n_dst)
            norms = self._norms(wanted.self_loops, dst) if wanted.norm else {}
            self._prepared[wanted] = Prepared(graph, norms, two_sides=True)
        return self._prepared[wanted]

    def _ends(self, self_loops: bool) -> tuple[Ids, Ids]:
        hop = self.hop
        if not self_loops:
            return hop.src, hop.dst
        kept, loops = hop.src != hop.dst, np.arange(hop.n_dst)
        return np.concatenate([hop.src[kept], loops]), np.concatenate([hop.dst[kept], loops])

    def _norms(self, self_loops: bool, dst: Ids) -> dict[str, Tensor]:
        """1 / sqrt(in-degree) of the whole graph; at a destination also times in-degree / arcs drawn.

        So a sum over drawn neighbours, normalised at both ends, estimates the sum over all, and is it when all are
        drawn.
        """
        degree = self.degrees.of[self_loops][self.hop.vertices].astype(np.float64)
        norm = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0)
        drawn = np.bincount(dst, minlength=self.hop.n_dst)
        scale = np.where(drawn > 0, degree[: self.hop.n_dst] / np.maximum(drawn, 1), 1)
        sides = {"src:norm": norm, "dst:norm": norm[: self.hop.n_dst] * scale}
        return {name: torch.from_numpy(x).to(self.dtype) for name, x in sides.items()}


@dataclass(frozen=True)
class Rows:
    """The ground of a step that passes no messages: so many first rows."""

    count: int

    def taken(self, value: Features, kind: PortKind) -> Features:
        assert kind != "edge"
        return first(value, self.count)

    def prepared(self, wanted: Preparation) -> Prepared:
        raise AssertionError(f"a step that passes no messages asks for {wanted}")


class Sampled:
    """Hops from the input to the rows asked for: those of hop k are its destinations and the sources of hop k + 1.

    The model is given the input features of `vertices` and the edge features of the whole graph.
    """

    def __init__(self, hops: Sequence[Hop], degrees: Degrees, dtype: torch.dtype) -> None:
        self.blocks = [Block(hop, degrees, dtype) for hop in hops]

    @cached_property
    def vertices(self) -> Ids:
        """Whose input features the model needs, in order."""
        return self.blocks[0].hop.vertices

    def at(self, level: int, walks: bool) -> Ground:
        if walks:
            return self.blocks[level - 1]
        return Rows(self.blocks[level - 1].hop.n_dst if level else len(self.vertices))

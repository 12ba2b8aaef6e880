"""The variants of one graph that layers ask for: with or without self-loops, with normalising degrees. Torch.

Shape letters: N vertices, E edges, G graphs that the vertices belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.codegen.reference import Bipartite
from workers.compiler.edges import Edges
from workers.compiler.runtime import GraphIndex
from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.signature import PortKind, Preparation
from workers.zoo.sparse_features import SparseFeatures
from workers.zoo.typed_features import TypedFeatures

Features = Tensor | SparseFeatures | TypedFeatures


@dataclass(frozen=True)
class Prepared:
    """A graph as one layer wants it, and the vertex features that come with it by name.

    Where `two_sides`, edges run from sources to destinations that are other rows: the first of the sources, or graphs.
    """

    graph: Any
    features: Mapping[str, Tensor]
    two_sides: bool = False


class Ground(Protocol):
    """What a layer runs on."""

    def prepared(self, wanted: Preparation) -> Prepared:
        """The graph with what the layer needs."""

    def taken(self, value: Features, kind: PortKind) -> Features:
        """The rows of an arriving value that the layer reads."""


class Grounds(Protocol):
    """A graph to run a whole model on."""

    def at(self, level: int, walks: bool) -> Ground:
        """What a step runs on whose result is `level` hops behind the input; `walks` where it passes messages."""


class Graphs:
    """A whole graph. Builds every asked-for variant once; `index(src, dst, n)` makes what the kernels walk.

    graph_of: int64[N], the graph of each vertex, where there are `graphs` of them. `device` is where the model runs.
    """

    def __init__(
        self,
        src: NDArray[np.int64],
        dst: NDArray[np.int64],
        n: int,
        index: Callable[[NDArray[np.int64], NDArray[np.int64], int], Any],
        dtype: torch.dtype,
        graph_of: NDArray[np.int64] | None = None,
        graphs: int = 1,
        device: torch.device | None = None,
    ) -> None:
        self.device = device
        self.src, self.dst, self.n, self.index, self.dtype = src, dst, n, index, dtype
        self.graph_of = np.zeros(n, np.int64) if graph_of is None else graph_of
        self.graphs = graphs
        self._graphs: dict[bool, Any] = {}
        self._norms: dict[bool, Tensor] = {}

    def at(self, level: int, walks: bool) -> Ground:
        del level, walks  # every step runs on all vertices
        return self

    def taken(self, value: Features, kind: PortKind) -> Features:
        del kind
        return value

    @cached_property
    def _membership(self) -> GraphIndex:
        """An edge from every vertex to its graph."""
        return GraphIndex(np.arange(self.n), self.graph_of, self.n, self.graphs)

    def prepared(self, wanted: Preparation) -> Prepared:
        if wanted.readout:
            return Prepared(self._membership, {}, two_sides=True)
        features = {"norm": self._norm(wanted.self_loops)} if wanted.norm else {}
        return Prepared(self._graph(wanted.self_loops), features)

    def _ends(self, self_loops: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if not self_loops:
            return self.src, self.dst
        kept, loops = self.src != self.dst, np.arange(self.n)
        return np.concatenate([self.src[kept], loops]), np.concatenate([self.dst[kept], loops])

    def _graph(self, self_loops: bool) -> Any:
        if self_loops not in self._graphs:
            self._graphs[self_loops] = self.index(*self._ends(self_loops), self.n)
        return self._graphs[self_loops]

    def _norm(self, self_loops: bool) -> Tensor:
        """[N]: 1 / sqrt(in-degree), 0 for vertices without in-edges."""
        if self_loops not in self._norms:
            degree = np.bincount(self._ends(self_loops)[1], minlength=self.n).astype(np.float64)
            norm = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0)
            self._norms[self_loops] = torch.from_numpy(norm).to(self.device, self.dtype)
        return self._norms[self_loops]


@dataclass(frozen=True)
class Stitched:
    """A whole graph of many types and relations. A layer runs on all of it, or on the edges of some relations."""

    graph: StitchedIndex
    _parts: dict[tuple[int, ...], StitchedIndex] = field(default_factory=dict, repr=False, compare=False)

    def at(self, level: int, walks: bool) -> Ground:
        del level, walks
        return self

    def taken(self, value: Features, kind: PortKind) -> Features:
        del kind
        return value

    def prepared(self, wanted: Preparation) -> Prepared:
        return Prepared(self.graph if wanted.relations is None else self._part(wanted.relations), {})

    def _part(self, relations: tuple[int, ...]) -> StitchedIndex:
        """The edges of these relations between the same vertices, sorted once."""
        if relations not in self._parts:
            self._parts[relations] = self.graph.of_relations(relations)
        return self._parts[relations]


def rows_alone(rows: int) -> Edges:
    """So many rows without an edge, for programs that ask nothing of the graph."""
    if torch.compiler.is_compiling():  # then the number is a symbol
        none = torch.zeros(0, dtype=torch.int64)
        return Bipartite(none, none, rows, rows)
    return _rows_alone(rows)


@lru_cache(maxsize=64)
def _rows_alone(rows: int) -> GraphIndex:
    return GraphIndex((), (), rows, rows)


def first(value: Features, rows: int) -> Features:
    """The first rows of a value."""
    if value.shape[0] == rows:
        return value
    return value[:rows] if isinstance(value, Tensor) else value.rows(torch.arange(rows))

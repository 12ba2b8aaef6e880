"""A graph as kernels read it: edges grouped by destination and by source, cut into chunks of even work.

Shape letters: E edges, R rows of a side, C chunks.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.edges import Edges
from workers.compiler.ir import Domain
from workers.compiler.rows import Side

IntArray = NDArray[np.int64]
Place = tuple[int, ...]
CHUNKS = 256  # most pieces of work a kernel is cut into; decided by the graph alone, so results never depend on threads
LEAST_WORK = 2048  # rows and edges worth a piece
ROW_WEIGHT = 8  # edges that a row without edges is counted as


@dataclass(frozen=True)
class Half:
    """The edges seen from one side: those of row r are at ptr[r]:ptr[r+1]."""

    ptr: IntArray  # int64[R+1]
    other: NDArray[Any]  # Id[E]: the vertex at the far end
    slot: NDArray[Any]  # Id[E]: position in the other half
    edge: NDArray[Any]  # Id[E]: position in the user's list
    bounds: IntArray  # int64[C+1]: rows of each chunk
    piece: int  # rows and edges of a chunk; edges of a piece of a row that is cut

    @property
    def tasks(self) -> int:
        """How many pieces of work there are to share."""
        return max(self.chunks, len(self.other) // self.piece)

    @property
    def rows(self) -> int:
        return len(self.ptr) - 1

    @property
    def chunks(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def addresses(self) -> tuple[int, ...]:
        """Where bounds, ptr, other, slot and edge are in memory, in the order kernels take them."""
        return tuple(a.ctypes.data for a in (self.bounds, self.ptr, self.other, self.slot, self.edge))


class GraphIndex:
    """Both halves of a graph, made when first needed and kept.

    src, dst: integer [E]. Raises ValueError naming the first edge that points outside the graph.
    """

    def __init__(self, src: Any, dst: Any, n_src: int, n_dst: int) -> None:
        self.src, self.dst = _ids(src), _ids(dst)
        self.n_src, self.n_dst = int(n_src), int(n_dst)
        if self.src.shape != self.dst.shape:
            raise ValueError(f"{len(self.src)} sources but {len(self.dst)} destinations")
        _check(self.src, self.n_src, "source", self.dst)
        _check(self.dst, self.n_dst, "destination", self.src)
        self.ends = torch.from_numpy(self.src), torch.from_numpy(self.dst)
        self._degrees: dict[tuple[str, torch.dtype, torch.device], Tensor] = {}
        self._rows_alone: dict[int, Half] = {}
        KNOWN[self.place] = self

    def __reduce__(self) -> tuple[type[GraphIndex], tuple[IntArray, IntArray, int, int]]:
        """A copy sorts again: kernels are given addresses, which are good in one place only."""
        return GraphIndex, (self.src, self.dst, self.n_src, self.n_dst)

    @property
    def place(self) -> Place:
        """Where the arrays that make the graph are in memory, how many edges there are, and vertices on each side."""
        src, dst = self.ends
        return src.data_ptr(), dst.data_ptr(), self.edges, self.n_src, self.n_dst

    @classmethod
    def square(cls, src: Any, dst: Any, n: int) -> GraphIndex:
        """The index of a graph whose sources and destinations are the same n vertices."""
        return cls(src, dst, n, n)

    @classmethod
    def of(cls, graph: Edges | GraphIndex) -> GraphIndex:
        """The index of `graph`, made once for each graph object."""
        if isinstance(graph, GraphIndex):
            return graph
        key = id(graph)
        if key not in _INDEXES:
            _INDEXES[key] = cls(graph.src, graph.dst, graph.n_src, graph.n_dst)
            weakref.finalize(graph, _INDEXES.pop, key, None)
        return _INDEXES[key]

    @property
    def edges(self) -> int:
        return len(self.src)

    @cached_property
    def id_bits(self) -> int:
        """Width of vertex and edge numbers in the kernels."""
        return 32 if max(self.n_src, self.n_dst, self.edges) < 2**31 - 1 else 64

    @cached_property
    def _halves(self) -> dict[Side, Half]:
        """Within a source, edges are in the order of their destinations, so far ends are read upwards."""
        by_dst = np.argsort(self.dst, kind="stable")
        slots = np.argsort(self.src[by_dst], kind="stable")
        by_src = by_dst[slots]
        return {
            Side.DST: self._half(_starts(self.dst, self.n_dst), self.src[by_dst], _inverse(slots), by_dst),
            Side.SRC: self._half(_starts(self.src, self.n_src), self.dst[by_src], slots, by_src),
        }

    @property
    def by_dst(self) -> Half:
        return self._halves[Side.DST]

    @property
    def by_src(self) -> Half:
        return self._halves[Side.SRC]

    def half(self, side: Side) -> Half:
        return self._halves[side]

    def _half(self, ptr: IntArray, other: IntArray, slot: IntArray, edge: IntArray) -> Half:
        kind = np.int32 if self.id_bits == 32 else np.int64
        ids = [np.ascontiguousarray(a, dtype=kind) for a in (other, slot, edge)]
        return Half(ptr, ids[0], ids[1], ids[2], *_chunked(ptr))

    def rows(self, domain: Domain) -> int:
        """How many rows a value of `domain` has."""
        return self._counts.get(domain, 1)

    @cached_property
    def _counts(self) -> dict[Domain, int]:
        return {Domain.VERTEX: self.n_dst, Domain.DST: self.n_dst, Domain.SRC: self.n_src, Domain.EDGE: self.edges}

    def rows_alone(self, domain: Domain) -> Half:
        """The rows of `domain` for kernels that walk no edges."""
        rows = self.rows(domain)
        if rows not in self._rows_alone:
            none = np.zeros(0, np.int64)
            self._rows_alone[rows] = Half(none, none, none, none, *_chunked(np.arange(rows + 1) * ROW_WEIGHT))
        return self._rows_alone[rows]

    def degree(self, side: str, dtype: torch.dtype, device: torch.device) -> Tensor:
        """[R]: how many edges each row of `side` has."""
        key = side, dtype, device
        if key not in self._degrees:
            ends, rows = (self.dst, self.n_dst) if side == "dst" else (self.src, self.n_src)
            self._degrees[key] = torch.from_numpy(np.bincount(ends, minlength=rows)).to(device, dtype)
        return self._degrees[key]


_INDEXES: dict[int, GraphIndex] = {}
KNOWN: WeakValueDictionary[Place, GraphIndex] = WeakValueDictionary()
"""Every index alive, so that a graph that comes as its two edge tensors is found again."""


def _ids(values: Any) -> IntArray:
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise ValueError(f"edge ends must be one-dimensional integers, got {array.dtype} {list(array.shape)}")
    return np.require(array, np.int64, ("C", "W"))  # torch warns of tensors over memory that cannot be written


def _check(ids: IntArray, count: int, what: str, other: IntArray) -> None:
    outside = (ids < 0) | (ids >= count)
    if outside.any():
        e = int(outside.argmax())
        raise ValueError(f"edge {e} has {what} {ids[e]} (its other end is {other[e]}); ids run from 0 to {count - 1}")


def _starts(ends: IntArray, rows: int) -> IntArray:
    """Where the edges of each row start when they are grouped by `ends`."""
    return np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=rows))]).astype(np.int64)


def _inverse(order: IntArray) -> IntArray:
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def _chunked(ptr: IntArray) -> tuple[IntArray, int]:
    """Rows cut so that each chunk has about as many rows plus edges as any other, and how many that is."""
    work = ptr + np.arange(len(ptr))
    chunks = int(min(CHUNKS, max(1, work[-1] // LEAST_WORK)))
    cuts = np.searchsorted(work, np.linspace(0, work[-1], chunks + 1)[1:-1])
    bounds = np.unique(np.concatenate([[0], cuts, [len(ptr) - 1]])).astype(np.int64)
    return bounds, max(LEAST_WORK, int(work[-1]) // chunks)

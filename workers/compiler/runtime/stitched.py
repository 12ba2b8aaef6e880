"""A graph of several relations as kernels read it: one graph of global ids, whose edges are grouped by relation.

Shape letters: N vertices of all types, E edges of all relations, T types, R relations.

1. Vertices of one type and edges of one relation lie side by side, so a product with a matrix a type or a relation goes
   through whole stretches of rows.
2. Receivers (a destination in a relation) stand in the order of (relation, vertex), senders likewise. There is one only
   where there are edges: empty types and relations cost nothing but their entry in a pointer array.
3. Every order is a chain of stable counting sorts, in time linear in E + N + R. Each is made when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.ir import Domain
from workers.compiler.maps import KIND, MAPS
from workers.compiler.rows import Side
from workers.compiler.runtime.counting_sort import counting_sort
from workers.compiler.runtime.graph import KNOWN, GraphIndex, Half, IntArray, Place


@dataclass(frozen=True)
class Ends:
    """The vertices at one end of the edges, a row each relation in which they have edges.

    order [E]: edges by (relation, vertex); ptr [rows + 1]: those of each row; of_edge [E]: the row of each edge;
    vertex, relation [rows]; bounds [R + 1]: rows of each relation.
    """

    order: IntArray
    ptr: IntArray
    of_edge: IntArray
    vertex: IntArray
    relation: IntArray
    bounds: IntArray


class StitchedIndex(GraphIndex):
    """type_ptr: integer [T+1], vertices of type t are type_ptr[t]:type_ptr[t+1]; rel_ptr: integer [R+1], edges of
    relation r are rel_ptr[r]:rel_ptr[r+1]; src, dst: integer [E], global ids.

    Raises ValueError for pointers that do not cover the vertices or edges, and for the first edge outside the graph.
    """

    def __init__(self, type_ptr: Any, src: Any, dst: Any, rel_ptr: Any) -> None:
        self.type_ptr = _pointers(type_ptr, "type_ptr")
        self.rel_ptr = _pointers(rel_ptr, "rel_ptr")
        self.pointers = torch.from_numpy(self.type_ptr), torch.from_numpy(self.rel_ptr)
        n = int(self.type_ptr[-1])
        super().__init__(src, dst, n, n)
        if self.rel_ptr[-1] != self.edges:
            raise ValueError(f"rel_ptr ends at {self.rel_ptr[-1]}, but there are {self.edges} edges")
        KNOWN[super().place] = self  # programs that ask for no relations find it by its edges
        self._maps: dict[tuple[str, Side], NDArray[Any]] = {}
        self._built: dict[Side, Half] = {}
        self.counts = len(self.senders.vertex), len(self.receivers.vertex)  # at hand while torch traces

    def __reduce__(self) -> tuple[Any, ...]:
        return StitchedIndex, (self.type_ptr, self.src, self.dst, self.rel_ptr)

    @property
    def place(self) -> Place:
        (src, dst), (types, relations) = self.ends, self.pointers
        where = (x.data_ptr() for x in (src, dst, types, relations))
        return (*where, self.edges, self.n_src, self.n_dst)

    @property
    def relations(self) -> int:
        return len(self.rel_ptr) - 1

    @property
    def types(self) -> int:
        return len(self.type_ptr) - 1

    @cached_property
    def relation(self) -> IntArray:
        """int64[E]"""
        return np.repeat(np.arange(self.relations), np.diff(self.rel_ptr))

    @cached_property
    def type(self) -> IntArray:
        """int64[N]"""
        return np.repeat(np.arange(self.types), np.diff(self.type_ptr))

    def of_relations(self, relations: Sequence[int]) -> StitchedIndex:
        """The edges of these relations alone, numbered anew in this order; vertices and types stay."""
        kept = [np.arange(self.rel_ptr[r], self.rel_ptr[r + 1]) for r in relations]
        edges = np.concatenate([np.zeros(0, np.int64), *kept])
        return StitchedIndex(self.type_ptr, self.src[edges], self.dst[edges], np.cumsum([0, *map(len, kept)]))

    # --- orders ----------------------------------------------------------------------------------------------------

    @cached_property
    def _by_dst(self) -> tuple[IntArray, IntArray]:
        return counting_sort(self.dst, self.n_dst)

    @cached_property
    def _by_src(self) -> tuple[IntArray, IntArray]:
        """Within a source, edges are in the order of their destinations, as in a graph of one relation."""
        return counting_sort(self.src, self.n_src, self._by_dst[0])

    @cached_property
    def receivers(self) -> Ends:
        return self._ends(self._by_dst[0], self.dst)

    @cached_property
    def senders(self) -> Ends:
        return self._ends(self._by_src[0], self.src)

    def _ends(self, by_vertex: IntArray, vertex: IntArray) -> Ends:
        order, _ = counting_sort(self.relation, self.relations, by_vertex)
        pairs = np.stack((self.relation[order], vertex[order]))
        first = np.ones(self.edges, bool)
        first[1:] = (pairs[:, 1:] != pairs[:, :-1]).any(0)
        starts = np.flatnonzero(first)
        of_edge = np.empty(self.edges, np.int64)
        of_edge[order] = np.cumsum(first) - 1
        relation, at = pairs[:, starts]
        bounds = np.searchsorted(relation, np.arange(self.relations + 1)).astype(np.int64)
        return Ends(order, np.append(starts, self.edges), of_edge, at, relation, bounds)

    # --- what kernels ask for --------------------------------------------------------------------------------------

    def rows(self, domain: Domain) -> int:
        counts: dict[Domain, Callable[[], int]] = {
            Domain.RECEIVER: lambda: len(self.receivers.vertex),
            Domain.SENDER: lambda: len(self.senders.vertex),
            Domain.RELATION: lambda: self.relations,
            Domain.TYPE: lambda: self.types,
        }
        return counts[domain]() if domain in counts else super().rows(domain)

    def bounds(self, domain: Domain) -> IntArray:
        """int64[kinds + 1]: the rows of each relation, or of each type of vertices."""
        bounds: dict[Domain, Callable[[], IntArray]] = {
            Domain.EDGE: lambda: self.rel_ptr,
            Domain.RECEIVER: lambda: self.receivers.bounds,
            Domain.SENDER: lambda: self.senders.bounds,
            Domain.VERTEX: lambda: self.type_ptr,
        }
        return bounds[domain]()

    def half(self, side: Side) -> Half:
        if side not in self._built:
            self._built[side] = self._half(*self._grouped(side))
        return self._built[side]

    @property
    def by_dst(self) -> Half:
        return self.half(Side.DST)

    @property
    def by_src(self) -> Half:
        return self.half(Side.SRC)

    def _grouped(self, side: Side) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """ptr, other, slot and edge of one side's rows; `edge` are its items, whatever they are."""
        if side in (Side.DST, Side.SRC):
            (mine, ptr), (theirs, _) = (
                (self._by_dst, self._by_src) if side is Side.DST else (self._by_src, self._by_dst)
            )
            return ptr, (self.src if side is Side.DST else self.dst)[mine], _inverse(theirs)[mine], mine
        if side in (Side.RECEIVER, Side.SENDER):
            ends, far = (self.receivers, self.src) if side is Side.RECEIVER else (self.senders, self.dst)
            return ends.ptr, far[ends.order], ends.order, ends.order
        map_ = MAPS[side.value]
        if side.value in KIND.values():  # items of one kind lie side by side
            items = np.arange(self.rows(map_.items))
            return self.bounds(map_.items), items, items, items
        items, ptr = counting_sort(self._rows_by_item(side.value), self.rows(map_.rows))
        return ptr, items, items, items

    def map_array(self, name: str, side: Side = Side.MAP) -> NDArray[Any]:
        """Id[items]: where map `name` leads from each item; with a `side`, in the order in which its rows meet them."""
        key = name, side
        if key not in self._maps:
            rows = self._rows_by_item(name)
            found = rows if side is Side.MAP else rows[self.half(side).edge]
            self._maps[key] = np.ascontiguousarray(found, np.int32 if self.id_bits == 32 else np.int64)
        return self._maps[key]

    def _rows_by_item(self, name: str) -> IntArray:
        found: dict[str, Callable[[], IntArray]] = {
            "dst": lambda: self.dst,
            "src": lambda: self.src,
            "receiver": lambda: self.receivers.of_edge,
            "sender": lambda: self.senders.of_edge,
            "received": lambda: self.receivers.vertex,
            "sent": lambda: self.senders.vertex,
            "relation": lambda: self.relation,
            "receiver_relation": lambda: self.receivers.relation,
            "sender_relation": lambda: self.senders.relation,
            "type": lambda: self.type,
            "into": self._into,
        }
        return found[name]()

    def _into(self) -> IntArray:
        """int64[R]: the type that the edges of each relation lead to; 0 for relations without edges."""
        found, full = np.zeros(self.relations, np.int64), np.diff(self.rel_ptr) > 0
        found[full] = self.type[self.dst[self.rel_ptr[:-1][full]]]
        return found

    def degree(self, side: str, dtype: torch.dtype, device: torch.device) -> Tensor:
        key = side, dtype, device
        if key not in self._degrees:
            self._degrees[key] = torch.from_numpy(np.diff(self.half(Side(side)).ptr)).to(device, dtype)
        return self._degrees[key]


def stitch(type_ptr: Any, src: Any, dst: Any, relation: Any, relations: int) -> tuple[StitchedIndex, IntArray]:
    """The index of edges in any order, relation: integer [E], and that order: edge k of the index was edge order[k].

    Raises ValueError for a relation outside 0 to `relations` - 1.
    """
    kinds = np.asarray(relation, np.int64)
    if len(kinds) and not 0 <= kinds.min() <= kinds.max() < relations:
        e = int(((kinds < 0) | (kinds >= relations)).argmax())
        raise ValueError(f"edge {e} has relation {kinds[e]}; relations run from 0 to {relations - 1}")
    order, rel_ptr = counting_sort(kinds, relations)
    return StitchedIndex(type_ptr, np.asarray(src)[order], np.asarray(dst)[order], rel_ptr), order


def stitched_of(graph: Any) -> StitchedIndex | None:
    """The index of a graph that tells its type_ptr and rel_ptr; None where it has none."""
    if isinstance(graph, StitchedIndex):
        return graph
    if not (hasattr(graph, "type_ptr") and hasattr(graph, "rel_ptr")):
        return None
    return StitchedIndex(graph.type_ptr, graph.src, graph.dst, graph.rel_ptr)


def _pointers(values: Any, name: str) -> IntArray:
    found = np.require(values, np.int64, ("C", "W"))
    if found.ndim != 1 or len(found) < 1 or found[0] != 0 or (np.diff(found) < 0).any():
        raise ValueError(f"{name} must start at 0 and never fall, got {found.tolist()[:8]}")
    return found


def _inverse(order: IntArray) -> IntArray:
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places

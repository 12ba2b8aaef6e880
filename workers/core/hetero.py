"""A heterogeneous graph in memory: vertices and edges of many types, stitched into one numbering.

Vertices of one type are a range of global ids, edges of one relation a range of one list, so no step of a program
needs a loop over types or relations, and a type or relation that is empty costs nothing.

Shape letters: N vertices, E edges, T types, R relations, C classes; n_t and e_r are those of one type or relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]
PARTS = ("train", "valid", "test")
"""What a number in `edge_part` stands for."""


class Relation(NamedTuple):
    """Edges of one meaning between two types. All three words are the key: relations may share a name."""

    source: str
    name: str
    target: str

    def __str__(self) -> str:
        return f"{self.source} -{self.name}-> {self.target}"


@dataclass(frozen=True)
class Names:
    """What vertices are called, [N]: UTF-8 in one array, so that reading a few of many maps only those."""

    text: NDArray[np.uint8]
    ptr: Ids

    @classmethod
    def of(cls, names: Sequence[str]) -> Self:
        encoded = [name.encode() for name in names]
        ptr = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(name) for name in encoded], out=ptr[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), ptr)

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def __getitem__(self, vertex: int) -> str:
        return bytes(self.text[self.ptr[vertex] : self.ptr[vertex + 1]]).decode()


@dataclass(frozen=True)
class HeteroData:
    """One heterogeneous dataset.

    node_types: the order is the order of ids. type_ptr: int64[T+1], ids of type t are type_ptr[t] .. type_ptr[t+1]-1.
    relations, rel_ptr int64[R+1]: edges of relation r stand at rel_ptr[r] .. rel_ptr[r+1]-1 of src, dst (int64[E],
    global ids, in the order they were given). edge_features and features: float32 [e_r, K] and [n_t, F] for those that
    have some; a type without is embedded. times: int64[E], seconds. edge_part: uint8[E], an index into PARTS, where
    edges themselves are split (knowledge graphs).
    target: the type that has labels. y: int64[n_target], -1 where unlabelled. train, val, test: bool[n_target].
    inverse: relation -> the one that holds its edges backwards, in the same order. Whoever hides an edge hides both.
    extra: JSON documents, stored beside the arrays.
    """

    name: str
    node_types: tuple[str, ...]
    type_ptr: Ids
    relations: tuple[Relation, ...]
    rel_ptr: Ids
    src: Ids
    dst: Ids
    features: dict[str, Floats] = field(default_factory=dict)
    edge_features: dict[Relation, Floats] = field(default_factory=dict)
    times: Ids | None = None
    edge_part: NDArray[np.uint8] | None = None
    target: str | None = None
    y: Ids | None = None
    classes: tuple[str, ...] = ()
    train: Mask | None = None
    val: Mask | None = None
    test: Mask | None = None
    inverse: dict[int, int] = field(default_factory=dict)
    names: Names | None = None
    source: str = ""
    notes: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return int(self.type_ptr[-1])

    @property
    def edges(self) -> int:
        return int(self.rel_ptr[-1])

    def vertices_of(self, node_type: str) -> slice:
        """Global ids of one type; ValueError when there is no such type."""
        t = self.node_types.index(node_type)
        return slice(int(self.type_ptr[t]), int(self.type_ptr[t + 1]))

    def edges_of(self, relation: int) -> slice:
        return slice(int(self.rel_ptr[relation]), int(self.rel_ptr[relation + 1]))

    def count(self, node_type: str) -> int:
        found = self.vertices_of(node_type)
        return int(found.stop - found.start)

    def type_of(self, vertices: Ids) -> Ids:
        """int64: the number of each vertex's type."""
        return np.searchsorted(self.type_ptr, vertices, side="right").astype(np.int64) - 1

    def edge_types(self) -> NDArray[np.int32]:
        """int32[E]: the relation of each edge."""
        return np.repeat(np.arange(len(self.relations), dtype=np.int32), np.diff(self.rel_ptr))

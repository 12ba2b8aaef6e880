"""A graph of types and relations as peers are given it. Torch, without what our kernels walk.

Types are `t0`, `t1`, ..., and relations `r0`, `r1`, ... between two of them: names that any library takes, whatever the
dataset calls them. Shapes: N vertices of all types, E edges in the order of their relations, n_t vertices of type t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from workers.core.dataset import Heterogeneous
from workers.core.hetero import HeteroData, Ids
from workers.training.comparison.layer import Place
from workers.zoo.chosen_relations import read_relations
from workers.zoo.graphs import Prepared
from workers.zoo.signature import Preparation

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Schema:
    """Names of types, keys of relations, and how many edges each has."""

    types: tuple[str, ...]
    relations: tuple[Key, ...]
    edges: tuple[int, ...]

    @staticmethod
    def at(place: Place) -> Schema:
        """What a layer is built for: every relation there is, or those it is pinned to."""
        typed = place.step.placed.sizes.typed
        assert typed is not None, "the model was checked with its dataset"
        return Schema.of(read_relations(typed, place.step.placed.relations))

    @staticmethod
    def of(typed: Heterogeneous) -> Schema:
        name = {facts.name: f"t{number}" for number, facts in enumerate(typed.types)}
        keys = ((name[r.source], f"r{number}", name[r.target]) for number, r in enumerate(typed.relations))
        return Schema(tuple(name.values()), tuple(keys), tuple(r.edges for r in typed.relations))


@dataclass(frozen=True)
class TypedGraph:
    """sizes: n_t of every type. src, dst, relation: int64[E], global ids and the number of the relation."""

    schema: Schema
    sizes: tuple[int, ...]
    src: Tensor
    dst: Tensor
    relation: Tensor

    def between(self) -> dict[Key, tuple[Tensor, Tensor]]:
        """Ends of every relation's edges as numbers within their types."""
        begin = dict(zip(self.schema.types, np.cumsum([0, *self.sizes]).tolist(), strict=False))
        src, dst = (ends.split(self.schema.edges) for ends in (self.src, self.dst))
        keys = self.schema.relations
        return {key: (src[r] - begin[key[0]], dst[r] - begin[key[2]]) for r, key in enumerate(keys)}

    def rows(self, x: Tensor) -> dict[str, Tensor]:
        """x [N, F] type by type."""
        return dict(zip(self.schema.types, x.split(self.sizes), strict=True))

    def together(self, found: Mapping[str, Tensor | None], like: Tensor, width: int) -> Tensor:
        """[N, width]: rows of all types; zeros where a type has none."""
        parts = (found.get(name) for name in self.schema.types)
        filled = [like.new_zeros(n, width) if x is None else x for n, x in zip(self.sizes, parts, strict=True)]
        return torch.cat(filled)


def _edges(ends: Ids, kept: Sequence[slice]) -> Ids:
    """Those of some relations, one after another."""
    return np.concatenate([np.zeros(0, np.int64), *(ends[part] for part in kept)])


@dataclass(frozen=True)
class PeerGround:
    """A dataset's graph as `graph` has it, whole or the edges of some relations, each made once."""

    data: HeteroData
    typed: Heterogeneous
    graph: Callable[[TypedGraph], Any]
    _made: dict[tuple[int, ...] | None, Any] = field(default_factory=dict, repr=False, compare=False)

    def prepared(self, wanted: Preparation) -> Prepared:
        if wanted.relations not in self._made:
            self._made[wanted.relations] = self.graph(self._part(wanted.relations))
        return Prepared(self._made[wanted.relations], {})

    def _part(self, numbers: tuple[int, ...] | None) -> TypedGraph:
        schema = Schema.of(read_relations(self.typed, numbers))
        kept = [self.data.edges_of(r) for r in (range(len(self.data.relations)) if numbers is None else numbers)]
        src, dst = (torch.from_numpy(_edges(ends, kept)) for ends in (self.data.src, self.data.dst))
        relation = torch.repeat_interleave(torch.arange(len(kept)), torch.tensor(schema.edges))
        return TypedGraph(schema, tuple(np.diff(self.data.type_ptr).tolist()), src, dst, relation)

"""Small graphs of several relations: a random one and the awkward ones. Global ids; edges grouped by relation."""

from __future__ import annotations

import random

import numpy as np

from workers.compiler.ir import Domain
from workers.compiler.runtime.stitched import StitchedIndex

Edges = list[tuple[int, int]]


def graph(types: list[int], relations: list[Edges]) -> StitchedIndex:
    """`types` has the vertices of each type, `relations` the edges (source, destination) of each relation."""
    ends = np.array([e for edges in relations for e in edges], np.int64).reshape(-1, 2)
    return StitchedIndex(_ptr(types), ends[:, 0].copy(), ends[:, 1].copy(), _ptr([len(r) for r in relations]))


def random_schema(
    seed: int, *, types: int = 3, relations: int = 5, vertices: int = 12, edges: int = 40
) -> StitchedIndex:
    """Ends of a relation are vertices of two types, drawn anew; some types and relations may be empty."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, vertices + 1, types - 1))
    ptr = np.concatenate([[0], cuts, [vertices]])
    full = np.flatnonzero(np.diff(ptr))
    drawn = []
    for share in rng.multinomial(edges, rng.dirichlet(np.full(relations, 0.5))):
        a, b = rng.choice(full, 2)
        ends = [rng.integers(ptr[t], ptr[t + 1], share).tolist() for t in (a, b)]
        drawn.append(list(zip(*ends, strict=True)))
    return graph(np.diff(ptr).tolist(), drawn)


def drawn_schema(draw: random.Random) -> StitchedIndex:
    """Few relations or more than a hundred; with edges that are there twice, from a type to itself, or none."""
    many = draw.random() < 0.1
    index = random_schema(
        draw.randrange(2**31),
        types=draw.randint(1, 6),
        relations=draw.randint(101, 130) if many else draw.randint(1, 9),
        vertices=draw.randint(1, 30 if many else 12),
        edges=draw.choice([0, 5, 20, 40]) * (3 if many else 1),
    )
    again = np.array([e for e in range(index.edges) for _ in range(draw.choice([1, 1, 1, 2]))], np.int64)
    counts = np.bincount(index.relation[again], minlength=index.relations).tolist()
    return StitchedIndex(index.type_ptr, index.src[again], index.dst[again], _ptr(counts))


def _ptr(counts: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


SCHEMAS = {
    "random": random_schema(0),
    "an empty relation and an empty type": graph([3, 0, 2], [[(0, 3), (1, 3), (0, 4)], [], [(3, 0), (4, 2)]]),
    "authors only send": graph([2, 3], [[(0, 2), (1, 2), (1, 3), (1, 3)]]),
    "a destination without edges": graph([2, 2], [[(0, 2)], [(1, 2), (0, 2), (0, 2)]]),
    "no edges": graph([2, 1], [[], []]),
    "no vertices": graph([0, 0], [[]]),
    "a hundred relations": random_schema(1, types=9, relations=100, vertices=60, edges=200),
}


def rows(index: StitchedIndex, domain: Domain) -> tuple[int, ...]:
    return () if domain is Domain.PARAM else (index.rows(domain),)

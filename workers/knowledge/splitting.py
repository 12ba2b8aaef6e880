"""A heterogeneous graph as triples to learn, to choose by and to test on, and what may pass messages meanwhile.

1. Relations that an importer added backwards are no questions: their triples are the others', asked the other way.
2. The parts are the dataset's own, or drawn; an edge and its backward copy are always of one part.
3. Only edges of the training part pass messages, forwards and backwards, and train decoders.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workers.core.errors import JobError
from workers.core.hetero import PARTS, HeteroData
from workers.knowledge.questions import Ids, Known, Triples

Parts = NDArray[np.uint8]


@dataclass(frozen=True)
class Split:
    """parts: triples by name of PARTS, relations numbered as `asked` lists those of the dataset.

    messages: the dataset with training edges alone. known: answers of all parts; `trained`, those of training. bounds:
    int64[2 R, 2], by what is asked, the entities of the type that answers have.
    """

    parts: dict[str, Triples]
    asked: tuple[int, ...]
    messages: HeteroData
    known: Known
    trained: Known
    bounds: Ids


def split(data: HeteroData, valid_share: float, test_share: float, seed: int) -> Split:
    """The shares are of all triples, and only where the dataset says nothing itself.

    Raises JobError where a part would have no triple.
    """
    asked, part = said(data), edge_parts(data, valid_share, test_share, seed)
    everything, of = _triples(data, asked, part)
    parts = {name: everything[of == k] for k, name in enumerate(PARTS)}
    if empty := [name for name, triples in parts.items() if not len(triples)]:
        raise JobError(f"{data.name} has no {empty[0]} triple among {len(everything):,}. Pick a larger dataset.")
    return Split(
        parts,
        asked,
        kept(data, part == PARTS.index("train")),
        Known.of(everything.asked(), data.n),
        Known.of(parts["train"].asked(), data.n),
        _bounds(data, asked),
    )


def said(data: HeteroData) -> tuple[int, ...]:
    """Relations that were in the data: not those that hold the edges of an earlier one backwards."""
    mutual = {back for r, back in data.inverse.items() if data.inverse.get(back) == r and back < r}
    added = set(data.inverse.values()) - mutual
    return tuple(r for r in range(len(data.relations)) if r not in added)


def edge_parts(data: HeteroData, valid_share: float, test_share: float, seed: int) -> Parts:
    """uint8[E]: an index into PARTS for each edge, the same for its backward copy."""
    part = np.zeros(data.edges, np.uint8) if data.edge_part is None else data.edge_part.copy()
    if data.edge_part is None:
        edges = np.concatenate([np.zeros(0, np.int64), *(_edges(data, r) for r in said(data))])
        order = np.random.default_rng([seed, 0]).permutation(edges)
        test, valid = round(len(order) * test_share), round(len(order) * valid_share)
        part[order[:test]], part[order[test : test + valid]] = PARTS.index("test"), PARTS.index("valid")
    for r in said(data):
        if (back := data.inverse.get(r)) is not None:
            part[data.edges_of(back)] = part[data.edges_of(r)]
    return part


def kept(data: HeteroData, keep: NDArray[np.bool_]) -> HeteroData:
    """The dataset with the edges of a mask [E] alone, in their order."""
    counts = np.add.reduceat(np.append(keep, False), data.rel_ptr[:-1]) if len(data.relations) else np.zeros(0)
    counts = np.where(np.diff(data.rel_ptr) > 0, counts, 0)  # reduceat gives an empty stretch its first entry
    features = {
        relation: x[keep[data.edges_of(data.relations.index(relation))]] for relation, x in data.edge_features.items()
    }
    return replace(
        data,
        src=data.src[keep],
        dst=data.dst[keep],
        rel_ptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        edge_features=features,
        times=None if data.times is None else data.times[keep],
        edge_part=None if data.edge_part is None else data.edge_part[keep],
    )


def _edges(data: HeteroData, r: int) -> Ids:
    at = data.edges_of(r)
    return np.arange(at.start, at.stop)


def _triples(data: HeteroData, asked: tuple[int, ...], part: Parts) -> tuple[Triples, Parts]:
    """All triples of the relations asked about, and the part of each."""
    at = np.concatenate([np.zeros(0, np.int64), *(_edges(data, r) for r in asked)])
    sizes = np.diff(data.rel_ptr)[list(asked)]
    relation = np.repeat(np.arange(len(asked)), sizes)
    return Triples(data.src[at], relation, data.dst[at], len(asked)), part[at]


def _bounds(data: HeteroData, asked: tuple[int, ...]) -> Ids:
    """Tails are of the target's type, heads of the source's."""
    ends = [data.relations[r].target for r in asked] + [data.relations[r].source for r in asked]
    ranges = [data.vertices_of(node_type) for node_type in ends]
    return np.array([[inside.start, inside.stop] for inside in ranges], np.int64).reshape(-1, 2)

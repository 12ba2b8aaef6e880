"""A small piece of a graph around one vertex, sampled for a drawing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Neighbourhood:
    """int64 arrays. `vertices` in the order they were found, `hops` and `degrees` (arcs that arrive) beside them.

    `src`, `dst` are the arcs between them. `left_out` counts neighbours met but not taken.
    """

    vertices: Ids
    hops: Ids
    degrees: Ids
    src: Ids
    dst: Ids
    left_out: int


class Arrivals:
    """Who sends to a vertex. Reads only what it is asked for where arcs are sorted by destination, as ours are."""

    def __init__(self, src: Ids, dst: Ids) -> None:
        in_order = bool(np.all(dst[1:] >= dst[:-1]))
        order = slice(None) if in_order else np.argsort(dst, kind="stable")
        self.src, self.dst = src[order], dst[order]

    def of(self, vertex: int) -> Ids:
        begin, end = np.searchsorted(self.dst, [vertex, vertex + 1])
        return np.asarray(self.src[begin:end])


def sample(src: Ids, dst: Ids, vertex: int, hops: int, limit: int, seed: int) -> Neighbourhood:
    """1. Start at `vertex`. 2. Each hop looks at who sends to the vertices found last. 3. Where more are new than may
    still be taken, a seeded draw decides, each vertex of the hop before giving about the same number. 4. The arcs among
    those found, each once.
    """
    arrivals = Arrivals(src, dst)
    rng = np.random.default_rng(seed)
    hop_of = {vertex: 0}
    left_out = 0
    ring = [vertex]
    for hop in range(1, hops + 1):
        offered = [rng.permutation(np.unique(arrivals.of(v))) for v in ring]
        fresh = _in_turn(offered, hop_of)
        taken = fresh[: max(limit - len(hop_of), 0)]
        left_out += len(fresh) - len(taken)
        hop_of |= dict.fromkeys(taken, hop)
        ring = taken
    return _between(arrivals, hop_of, left_out)


def _in_turn(offered: list[Ids], known: dict[int, int]) -> list[int]:
    """One from each list, then the next from each, leaving out what is known."""
    found: dict[int, None] = {}
    for rank in range(max((len(ids) for ids in offered), default=0)):
        for ids in offered:
            if rank < len(ids) and int(ids[rank]) not in known:
                found.setdefault(int(ids[rank]))
    return list(found)


def _between(arrivals: Arrivals, hop_of: dict[int, int], left_out: int) -> Neighbourhood:
    vertices = np.fromiter(hop_of, np.int64, len(hop_of))
    senders = [arrivals.of(int(v)) for v in vertices]
    inside = [np.intersect1d(ids, vertices) for ids in senders]
    return Neighbourhood(
        vertices,
        np.fromiter(hop_of.values(), np.int64, len(hop_of)),
        np.array([len(ids) for ids in senders], np.int64),
        np.concatenate([*inside, np.zeros(0, np.int64)]),
        np.repeat(vertices, [len(ids) for ids in inside]),
        left_out,
    )

"""Small graphs that every compiler test runs on: a random one and the awkward ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Graph:
    """Edges src -> dst, int64[E]."""

    src: np.ndarray
    dst: np.ndarray
    n_src: int
    n_dst: int


def graph(edges: list[tuple[int, int]], n_src: int, n_dst: int | None = None) -> Graph:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return Graph(ends[:, 0].copy(), ends[:, 1].copy(), n_src, n_src if n_dst is None else n_dst)


def random_graph(n: int = 9, arcs: int = 30, seed: int = 0, n_dst: int | None = None) -> Graph:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, n, arcs), rng.integers(0, n if n_dst is None else n_dst, arcs)]
    return Graph(columns[0], columns[1], n, n if n_dst is None else n_dst)


SQUARE = {
    "random": random_graph(),
    "no edges": graph([], 2),
    "no nodes": graph([], 0),
    "one isolated node": graph([], 1),
    "path": graph([(0, 1)], 2),
    "empty rows between full rows": graph([(0, 1), (2, 1), (1, 3), (3, 3)], 5),
    "trailing isolated nodes": graph([(0, 1), (1, 2), (2, 3), (3, 0)], 7),
    "duplicates": graph([(0, 1), (0, 1), (0, 1), (1, 0)], 2),
    "self loops": graph([(0, 0), (1, 1), (0, 1)], 3),
    "star": graph([(k, 0) for k in range(12)], 12),
}

BIPARTITE = {
    "random bipartite": random_graph(5, 20, 1, n_dst=8),
    "more destinations than sources": graph([(0, 0), (0, 1), (1, 1), (1, 3)], 2, 4),
    "fewer destinations than sources": graph([(4, 0), (3, 0), (2, 1)], 5, 3),
    "one edge": graph([(1, 2)], 4, 3),
    "no sources": graph([], 0, 3),
}

"""Graphs made from a seed: the same arguments give the same bytes.

Both draw arcs with a degree-corrected block model: an arc first picks classes, then endpoints in proportion to how
busy a vertex is, so degrees are as uneven as in real graphs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import GraphData, SparseRows
from workers.datasets import arcs, sparse, splits

Ids = NDArray[np.int64]


def sbm(
    n: int = 2708,
    classes: int = 7,
    mean_degree: float = 3.9,
    homophily: float = 0.81,
    features: int = 1433,
    words_per_vertex: int = 18,
    feature_signal: float = 0.21,
    labels_per_class: int = 20,
    val: int = 500,
    test: int = 1000,
    seed: int = 0,
    name: str = "sbm",
) -> GraphData:
    """A stochastic block model of undirected edges with sparse word-like features, as in a citation graph.

    homophily: share of edges inside a class. feature_signal: share of a vertex's words drawn from its class's own
    words, the rest from words common to all; 0 makes features useless. Rows of features sum to 1.
    """
    rng = np.random.default_rng(seed)
    y = np.sort(rng.choice(classes, size=n, p=_class_shares(classes)))[rng.permutation(n)]
    busy = rng.pareto(2.5, size=n) + 0.4
    src, dst = _block_arcs(rng, y, busy, busy, round(n * mean_degree / 2), homophily)
    clean = arcs.tidy(src, dst, n, symmetrise=True)
    x = _word_features(rng, y, classes, features, words_per_vertex, feature_signal) if features else None
    split = splits.per_class(y, labels_per_class, val, test, seed)
    return GraphData(
        name,
        n,
        clean.src,
        clean.dst,
        x,
        y,
        _class_names(classes),
        split.train,
        split.val,
        split.test,
        source=f"generated: sbm, seed {seed}",
        notes=(f"Stochastic block model: {homophily:.0%} of edges stay inside a class.",),
    )


def power_law(
    n: int = 10_000,
    edges: int = 80_000,
    exponent: float = 2.2,
    classes: int = 8,
    homophily: float = 0.5,
    features: int = 64,
    separation: float = 0.25,
    directed: bool = False,
    seed: int = 0,
    name: str = "power-law",
) -> GraphData:
    """Degrees with a heavy tail (P(d) ~ d^-exponent), dense normal features around a centre per class.

    separation: distance of the class centres in units of the noise; 0 makes features useless. In a directed graph
    the vertices that send much are not those that receive much. Split 60/20/20.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    sends = rng.pareto(exponent - 1, size=n) + 0.1
    receives = rng.pareto(exponent - 1, size=n) + 0.1 if directed else sends
    src, dst = _block_arcs(rng, y, sends, receives, edges, homophily)
    clean = arcs.tidy(src, dst, n, symmetrise=not directed)
    centres = rng.standard_normal((classes, features))
    x = (rng.standard_normal((n, features)) + separation * centres[y]).astype(np.float32) if features else None
    split = splits.shares(np.arange(n, dtype=np.int64), 0.6, 0.2, seed)
    return GraphData(
        name,
        n,
        clean.src,
        clean.dst,
        x,
        y.astype(np.int64),
        _class_names(classes),
        split.train,
        split.val,
        split.test,
        source=f"generated: power-law, seed {seed}",
        notes=(f"{clean.duplicates:,} repeated edges and {clean.self_loops:,} self-loops drawn and dropped.",),
    )


MOTIFS: dict[str, tuple[tuple[int, int], ...]] = {
    "ring": ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)),
    "house": ((0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 2)),
    "clique": ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)),
}
"""Edges between five vertices, by the class they stand for."""
LARGEST_DEGREE = 8


def motifs(
    graphs: int = 600,
    min_vertices: int = 12,
    max_vertices: int = 28,
    extra_edges: int = 2,
    seed: int = 0,
    name: str = "motifs",
) -> GraphData:
    """Many small graphs for graph classification: the class is which of `MOTIFS` hangs on a random tree.

    extra_edges: pairs of the tree joined at random, which makes rings that stand for nothing. Features are the degree,
    one-hot up to 8. Vertices are shuffled. Split 80/10/10, each part with every class in proportion.
    """
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(graphs) % len(MOTIFS))
    shapes = list(MOTIFS.values())
    sizes = rng.integers(min_vertices, max_vertices + 1, graphs)
    edges = [_motif_graph(rng, int(n), shapes[c], extra_edges) for n, c in zip(sizes, y, strict=True)]
    offset = np.repeat(np.cumsum(sizes) - sizes, [len(e) for e in edges])
    ends = np.concatenate(edges) + offset[:, None]
    n = int(sizes.sum())
    clean = arcs.tidy(ends[:, 0], ends[:, 1], n, symmetrise=True)
    degree = np.bincount(clean.dst, minlength=n).clip(0, LARGEST_DEGREE)
    split = splits.stratified(y, 0.8, 0.1, seed)
    return GraphData(
        name,
        n,
        clean.src,
        clean.dst,
        np.eye(LARGEST_DEGREE + 1, dtype=np.float32)[degree],
        classes=tuple(MOTIFS),
        train=split.train,
        val=split.val,
        test=split.test,
        graph_of=np.repeat(np.arange(graphs, dtype=np.int64), sizes),
        graph_y=y.astype(np.int64),
        source=f"generated: motifs, seed {seed}",
        notes=(f"A motif of five vertices on a random tree with {extra_edges} edges more; features are degrees.",),
    )


def _motif_graph(rng: np.random.Generator, n: int, motif: tuple[tuple[int, int], ...], extra: int) -> Ids:
    """int64[edges, 2] of one graph: 1. A tree whose vertices pick an earlier one. 2. Some more pairs of it are joined.
    3. The motif hangs on a vertex of the tree. 4. Vertices are shuffled.
    """
    body = n - 5
    tree = np.stack([np.arange(1, body), (rng.random(body - 1) * np.arange(1, body)).astype(np.int64)], 1)
    more = rng.integers(0, body, (extra, 2))
    bridge = np.array([[rng.integers(0, body), body + rng.integers(0, 5)]])
    edges = np.concatenate([tree, more[more[:, 0] != more[:, 1]], np.array(motif) + body, bridge])
    shuffled: Ids = rng.permutation(n)[edges]
    return shuffled


PRESETS: dict[str, dict[str, Any]] = {
    "cora-like": {"name": "cora-like"},
    "cora-like-small": {"name": "cora-like-small", "n": 600, "features": 300, "val": 120, "test": 240},
}
"""Named arguments of `sbm`."""


def preset(name: str, seed: int = 0) -> GraphData:
    return sbm(**PRESETS[name], seed=seed)


def _class_shares(classes: int) -> NDArray[np.float64]:
    """Uneven on purpose: the largest class is about three times the smallest."""
    weights = np.linspace(3.0, 1.0, classes)
    return np.asarray(weights / weights.sum())


def _class_names(classes: int) -> tuple[str, ...]:
    return tuple(f"class {c}" for c in range(classes))


def _block_arcs(
    rng: np.random.Generator,
    y: Ids,
    sends: NDArray[np.float64],
    receives: NDArray[np.float64],
    count: int,
    homophily: float,
) -> tuple[Ids, Ids]:
    """1. Every vertex sends once, the rest go by how much a vertex sends. 2. Each arc stays in its class or leaves it.
    3. Its destination is drawn within that choice.
    """
    everyone = np.arange(len(y))[:count]
    src = np.concatenate([everyone, _weighted(rng, np.arange(len(y)), sends, count - len(everyone))])
    dst = np.empty(count, np.int64)
    stays = rng.random(count) < homophily
    for c in range(int(y.max(initial=0)) + 1):
        for inside in (True, False):
            arcs_here = np.flatnonzero((y[src] == c) & (stays == inside))
            members = np.flatnonzero((y == c) == inside)
            pool = members if len(members) else np.arange(len(y))
            dst[arcs_here] = _weighted(rng, pool, receives[pool], len(arcs_here))
    return src, dst


def _weighted(rng: np.random.Generator, pool: Ids, weights: NDArray[np.float64], count: int) -> Ids:
    """`count` members of `pool`, each with probability in proportion to its weight."""
    edges = np.cumsum(weights)
    at = np.searchsorted(edges, rng.random(count) * edges[-1], side="right")
    picked: Ids = pool[np.minimum(at, len(pool) - 1)].astype(np.int64)
    return picked


def _word_features(
    rng: np.random.Generator, y: Ids, classes: int, words: int, per_vertex: int, signal: float
) -> SparseRows:
    """Each vertex draws words: some from its class's own list, most from a list common to all; repeats count once."""
    n = len(y)
    common = np.arange(1, words + 1, dtype=np.float64) ** -0.7
    owner = rng.integers(0, classes, words)
    draws = rng.poisson(per_vertex, n).clip(1, words)
    row = np.repeat(np.arange(n, dtype=np.int64), draws)
    word = _weighted(rng, rng.permutation(words), common, len(row))
    topical = rng.random(len(row)) < signal
    for c in range(classes):
        here = np.flatnonzero(topical & (y[row] == c))
        own = np.flatnonzero(owner == c)
        if len(own):
            word[here] = rng.choice(own, len(here))
    x = sparse.row_normalise(sparse.from_entries(row, word, np.ones(len(row), np.float32), n, words))
    assert isinstance(x, SparseRows)
    return x

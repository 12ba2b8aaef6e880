"""Heterogeneous graphs made from a seed: the same arguments give the same bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workers.core.hetero import HeteroData, Ids, Relation
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish
from workers.datasets.limits import LIMITS
from workers.datasets.options import ImportOptions

AREAS = ("databases", "graphics", "languages", "networks")
WORDS = 64


def library(
    papers: int = 900,
    authors: int = 500,
    venues: int = 16,
    fields: int = 40,
    authors_per_paper: float = 2.5,
    citations_per_paper: float = 3.0,
    homophily: float = 0.75,
    feature_signal: float = 0.15,
    labels_per_class: int = 20,
    seed: int = 0,
    name: str = "library",
) -> HeteroData:
    """Papers, their authors, venues and fields; a paper's area is to be told. Papers alone have features (words).

    homophily: share of edges that join two of one area. feature_signal: share of a paper's words about its area.
    """
    rng = np.random.default_rng(seed)
    counts = {"paper": papers, "author": authors, "venue": venues, "field": fields}
    area = {t: rng.permutation(np.arange(n) % len(AREAS)) for t, n in counts.items()}

    def drawn(source: str, target: str, count: int) -> Edges:
        """Edges from `source`, every vertex of it once before any is drawn again."""
        src = _spread(rng, counts[source], count)
        return Edges(src, _ends(rng, area[source][src], area[target], homophily))

    cites = drawn("paper", "paper", round(papers * citations_per_paper))
    others = cites.src != cites.dst
    raw = HeteroRaw(
        name,
        counts,
        {
            Relation("paper", "cites", "paper"): cites.take(np.flatnonzero(others)),
            Relation("paper", "written by", "author"): drawn("paper", "author", round(papers * authors_per_paper)),
            Relation("paper", "appears in", "venue"): drawn("paper", "venue", papers),
            Relation("paper", "is about", "field"): drawn("paper", "field", 2 * papers),
        },
        source=f"generated: library, seed {seed}",
        features={"paper": _words(rng, area["paper"], feature_signal)},
        names={t: [f"{t} {v}" for v in range(n)] for t, n in counts.items()},
        target="paper",
        y=area["paper"].astype(np.int64),
        classes=AREAS,
        usual="per_class",
        inverse=True,
        notes=(f"A made library: {homophily:.0%} of edges join two of one area. Only papers have features.",),
    )
    options = ImportOptions(labels_per_class=labels_per_class, val_per_class=40, seed=seed)
    data = finish(raw, options, LIMITS, name).data
    assert isinstance(data, HeteroData)
    return data


def relations(
    types: int = 5,
    relations: int = 20,
    vertices: int = 10_000,
    edges: int = 100_000,
    features: int = 32,
    classes: int = 4,
    seed: int = 0,
    name: str = "relations",
) -> HeteroData:
    """Any number of types and relations of about equal size over `vertices` and `edges`; the first type has labels.

    Relations join types at random, so some types may only send or only receive. Features of a vertex lie around a
    centre of its class, so what is to be learnt can be learnt. features 0 gives none.
    """
    rng = np.random.default_rng(seed)
    counts = {f"type {t}": len(part) for t, part in enumerate(np.array_split(np.arange(vertices), types))}
    names = list(counts)
    y = rng.integers(0, classes, counts[names[0]])
    raw = HeteroRaw(
        name,
        counts,
        {
            key: Edges(rng.integers(0, counts[key.source], size), rng.integers(0, counts[key.target], size))
            for key, size in zip(_keys(rng, names, relations), _sizes(edges, relations), strict=True)
        },
        source=f"generated: relations, seed {seed}",
        features=_centred(rng, counts, features, y, classes) if features else {},
        target=names[0],
        y=y,
        classes=tuple(f"class {c}" for c in range(classes)),
        notes=(f"{relations:,} relations between {types:,} types, joined at random.",),
    )
    data = finish(raw, ImportOptions(seed=seed, drop_duplicates=False), LIMITS, name).data
    assert isinstance(data, HeteroData)
    return data


def _centred(
    rng: np.random.Generator, counts: dict[str, int], features: int, y: Ids, classes: int
) -> dict[str, NDArray[np.float32]]:
    """Normal features of every type, those of the first around a centre for each class."""
    x = {t: rng.standard_normal((n, features)).astype(np.float32) for t, n in counts.items()}
    x[next(iter(x))] += rng.standard_normal((classes, features)).astype(np.float32)[y]
    return x


def _keys(rng: np.random.Generator, names: list[str], relations: int) -> list[Relation]:
    ends = rng.integers(0, len(names), (relations, 2))
    return [Relation(names[a], f"relation {r}", names[b]) for r, (a, b) in enumerate(ends.tolist())]


def _sizes(edges: int, relations: int) -> list[int]:
    return [len(part) for part in np.array_split(np.arange(edges), relations)]


def _spread(rng: np.random.Generator, n: int, count: int) -> Ids:
    """int64[count]: each of n once, the rest drawn."""
    return np.concatenate([np.arange(n)[:count], rng.integers(0, n, max(count - n, 0))]).astype(np.int64)


def _ends(rng: np.random.Generator, wanted: Ids, area: Ids, homophily: float) -> Ids:
    """int64: for each wanted area a vertex of that area with probability `homophily`, else any."""
    order = np.argsort(area, kind="stable")
    ptr = np.searchsorted(area[order], np.arange(len(AREAS) + 1))
    size = np.diff(ptr)[wanted]
    inside = order[np.minimum(ptr[wanted] + (rng.random(len(wanted)) * size).astype(np.int64), len(area) - 1)]
    stays = (rng.random(len(wanted)) < homophily) & (size > 0)
    return np.where(stays, inside, rng.integers(0, len(area), len(wanted))).astype(np.int64)


def _words(rng: np.random.Generator, area: Ids, signal: float) -> NDArray[np.float32]:
    """float32[N, WORDS]: twelve words each; a share of them from the words of its area. Rows sum to 1."""
    own = len(AREAS) * rng.integers(0, WORDS // len(AREAS), (len(area), 12)) + area[:, None]
    words = np.where(rng.random(own.shape) < signal, own, rng.integers(0, WORDS, own.shape))
    x = np.zeros((len(area), WORDS), np.float32)
    np.add.at(x, (np.arange(len(area))[:, None], words), 1)
    x /= x.sum(axis=1, keepdims=True)
    return x

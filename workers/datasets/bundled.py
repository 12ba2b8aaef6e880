"""Datasets that are there at once: real graphs that installed packages ship, and the presets of the generators.

Nothing is copied into the project and nothing is fetched: networkx and scikit-learn carry the data.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import GraphData
from workers.core.errors import WrongGraph
from workers.core.hetero import HeteroData
from workers.datasets import arcs, generators, hetero_generators, sparse, splits

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Bundled:
    """One dataset that can be had by name. `build` makes it; the same bytes every time."""

    title: str
    description: str
    build: Callable[[], GraphData | HeteroData]


def load(name: str) -> GraphData:
    """The dataset `name`, of one type; KeyError naming those there are when it is unknown."""
    data = load_any(name)
    if isinstance(data, GraphData):
        return data
    raise WrongGraph(name, "heterogeneous", "one type of vertices and edges")


def load_hetero(name: str) -> HeteroData:
    """The heterogeneous dataset `name`; KeyError naming those there are when it is unknown."""
    data = load_any(name)
    if isinstance(data, HeteroData):
        return data
    raise WrongGraph(name, "of one type", "types of vertices and relations")


def load_any(name: str) -> GraphData | HeteroData:
    """The dataset `name`, whatever its kind; KeyError naming those there are when it is unknown."""
    if name not in CATALOG:
        raise KeyError(f"no bundled dataset {name!r}; there are {', '.join(CATALOG)}")
    return replace(CATALOG[name].build(), name=name)


def _karate() -> GraphData:
    nx = _networkx()
    graph = nx.karate_club_graph()
    clubs = [graph.nodes[v]["club"] for v in graph]
    y = np.array([clubs[v] == "Officer" for v in range(len(clubs))], np.int64)
    split = splits.per_class(y, labels=4, val=8, test=len(y), seed=0)
    return _from_networkx(
        graph,
        "networkx karate_club_graph",
        y=y,
        classes=("Mr. Hi", "Officer"),
        split=split,
        note="Zachary's karate club. A vertex's feature is its own number, one-hot.",
    )


def _les_miserables() -> GraphData:
    nx = _networkx()
    graph = nx.les_miserables_graph()
    return _from_networkx(
        graph,
        "networkx les_miserables_graph",
        weight="weight",
        note="Characters of the novel; the edge feature counts shared scenes.",
    )


def _davis_women() -> GraphData:
    nx = _networkx()
    graph = nx.davis_southern_women_graph()
    y = np.array([graph.nodes[v]["bipartite"] for v in graph], np.int64)
    split = splits.per_class(y, labels=4, val=8, test=len(y), seed=0)
    return _from_networkx(
        graph,
        "networkx davis_southern_women_graph",
        y=y,
        classes=("woman", "event"),
        split=split,
        note="Bipartite: 18 women and the 14 events they attended.",
    )


def _networkx() -> Any:
    """Imported by who needs it: it takes as long as the rest of the API, which only lists the names."""
    return importlib.import_module("networkx")


def _from_networkx(
    graph: Any,
    source: str,
    *,
    y: Ids | None = None,
    classes: tuple[str, ...] = (),
    split: splits.Split | None = None,
    weight: str | None = None,
    note: str,
) -> GraphData:
    """Vertices in the graph's own order, one-hot features, both directions of each edge."""
    names = list(graph)
    number = {v: i for i, v in enumerate(names)}
    pairs = np.array([(number[u], number[v]) for u, v in graph.edges()], np.int64).reshape(-1, 2)
    clean = arcs.tidy(pairs[:, 0], pairs[:, 1], len(names), symmetrise=True)
    edge_x = None
    if weight is not None:
        found = [graph.edges[names[u], names[v]][weight] for u, v in zip(clean.src, clean.dst, strict=True)]
        edge_x = np.array(found, np.float32).reshape(-1, 1)
    ones = np.arange(len(names), dtype=np.int64)
    x = sparse.from_entries(ones, ones, np.ones(len(names), np.float32), len(names), len(names))
    data = GraphData(
        "",
        len(names),
        clean.src,
        clean.dst,
        x,
        y,
        classes,
        edge_x=edge_x,
        source=source,
        notes=(note,),
        extra={"vertex_names": [str(v) for v in names]},
    )
    return data if split is None else replace(data, train=split.train, val=split.val, test=split.test)


def _digits() -> GraphData:
    table = _shipped_table("digits.csv.gz", skip_header=0)
    return _neighbours(
        table[:, :-1] / 16.0,
        table[:, -1],
        tuple(str(d) for d in range(10)),
        "scikit-learn digits",
        "8 x 8 pictures of handwritten digits, brightness 0 to 1",
    )


def _breast_cancer() -> GraphData:
    table = _shipped_table("breast_cancer.csv", skip_header=1)
    return _neighbours(
        _standardise(table[:, :-1]),
        table[:, -1],
        ("malignant", "benign"),
        "scikit-learn breast_cancer",
        "Measurements of cell nuclei, standardised",
    )


def _wine() -> GraphData:
    table = _shipped_table("wine_data.csv", skip_header=1)
    return _neighbours(
        _standardise(table[:, :-1]),
        table[:, -1],
        ("class 0", "class 1", "class 2"),
        "scikit-learn wine",
        "Chemical analyses of wines, standardised",
    )


def _shipped_table(name: str, skip_header: int) -> NDArray[np.float64]:
    """Read a table out of the installed scikit-learn without importing it, which would take seconds.

    ModuleNotFoundError when scikit-learn is not installed.
    """
    found = find_spec("sklearn")
    if found is None or found.submodule_search_locations is None:
        raise ModuleNotFoundError("this dataset comes with scikit-learn, which is not installed", name="sklearn")
    path = Path(found.submodule_search_locations[0]) / "datasets" / "data" / name
    return np.loadtxt(path, delimiter=",", skiprows=skip_header)


def _neighbours(
    x: NDArray[np.float64], labels: NDArray[np.float64], classes: tuple[str, ...], source: str, what: str, k: int = 8
) -> GraphData:
    """A graph over rows: an edge where one row is among the other's k nearest."""
    src, dst = nearest(x, k)
    clean = arcs.tidy(src, dst, len(x), symmetrise=True)
    y = labels.astype(np.int64)
    split = splits.per_class(y, labels=20, val=len(y) // 5, test=len(y), seed=0)
    return GraphData(
        "",
        len(x),
        clean.src,
        clean.dst,
        x.astype(np.float32),
        y,
        classes,
        split.train,
        split.val,
        split.test,
        source=source,
        notes=(f"{what}. An edge joins each row to its {k} nearest.",),
    )


def nearest(x: NDArray[np.float64], k: int) -> tuple[Ids, Ids]:
    """Arcs from each row's k nearest other rows to it; equal distances go to the lower id. Needs N x N memory."""
    square = (x**2).sum(axis=1)
    distance = np.round(square[:, None] + square[None, :] - 2 * x @ x.T, 9)
    np.fill_diagonal(distance, np.inf)
    picks = np.argsort(distance, axis=1, kind="stable")[:, :k]
    return picks.ravel().astype(np.int64), np.repeat(np.arange(len(x), dtype=np.int64), picks.shape[1])


def _standardise(x: NDArray[np.float64]) -> NDArray[np.float64]:
    scaled: NDArray[np.float64] = (x - x.mean(axis=0)) / x.std(axis=0)
    return scaled


CATALOG: dict[str, Bundled] = {
    "cora-like": Bundled(
        "Cora-like",
        "A citation-like graph made by a seeded block model: 2,708 papers in 7 classes, 20 labels each.",
        lambda: generators.preset("cora-like"),
    ),
    "motifs": Bundled(
        "Motifs",
        "600 small graphs made from a seed: a random tree with a ring, a house or a clique in it tells the class.",
        lambda: generators.motifs(),
    ),
    "library": Bundled(
        "Library",
        "A heterogeneous graph made from a seed: 900 papers in 4 areas, their authors, venues and fields.",
        lambda: hetero_generators.library(),
    ),
    "digits": Bundled("Digits", "1,797 handwritten digits, each joined to its 8 nearest pictures.", _digits),
    "karate": Bundled("Karate club", "34 members of a club that split in two: the smallest.", _karate),
    "breast-cancer": Bundled("Breast cancer", "569 samples joined to their 8 nearest; 2 diagnoses.", _breast_cancer),
    "wine": Bundled("Wine", "178 wines joined to their 8 nearest; 3 cultivars.", _wine),
    "davis-women": Bundled("Southern women", "18 women and 14 events: a bipartite graph.", _davis_women),
    "les-miserables": Bundled("Les Misérables", "77 characters, weighted by scenes, unlabelled.", _les_miserables),
}
"""By name, in the order pages list them."""

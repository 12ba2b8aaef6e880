"""What a dataset's page shows, worked out once when the dataset is made and stored beside it as `summary.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from workers.core.dataset import GraphData, SparseRows
from workers.datasets import arcs, sparse

BINS = 24
TOP_COLUMNS = 10
Ids = NDArray[np.int64]


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True)


class DegreeBin(_Fact):
    """Vertices whose degree is from `low` to `high`, both included."""

    low: int
    high: int
    vertices: int


class Degrees(_Fact):
    """How many arcs vertices have. Bins are even on a logarithmic axis and start at 1; `zero` counts degree 0."""

    bins: list[DegreeBin]
    zero: int
    min: int
    median: float
    mean: float
    p95: float
    max: int


class TopColumn(_Fact):
    """A feature that is set in many vertices."""

    column: int
    nonzero: int
    mean: float = Field(description="Over all vertices.")


class Features(_Fact):
    """The values of vertex features."""

    columns: int
    nonzero: int
    nonzero_ratio: float
    sparse: bool = Field(description="Whether they are stored as sparse rows.")
    min: float
    max: float
    mean: float
    empty_rows: int = Field(description="Vertices without a single value that is not 0.")
    top_columns: list[TopColumn]


class ClassCount(_Fact):
    """One class: of its vertices (graphs, where graphs are classified) how many are in each part of the split."""

    name: str
    count: int
    train: int
    val: int
    test: int


class GraphSizes(_Fact):
    """Vertices per graph."""

    min: int
    median: float
    max: int


class DatasetSummary(_Fact):
    """Everything the page of a dataset shows beside its plain facts."""

    vertices: int
    arcs: int
    undirected_edges: int | None = Field(description="Pairs joined in both directions; None for a directed graph.")
    in_degrees: Degrees
    out_degrees: Degrees
    isolated: int = Field(description="Vertices without any arc.")
    features: Features | None
    labelled: int
    unlabelled: int
    classes: list[ClassCount]
    train: int
    val: int
    test: int
    homophily: float | None = Field(description="Share of arcs between vertices of one class; None without labels.")
    graph_sizes: GraphSizes | None = Field(description="None for a single graph.")
    sha256: str = Field(description="Over every array, in a fixed order.")
    suggested_vertex: int = Field(description="A vertex whose neighbourhood makes a good picture.")


def summarise(data: GraphData) -> DatasetSummary:
    """Work out the summary of a dataset that has passed its checks."""
    in_degree = np.bincount(data.dst, minlength=data.n).astype(np.int64)
    out_degree = np.bincount(data.src, minlength=data.n).astype(np.int64)
    labels = data.graph_y if data.graph_y is not None else data.y
    labelled = 0 if labels is None else int((labels >= 0).sum())
    symmetric = arcs.is_symmetric(data.src, data.dst, data.n)
    loops = int((data.src == data.dst).sum())
    return DatasetSummary(
        vertices=data.n,
        arcs=len(data.src),
        undirected_edges=(len(data.src) - loops) // 2 + loops if symmetric else None,
        in_degrees=degrees_of(in_degree),
        out_degrees=degrees_of(out_degree),
        isolated=int(((in_degree == 0) & (out_degree == 0)).sum()),
        features=None if data.x is None else features_of(data.x),
        labelled=labelled,
        unlabelled=(data.n if labels is None else len(labels)) - labelled,
        classes=[] if labels is None else class_counts(data.classes, labels, data.train, data.val, data.test),
        **{part: _size(getattr(data, part)) for part in ("train", "val", "test")},
        homophily=_homophily(data),
        graph_sizes=None if data.graph_of is None else _graph_sizes(data.graph_of),
        sha256=_sha256(data),
        suggested_vertex=suggested(in_degree),
    )


def degrees_of(degree: Ids) -> Degrees:
    if not len(degree):
        return Degrees(bins=[], zero=0, min=0, median=0.0, mean=0.0, p95=0.0, max=0)
    highest = int(degree.max())
    edges = np.unique(np.floor(np.geomspace(1, highest + 1, BINS + 1)).astype(np.int64))
    counts = np.histogram(degree, edges)[0] if len(edges) > 1 else np.zeros(0, np.int64)
    bins = [
        DegreeBin(low=int(low), high=int(high) - 1, vertices=int(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    # The last bin of a histogram includes its upper edge, but no degree is as large as highest + 1.
    return Degrees(
        bins=bins,
        zero=int((degree == 0).sum()),
        min=int(degree.min()),
        median=float(np.median(degree)),
        mean=float(degree.mean()),
        p95=float(np.percentile(degree, 95)),
        max=highest,
    )


def features_of(x: sparse.Features) -> Features:
    rows, columns = sparse.shape(x)
    per_column, sums, values = _columns(x, columns)
    nonzero = int(per_column.sum())
    has_zero = nonzero < rows * columns
    busy = np.argsort(-per_column, kind="stable")[:TOP_COLUMNS]
    return Features(
        columns=columns,
        nonzero=nonzero,
        nonzero_ratio=nonzero / (rows * columns) if rows * columns else 0.0,
        sparse=isinstance(x, SparseRows),
        min=float(min(values.min(initial=np.inf), 0.0 if has_zero else np.inf)) if rows * columns else 0.0,
        max=float(max(values.max(initial=-np.inf), 0.0 if has_zero else -np.inf)) if rows * columns else 0.0,
        mean=float(sums.sum() / (rows * columns)) if rows * columns else 0.0,
        empty_rows=_empty_rows(x),
        top_columns=[
            TopColumn(column=int(c), nonzero=int(per_column[c]), mean=float(sums[c] / max(rows, 1)))
            for c in busy
            if per_column[c]
        ],
    )


def _columns(x: sparse.Features, columns: int) -> tuple[Ids, NDArray[np.float64], NDArray[np.float32]]:
    """int64[F] entries that are not zero, float64[F] sums, and the values that may be the least or greatest."""
    if isinstance(x, SparseRows):
        set_ = np.bincount(x.indices[x.data != 0], minlength=columns).astype(np.int64)
        return set_, np.bincount(x.indices, weights=x.data, minlength=columns).astype(np.float64), x.data
    return np.count_nonzero(x, axis=0).astype(np.int64), x.sum(axis=0, dtype=np.float64), x


def _empty_rows(x: sparse.Features) -> int:
    if isinstance(x, SparseRows):
        filled = np.bincount(sparse.row_numbers(x), weights=x.data != 0, minlength=len(x.indptr) - 1)
        return int((filled == 0).sum())
    return int((~x.any(axis=1)).sum())


def class_counts(
    classes: Sequence[str], labels: Ids, train: Ids | None, val: Ids | None, test: Ids | None
) -> list[ClassCount]:
    """How many of each class there are, in all and in each part of the split."""

    def counted(ids: Ids | None) -> Ids:
        chosen = labels[:0] if ids is None else labels[ids]
        return np.bincount(chosen[chosen >= 0], minlength=len(classes)).astype(np.int64)

    total, *parts = (counted(ids) for ids in (np.arange(len(labels)), train, val, test))
    return [
        ClassCount(name=name, count=int(total[c]), train=int(parts[0][c]), val=int(parts[1][c]), test=int(parts[2][c]))
        for c, name in enumerate(classes)
    ]


def _size(ids: Ids | None) -> int:
    return 0 if ids is None else len(ids)


def _homophily(data: GraphData) -> float | None:
    if data.y is None:
        return None
    a, b = data.y[data.src], data.y[data.dst]
    known = (a >= 0) & (b >= 0)
    return float((a == b)[known].mean()) if known.any() else None


def _graph_sizes(graph_of: Ids) -> GraphSizes:
    sizes = np.bincount(graph_of)
    return GraphSizes(min=int(sizes.min()), median=float(np.median(sizes)), max=int(sizes.max()))


def _sha256(data: GraphData) -> str:
    names = ("src", "dst", "x", "y", "train", "val", "test", "graph_of", "graph_y", "edge_x")
    return sha256_of((name, array) for name in names for array in _parts(getattr(data, name)))


def sha256_of(arrays: Iterable[tuple[str, NDArray[Any]]]) -> str:
    """Over names, types, shapes and bytes, in the order given."""
    digest = hashlib.sha256()
    for name, array in arrays:
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _parts(value: Any) -> list[NDArray[Any]]:
    if value is None:
        return []
    return [value.indptr, value.indices, value.data] if isinstance(value, SparseRows) else [value]


def suggested(degree: Ids) -> int:
    """The first vertex whose degree is nearest to six: enough to see, not too much to draw."""
    return int(np.argmin(np.abs(degree - 6))) if len(degree) else 0

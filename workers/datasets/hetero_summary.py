"""What the page of a heterogeneous dataset shows: the summary all datasets have, and its schema with degrees."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from workers.core.hetero import HeteroData, Ids, Mask
from workers.core.hetero_pack import arrays_of
from workers.datasets.summary import (
    DatasetSummary,
    class_counts,
    degrees_of,
    features_of,
    sha256_of,
    suggested,
)


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True)


class TypeSummary(_Fact):
    """Vertices of one type."""

    name: str
    vertices: int
    features: int
    labelled: int
    isolated: int = Field(description="Vertices that no edge touches.")


class Fan(_Fact):
    """Edges of one relation at a vertex of one of its ends, over the vertices of that type."""

    touched: int = Field(description="Vertices with at least one.")
    mean: float
    max: int


class RelationSummary(_Fact):
    """Edges of one relation."""

    source: str
    name: str
    target: str
    edges: int
    features: int
    inverse_of: int | None = Field(description="The relation whose edges this one holds backwards.")
    sends: Fan = Field(description="Edges that leave a vertex of the source type.")
    receives: Fan = Field(description="Edges that arrive at a vertex of the target type.")


class GraphSchema(_Fact):
    """Types of vertices and the relations between them."""

    types: list[TypeSummary]
    relations: list[RelationSummary]
    target: str | None


def summarise(data: HeteroData) -> DatasetSummary:
    """The summary over all types together; features, labels and classes are those of the target type."""
    arrives, leaves = (np.bincount(ids, minlength=data.n).astype(np.int64) for ids in (data.dst, data.src))
    x = None if data.target is None else data.features.get(data.target)
    y = np.zeros(0, np.int64) if data.y is None else data.y
    parts = {part: _chosen(getattr(data, part)) for part in ("train", "val", "test")}
    return DatasetSummary(
        vertices=data.n,
        arcs=data.edges,
        undirected_edges=None,
        in_degrees=degrees_of(arrives),
        out_degrees=degrees_of(leaves),
        isolated=int(((arrives == 0) & (leaves == 0)).sum()),
        features=None if x is None else features_of(x),
        labelled=int((y >= 0).sum()),
        unlabelled=int((y < 0).sum()),
        classes=class_counts(data.classes, y, **parts) if len(y) else [],
        **{part: len(ids) for part, ids in parts.items()},
        homophily=None,
        graph_sizes=None,
        sha256=sha256_of(sorted(arrays_of(data).items())),
        suggested_vertex=_suggested(data, arrives),
    )


def schema_of(data: HeteroData) -> GraphSchema:
    """What it is made of, type by type and relation by relation."""
    touched = np.zeros(data.n, bool)
    touched[data.src] = touched[data.dst] = True
    backwards = {back: r for r, back in data.inverse.items()}
    return GraphSchema(
        types=[_type(data, name, touched) for name in data.node_types],
        relations=[_relation(data, r, backwards.get(r)) for r in range(len(data.relations))],
        target=data.target,
    )


def _type(data: HeteroData, name: str, touched: Mask) -> TypeSummary:
    x = data.features.get(name)
    return TypeSummary(
        name=name,
        vertices=data.count(name),
        features=0 if x is None else x.shape[1],
        labelled=int((data.y >= 0).sum()) if name == data.target and data.y is not None else 0,
        isolated=int((~touched[data.vertices_of(name)]).sum()),
    )


def _relation(data: HeteroData, r: int, inverse_of: int | None) -> RelationSummary:
    key, at = data.relations[r], data.edges_of(r)
    x = data.edge_features.get(key)
    return RelationSummary(
        source=key.source,
        name=key.name,
        target=key.target,
        edges=at.stop - at.start,
        features=0 if x is None else x.shape[1],
        inverse_of=inverse_of,
        sends=_fan(data.src[at], data.count(key.source)),
        receives=_fan(data.dst[at], data.count(key.target)),
    )


def _fan(ids: Ids, vertices: int) -> Fan:
    counts = np.unique(ids, return_counts=True)[1]
    return Fan(touched=len(counts), mean=len(ids) / max(vertices, 1), max=int(counts.max(initial=0)))


def _chosen(mask: Mask | None) -> Ids:
    return np.zeros(0, np.int64) if mask is None else np.flatnonzero(mask).astype(np.int64)


def _suggested(data: HeteroData, degree: Ids) -> int:
    """A vertex of the target type, where there is one."""
    inside = data.vertices_of(data.target) if data.target is not None else slice(0, data.n)
    return inside.start + suggested(degree[inside])

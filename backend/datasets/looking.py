"""Looking into a stored dataset without loading it: the summary made at its import, a piece around a vertex."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from backend.datasets.schemas import DatasetNeighbourhood, NeighbourhoodEdge, NeighbourhoodVertex
from backend.errors import Unprocessable
from workers.core import dataset_store
from workers.core.dataset import DatasetInfo
from workers.core.hetero import Ids, Names
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.datasets.documents import summarise
from workers.datasets.hetero_summary import GraphSchema
from workers.datasets.neighbourhood import Neighbourhood, sample
from workers.datasets.summary import DatasetSummary


def summary(storage: Storage, dataset_id: str) -> DatasetSummary:
    """As it was stored; worked out now for a dataset that was stored without one."""
    stored = dataset_store.read_document(storage.files, dataset_id, "summary")
    if stored is None:
        return summarise(dataset_store.load_any(storage.files, dataset_id))
    return DatasetSummary.model_validate(stored)


def schema(storage: Storage, info: DatasetInfo) -> GraphSchema:
    """As it was stored; Unprocessable for a graph of one type."""
    stored = dataset_store.read_document(storage.files, info.id, "schema")
    if stored is None:
        message = f"{info.name} has one type of vertices and one relation, so there is no schema to draw."
        raise Unprocessable(message, problems=[Problem(pointer="", code="not_heterogeneous", message=message)])
    return GraphSchema.model_validate(stored)


def neighbourhood(
    storage: Storage, info: DatasetInfo, vertex: int | None, hops: int, limit: int, seed: int
) -> DatasetNeighbourhood:
    """A sampled piece around `vertex`; Unprocessable when there is no such vertex."""
    middle = summary(storage, info.id).suggested_vertex if vertex is None else vertex
    if middle >= info.vertices:
        message = f"There is no vertex {middle:,}; they are 0 to {info.vertices - 1:,}."
        raise Unprocessable(message, problems=[Problem(pointer="?vertex", code="no_such_vertex", message=message)])
    src, dst = (_array(storage, info, name) for name in ("src", "dst"))
    found = sample(src, dst, middle, hops, limit, seed)
    draw = _edges if info.heterogeneous is None else partial(_related, storage, info, src, dst)
    return DatasetNeighbourhood(
        vertex=middle, hops=hops, seed=seed, directed=info.directed, vertices=_vertices(storage, info, found),
        edges=draw(found, info.directed), left_out=found.left_out,
    )  # fmt: skip


def _vertices(storage: Storage, info: DatasetInfo, found: Neighbourhood) -> list[NeighbourhoodVertex]:
    labels = _labels(storage, info, found.vertices)
    types = _types(storage, info, found.vertices)
    return [
        NeighbourhoodVertex(
            id=v, name=name, label=info.classes[c] if c >= 0 else None,
            class_index=c if c >= 0 else None, degree=degree, hop=hop, type_index=t,
        )
        for v, name, c, degree, hop, t in zip(
            found.vertices.tolist(), _names(storage, info, found.vertices), labels, found.degrees.tolist(),
            found.hops.tolist(), types, strict=True,
        )
    ]  # fmt: skip


def _labels(storage: Storage, info: DatasetInfo, vertices: Ids) -> list[int]:
    """The class of each; -1 where it has none. Labels of a heterogeneous graph are those of its target type."""
    y = dataset_store.open_array(storage.files, info.id, "y")
    if y is None:
        return [-1] * len(vertices)
    own, inside = vertices, np.ones(len(vertices), bool)
    if info.heterogeneous is not None:
        names = [t.name for t in info.heterogeneous.types]
        start = _array(storage, info, "type_ptr")[names.index(info.heterogeneous.target or "")]
        own, inside = vertices - start, (vertices >= start) & (vertices < start + len(y))
    return np.where(inside, y[np.where(inside, own, 0)], -1).tolist() if len(y) else [-1] * len(vertices)


def _names(storage: Storage, info: DatasetInfo, vertices: Ids) -> list[str | None]:
    text, ptr = (dataset_store.open_array(storage.files, info.id, f"names.{part}") for part in ("text", "ptr"))
    if text is not None and ptr is not None:
        names = Names(text, ptr)
        return [names[v] for v in vertices.tolist()]
    listed: list[str] | None = dataset_store.read_document(storage.files, info.id, "vertex_names")
    return [listed[v] if listed else None for v in vertices.tolist()]


def _types(storage: Storage, info: DatasetInfo, vertices: Ids) -> list[int | None]:
    if info.heterogeneous is None:
        return [None] * len(vertices)
    ptr = _array(storage, info, "type_ptr")
    return [int(t) - 1 for t in np.searchsorted(ptr, vertices, side="right")]


def _edges(found: Neighbourhood, directed: bool) -> list[NeighbourhoodEdge]:
    """Of an undirected graph each edge once."""
    pairs = zip(found.src.tolist(), found.dst.tolist(), strict=True)
    return [NeighbourhoodEdge(source=s, target=t, relation=None) for s, t in pairs if directed or s <= t]


def _related(
    storage: Storage, info: DatasetInfo, src: Ids, dst: Ids, found: Neighbourhood, directed: bool
) -> list[NeighbourhoodEdge]:
    """The edges of every relation between those found; relations that hold others backwards say nothing new."""
    del directed
    assert info.heterogeneous is not None
    taken = np.zeros(info.vertices, bool)
    taken[found.vertices] = True
    at = np.flatnonzero(taken[src] & taken[dst])
    relation = np.searchsorted(_array(storage, info, "rel_ptr"), at, side="right") - 1
    said = {r for r, facts in enumerate(info.heterogeneous.relations) if facts.inverse_of is None}
    arcs = zip(src[at].tolist(), dst[at].tolist(), relation.tolist(), strict=True)
    return [NeighbourhoodEdge(source=s, target=t, relation=r) for s, t, r in dict.fromkeys(arcs) if r in said]


def _array(storage: Storage, info: DatasetInfo, name: str) -> Any:
    found = dataset_store.open_array(storage.files, info.id, name)
    assert found is not None, f"{info.id} has no {name}"
    return found

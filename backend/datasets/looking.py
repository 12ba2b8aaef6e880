"""Looking into a stored dataset without loading it: the summary made at its import, a piece around a vertex."""

from __future__ import annotations

from typing import Any

import numpy as np

from backend.datasets.schemas import DatasetNeighbourhood, NeighbourhoodEdge, NeighbourhoodVertex
from backend.errors import Unprocessable
from workers.core import dataset_store
from workers.core.dataset import DatasetInfo
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.datasets.neighbourhood import Neighbourhood, sample
from workers.datasets.summary import DatasetSummary, summarise


def summary(storage: Storage, dataset_id: str) -> DatasetSummary:
    """As it was stored; worked out now for a dataset that was stored without one."""
    stored = dataset_store.read_document(storage.files, dataset_id, "summary")
    if stored is None:
        return summarise(dataset_store.load(storage.files, dataset_id))
    return DatasetSummary.model_validate(stored)


def neighbourhood(
    storage: Storage, info: DatasetInfo, vertex: int | None, hops: int, limit: int, seed: int
) -> DatasetNeighbourhood:
    """A sampled piece around `vertex`; Unprocessable when there is no such vertex."""
    middle = summary(storage, info.id).suggested_vertex if vertex is None else vertex
    if middle >= info.vertices:
        message = f"There is no vertex {middle:,}; they are 0 to {info.vertices - 1:,}."
        raise Unprocessable(message, problems=[Problem(pointer="?vertex", code="no_such_vertex", message=message)])
    src, dst = (dataset_store.open_array(storage.files, info.id, name) for name in ("src", "dst"))
    assert src is not None
    assert dst is not None
    found = sample(src, dst, middle, hops, limit, seed)
    return DatasetNeighbourhood(
        vertex=middle, hops=hops, seed=seed, directed=info.directed, vertices=_vertices(storage, info, found),
        edges=_edges(found, info.directed), left_out=found.left_out,
    )  # fmt: skip


def _vertices(storage: Storage, info: DatasetInfo, found: Neighbourhood) -> list[NeighbourhoodVertex]:
    y = dataset_store.open_array(storage.files, info.id, "y")
    names: list[str] | None = dataset_store.read_document(storage.files, info.id, "vertex_names")
    labels: list[Any] = [-1] * len(found.vertices) if y is None else np.asarray(y[found.vertices]).tolist()
    return [
        NeighbourhoodVertex(
            id=v, name=names[v] if names else None, label=info.classes[c] if c >= 0 else None,
            class_index=c if c >= 0 else None, degree=degree, hop=hop,
        )
        for v, c, degree, hop in zip(
            found.vertices.tolist(), labels, found.degrees.tolist(), found.hops.tolist(), strict=True
        )
    ]  # fmt: skip


def _edges(found: Neighbourhood, directed: bool) -> list[NeighbourhoodEdge]:
    """Of an undirected graph each edge once."""
    pairs = zip(found.src.tolist(), found.dst.tolist(), strict=True)
    return [NeighbourhoodEdge(source=s, target=t) for s, t in pairs if directed or s <= t]

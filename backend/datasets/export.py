"""A dataset as one .npz file, in the layout of the GNN benchmark."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core import dataset_store
from workers.core.dataset import GraphData, SparseRows
from workers.core.storage import Storage

AS_THEY_ARE = ("train", "val", "test", "graph_of", "graph_y", "edge_x")


def write(storage: Storage, dataset_id: str) -> Path:
    """Write the file to a temporary place and return it; the caller takes it away."""
    arrays = layout(dataset_store.load(storage.files, dataset_id))
    with tempfile.NamedTemporaryFile(prefix="asterism-export-", suffix=".npz", delete=False) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return Path(file.name)


def layout(data: GraphData) -> dict[str, NDArray[Any]]:
    """The arrays by name. Rows of the adjacency are where arcs start; edge_x follows its entries."""
    order = np.lexsort((data.dst, data.src))
    indptr = np.zeros(data.n + 1, np.int64)
    np.cumsum(np.bincount(data.src, minlength=data.n), out=indptr[1:])
    found: dict[str, NDArray[Any]] = {
        "adj_data": np.ones(len(order), np.float32),
        "adj_indices": data.dst[order],
        "adj_indptr": indptr,
        "adj_shape": np.array([data.n, data.n], np.int64),
        **_features(data),
    }
    found |= {name: getattr(data, name) for name in AS_THEY_ARE if getattr(data, name) is not None}
    if data.edge_x is not None:
        found["edge_x"] = data.edge_x[order]
    if data.y is not None:
        found["labels"] = data.y
    return found | ({"class_names": np.array(data.classes)} if data.classes else {})


def _features(data: GraphData) -> dict[str, NDArray[Any]]:
    if data.x is None:
        return {}
    if not isinstance(data.x, SparseRows):
        return {"attr_matrix": data.x}
    return {
        "attr_data": data.x.data,
        "attr_indices": data.x.indices,
        "attr_indptr": data.x.indptr,
        "attr_shape": np.array([data.n, data.x.columns], np.int64),
    }

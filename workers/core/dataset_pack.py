"""A homogeneous dataset taken apart into arrays and facts for storage, and put together again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import DatasetInfo, GraphData, SparseRows, Task
from workers.core.packed import Packed

ARRAYS = ("src", "dst", "x", "y", "train", "val", "test", "graph_of", "graph_y", "edge_x")
SPARSE_PARTS = ("indptr", "indices", "data")


def pack(dataset_id: str, data: GraphData) -> Packed:
    return Packed(describe(dataset_id, data), arrays_of(data), data.extra, data.notes, {"columns": _shape(data)[1]})


def unpack(packed: Packed) -> GraphData:
    arrays: dict[str, Any] = dict(packed.arrays)
    if "x.indptr" in arrays:
        parts = {part: arrays.pop(f"x.{part}") for part in SPARSE_PARTS}
        arrays["x"] = SparseRows(**parts, columns=packed.facts["columns"])
    info = packed.info
    return GraphData(
        name=info.name, n=info.vertices, classes=info.classes, source=info.source, notes=packed.notes,
        extra=packed.documents, **arrays,
    )  # fmt: skip


def describe(dataset_id: str, data: GraphData) -> DatasetInfo:
    """The facts of a dataset in memory."""
    rows, columns = _shape(data)
    nonzero = _nonzero(data)
    return DatasetInfo(
        id=dataset_id,
        name=data.name,
        task=_task(data),
        vertices=data.n,
        arcs=len(data.src),
        features=columns,
        feature_nonzero_ratio=nonzero / (rows * columns) if rows * columns else 0.0,
        edge_features=0 if data.edge_x is None else data.edge_x.shape[1],
        classes=data.classes,
        graphs=1 if data.graph_y is None else len(data.graph_y),
        train=_count(data.train),
        val=_count(data.val),
        test=_count(data.test),
        directed=not _symmetric(data),
        source=data.source,
        bytes=sum(array.nbytes for array in arrays_of(data).values()),
    )


def arrays_of(data: GraphData) -> dict[str, NDArray[Any]]:
    """The arrays that are present, by file name."""
    present = {name: getattr(data, name) for name in ARRAYS if getattr(data, name) is not None}
    x = present.get("x")
    if isinstance(x, SparseRows):
        del present["x"]
        present |= {f"x.{part}": getattr(x, part) for part in SPARSE_PARTS}
    return present


def _shape(data: GraphData) -> tuple[int, int]:
    if isinstance(data.x, SparseRows):
        return data.n, data.x.columns
    return (data.n, 0) if data.x is None else (data.x.shape[0], data.x.shape[1])


def _nonzero(data: GraphData) -> int:
    values = data.x.data if isinstance(data.x, SparseRows) else data.x
    return 0 if values is None else int(np.count_nonzero(values))


def _count(ids: NDArray[np.int64] | None) -> int:
    return 0 if ids is None else len(ids)


def _task(data: GraphData) -> Task:
    if data.graph_y is not None:
        return "graph_classification"
    return "none" if data.y is None or not (data.y >= 0).any() else "node_classification"


def _symmetric(data: GraphData) -> bool:
    forth, back = data.src * data.n + data.dst, data.dst * data.n + data.src
    return bool(np.array_equal(np.sort(forth), np.sort(back)))

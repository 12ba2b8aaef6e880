"""Datasets in storage: `datasets/<id>/` holds one .npy per array, one .json per document, and meta.json.

A dataset is there exactly when its meta.json is. It is written last, out of a folder of its own, so a reader sees a
whole dataset or none, and two attempts that write the same id never mix their files.

Every function takes a file system rooted at the storage (fsspec's DirFileSystem over a local folder or a bucket).
"""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import numpy as np
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from numpy.typing import NDArray

from workers.core.dataset import DatasetInfo, GraphData, SparseRows, Task

ARRAYS = ("src", "dst", "x", "y", "train", "val", "test", "graph_of", "graph_y", "edge_x")
SPARSE_PARTS = ("indptr", "indices", "data")
META = "meta.json"


def save(fs: AbstractFileSystem, dataset_id: str, data: GraphData) -> DatasetInfo:
    """Store `data` whole or not at all; a dataset of that id is replaced. Each key of `data.extra` is a document.

    What an attempt that was killed left of the same id is taken away.

    OSError when the storage cannot be written; nothing of the dataset is left then.
    """
    arrays = _arrays(data)
    info = describe(dataset_id, data)
    _drop_drafts(fs, dataset_id)
    draft = f"{_drafts(dataset_id)}{uuid4().hex}"
    try:
        fs.makedirs(draft, exist_ok=True)
        for name, array in arrays.items():
            with fs.open(f"{draft}/{name}.npy", "wb") as file:
                np.save(file, array, allow_pickle=False)
        for name, document in data.extra.items():
            _write_json(fs, f"{draft}/{name}.json", document)
        _write_json(fs, f"{draft}/{META}", {"info": info.model_dump(mode="json"), **_plain_facts(data)})
        _publish(fs, draft, _folder(dataset_id))
    finally:
        if fs.exists(draft):
            fs.rm(draft, recursive=True)
    return info


def load(fs: AbstractFileSystem, dataset_id: str) -> GraphData:
    """The dataset `dataset_id`; KeyError naming it when it is not there."""
    meta = _meta(fs, dataset_id)
    if meta is None:
        raise KeyError(f"dataset {dataset_id!r} is not in storage")
    folder = _folder(dataset_id)
    arrays: dict[str, Any] = {name: _read_array(fs, f"{folder}/{name}.npy") for name in meta["arrays"]}
    if "x.indptr" in arrays:
        arrays["x"] = SparseRows(**{part: arrays.pop(f"x.{part}") for part in SPARSE_PARTS}, columns=meta["columns"])
    extra = {name: read_document(fs, dataset_id, name) for name in meta["documents"]}
    return GraphData(
        name=meta["info"]["name"],
        n=meta["info"]["vertices"],
        classes=tuple(meta["info"]["classes"]),
        source=meta["info"]["source"],
        notes=tuple(meta["notes"]),
        extra=extra,
        **arrays,
    )


def read_info(fs: AbstractFileSystem, dataset_id: str) -> DatasetInfo | None:
    """The facts of a dataset, or None when it is not there."""
    meta = _meta(fs, dataset_id)
    return None if meta is None else DatasetInfo.model_validate(meta["info"])


def read_notes(fs: AbstractFileSystem, dataset_id: str) -> tuple[str, ...]:
    """What the importer remarked; empty when the dataset is not there."""
    meta = _meta(fs, dataset_id)
    return () if meta is None else tuple(meta["notes"])


def read_document(fs: AbstractFileSystem, dataset_id: str, name: str) -> Any:
    """One JSON document stored beside the arrays, or None when there is none of that name."""
    try:
        with fs.open(f"{_folder(dataset_id)}/{name}.json", "rb") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def open_array(fs: AbstractFileSystem, dataset_id: str, name: str) -> NDArray[Any] | None:
    """One array, or None when the dataset has none of that name. A local one is mapped: only what is used is read."""
    path = f"{_folder(dataset_id)}/{name}.npy"
    if not fs.exists(path):
        return None
    inner = getattr(fs, "fs", None)
    if isinstance(inner, LocalFileSystem):
        mapped: NDArray[Any] = np.load(f"{fs.path}/{path}", mmap_mode="r", allow_pickle=False)
        return mapped
    return _read_array(fs, path)


def delete(fs: AbstractFileSystem, dataset_id: str) -> None:
    """Take the dataset away, its meta.json first; nothing happens when it is not there."""
    folder = _folder(dataset_id)
    _drop_drafts(fs, dataset_id)
    if fs.exists(f"{folder}/{META}"):
        fs.rm_file(f"{folder}/{META}")
    if fs.exists(folder):
        fs.rm(folder, recursive=True)


def describe(dataset_id: str, data: GraphData) -> DatasetInfo:
    """The facts of a dataset in memory."""
    rows, columns = _feature_shape(data)
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
        bytes=sum(array.nbytes for array in _arrays(data).values()),
    )


def _folder(dataset_id: str) -> str:
    return f"datasets/{dataset_id}"


def _drafts(dataset_id: str) -> str:
    """What the folders of drafts begin with."""
    return f"datasets/.draft-{dataset_id}-"


def _drop_drafts(fs: AbstractFileSystem, dataset_id: str) -> None:
    for path in fs.glob(f"{_drafts(dataset_id)}*"):
        fs.rm(path, recursive=True)


def _meta(fs: AbstractFileSystem, dataset_id: str) -> dict[str, Any] | None:
    try:
        with fs.open(f"{_folder(dataset_id)}/{META}", "rb") as file:
            meta: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        return None
    return meta


def _publish(fs: AbstractFileSystem, draft: str, folder: str) -> None:
    """Move the draft's files into place: what stood there vanishes first, meta.json comes last."""
    if fs.exists(f"{folder}/{META}"):
        fs.rm_file(f"{folder}/{META}")
    fs.makedirs(folder, exist_ok=True)
    names = [path.rsplit("/", 1)[-1] for path in fs.ls(draft, detail=False)]
    for name in sorted(names, key=lambda name: (name == META, name)):
        fs.mv(f"{draft}/{name}", f"{folder}/{name}")


def _arrays(data: GraphData) -> dict[str, NDArray[Any]]:
    """The arrays that are present, by file name."""
    present = {name: getattr(data, name) for name in ARRAYS if getattr(data, name) is not None}
    x = present.get("x")
    if isinstance(x, SparseRows):
        del present["x"]
        present |= {f"x.{part}": getattr(x, part) for part in SPARSE_PARTS}
    return present


def _plain_facts(data: GraphData) -> dict[str, Any]:
    """What loading needs beside the facts of DatasetInfo."""
    return {
        "arrays": list(_arrays(data)),
        "columns": _feature_shape(data)[1],
        "documents": list(data.extra),
        "notes": list(data.notes),
    }


def _feature_shape(data: GraphData) -> tuple[int, int]:
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


def _read_array(fs: AbstractFileSystem, path: str) -> NDArray[Any]:
    with fs.open(path, "rb") as file:
        array: NDArray[Any] = np.load(file, allow_pickle=False)
    return array


def _write_json(fs: AbstractFileSystem, path: str, document: Any) -> None:
    with fs.open(path, "wb") as file:
        file.write(json.dumps(document, ensure_ascii=False, allow_nan=False).encode())

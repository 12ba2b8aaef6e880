"""Datasets in storage: `datasets/<id>/` holds one .npy per array, one .json per document, and meta.json.

A dataset is there exactly when its meta.json is. It is written last, out of a folder of its own, so a reader sees a
whole dataset or none, and two attempts that write the same id never mix their files.

Every function takes a file system rooted at the storage (fsspec's DirFileSystem over a local folder or a bucket).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal
from uuid import uuid4

import numpy as np
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from numpy.typing import NDArray

from workers.core import dataset_pack, hetero_pack
from workers.core.dataset import DatasetInfo, GraphData
from workers.core.errors import WrongGraph
from workers.core.hetero import HeteroData
from workers.core.packed import Packed

META = "meta.json"
ReadArray = Callable[[AbstractFileSystem, str], NDArray[Any]]


def save(fs: AbstractFileSystem, dataset_id: str, data: GraphData | HeteroData) -> DatasetInfo:
    """Store `data` whole or not at all; a dataset of that id is replaced. Each key of `data.extra` is a document.

    What an attempt that was killed left of the same id is taken away.

    OSError when the storage cannot be written; nothing of the dataset is left then.
    """
    packed = pack(dataset_id, data)
    _drop_drafts(fs, dataset_id)
    draft = f"{_drafts(dataset_id)}{uuid4().hex}"
    try:
        fs.makedirs(draft, exist_ok=True)
        for name, array in packed.arrays.items():
            with fs.open(f"{draft}/{name}.npy", "wb") as file:
                np.save(file, array, allow_pickle=False)
        for name, document in packed.documents.items():
            _write_json(fs, f"{draft}/{name}.json", document)
        _write_json(fs, f"{draft}/{META}", _meta_of(packed))
        _publish(fs, draft, _folder(dataset_id))
    finally:
        if fs.exists(draft):
            fs.rm(draft, recursive=True)
    return packed.info


def pack(dataset_id: str, data: GraphData | HeteroData) -> Packed:
    """The dataset as it is stored."""
    return dataset_pack.pack(dataset_id, data) if isinstance(data, GraphData) else hetero_pack.pack(dataset_id, data)


def describe(dataset_id: str, data: GraphData | HeteroData) -> DatasetInfo:
    """The facts of a dataset in memory."""
    if isinstance(data, GraphData):
        return dataset_pack.describe(dataset_id, data)
    return hetero_pack.describe(dataset_id, data)


def load(fs: AbstractFileSystem, dataset_id: str) -> GraphData:
    """The dataset `dataset_id`; KeyError naming it when it is not there, WrongGraph when it is heterogeneous."""
    packed = _packed(fs, dataset_id, _read_array)
    if packed.info.heterogeneous is not None:
        raise WrongGraph(packed.info.name, "heterogeneous", "one type of vertices and edges")
    return dataset_pack.unpack(packed)


def load_any(fs: AbstractFileSystem, dataset_id: str) -> GraphData | HeteroData:
    """The dataset `dataset_id`, of whichever kind; KeyError when it is not there."""
    info = read_info(fs, dataset_id)
    hetero = info is not None and info.heterogeneous is not None
    return load_hetero(fs, dataset_id) if hetero else load(fs, dataset_id)


def load_hetero(fs: AbstractFileSystem, dataset_id: str, *, mapped: bool = True) -> HeteroData:
    """The heterogeneous dataset `dataset_id`; KeyError when it is not there, WrongGraph when it is not heterogeneous.

    Local arrays are `mapped`, copied where they are written to: what a job never touches is never read.
    """
    packed = _packed(fs, dataset_id, _map_array if mapped else _read_array)
    if packed.info.heterogeneous is None:
        raise WrongGraph(packed.info.name, "of one type", "types of vertices and relations")
    return hetero_pack.unpack(packed)


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
    return _map_array(fs, path, "r") if fs.exists(path) else None


def delete(fs: AbstractFileSystem, dataset_id: str) -> None:
    """Take the dataset away, its meta.json first; nothing happens when it is not there."""
    folder = _folder(dataset_id)
    _drop_drafts(fs, dataset_id)
    if fs.exists(f"{folder}/{META}"):
        fs.rm_file(f"{folder}/{META}")
    if fs.exists(folder):
        fs.rm(folder, recursive=True)


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


def _meta_of(packed: Packed) -> dict[str, Any]:
    return {
        "info": packed.info.model_dump(mode="json"),
        "arrays": list(packed.arrays),
        "documents": list(packed.documents),
        "notes": list(packed.notes),
        **packed.facts,
    }


def _packed(fs: AbstractFileSystem, dataset_id: str, read: ReadArray) -> Packed:
    meta = _meta(fs, dataset_id)
    if meta is None:
        raise KeyError(f"dataset {dataset_id!r} is not in storage")
    folder = _folder(dataset_id)
    return Packed(
        DatasetInfo.model_validate(meta["info"]),
        {name: read(fs, f"{folder}/{name}.npy") for name in meta["arrays"]},
        {name: read_document(fs, dataset_id, name) for name in meta["documents"]},
        tuple(meta["notes"]),
        meta,
    )


def _map_array(fs: AbstractFileSystem, path: str, mode: Literal["r", "c"] = "c") -> NDArray[Any]:
    if not isinstance(getattr(fs, "fs", None), LocalFileSystem):
        return _read_array(fs, path)
    mapped: NDArray[Any] = np.load(f"{fs.path}/{path}", mmap_mode=mode, allow_pickle=False)
    return mapped


def _read_array(fs: AbstractFileSystem, path: str) -> NDArray[Any]:
    with fs.open(path, "rb") as file:
        array: NDArray[Any] = np.load(file, allow_pickle=False)
    return array


def _write_json(fs: AbstractFileSystem, path: str, document: Any) -> None:
    with fs.open(path, "wb") as file:
        file.write(json.dumps(document, ensure_ascii=False, allow_nan=False).encode())

"""Graphs that other libraries keep as one store of arrays a type and a relation, turned into ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.hetero import Floats, Ids, Relation
from workers.datasets import splits
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.formats.labelled import the_target
from workers.datasets.hetero_reading import Edges, HeteroRaw
from workers.datasets.options import ImportOptions
from workers.datasets.reading import check_ids

Store = Mapping[str, Any]
MASKS = ("train_mask", "val_mask", "test_mask")


@dataclass(frozen=True)
class Stores:
    """Arrays by type and by relation; `edge_index` [2, e]. `Entries` says what a library calls the others."""

    types: dict[str, Store]
    relations: dict[Relation, Store]


@dataclass(frozen=True)
class Entries:
    """What a library calls features, labels, edge features and times."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    edge_x: tuple[str, ...]
    time: tuple[str, ...]


def raw_of(stores: Stores, entries: Entries, file: str, source: str, options: ImportOptions) -> HeteroRaw:
    """BadFile, BadValue or MissingPart say which store of the file is wrong."""
    if not stores.types or not stores.relations:
        raise MissingPart("holds no types or no relations", "Save a heterogeneous graph.", file=file)
    missing = {end for r in stores.relations for end in (r.source, r.target)} - set(stores.types)
    if missing:
        raise MissingPart(
            f"a relation joins {sorted(missing)[0]!r}, which is no type", "Save its store too.", file=file
        )
    counts = {t: _count(stores, t, entries, file) for t in stores.types}
    labels = {t: _labels(store, entries, counts[t], f"{file}, {t}") for t, store in stores.types.items()}
    target = the_target(labels, options)
    y = labels[target] if target else None
    return HeteroRaw(
        file.rsplit("/", 1)[-1].rsplit(".", 1)[0],
        counts,
        {r: _edges(store, entries, r, counts, f"{file}, {r}") for r, store in stores.relations.items()},
        source=source,
        features={
            t: x
            for t, store in stores.types.items()
            if (x := _floats(store, entries.x, counts[t], f"{file}, {t}")) is not None
        },
        target=target,
        y=y,
        classes=tuple(f"class {c}" for c in range(int(y.max(initial=-1)) + 1)) if y is not None else (),
        split=_split(stores.types[target], y, f"{file}, {target}") if target and y is not None else None,
    )


def _count(stores: Stores, node_type: str, entries: Entries, file: str) -> int:
    """What the store says, else rows of its arrays, else the largest number an edge names."""
    store = stores.types[node_type]
    if isinstance(store.get("num_nodes"), int):
        return int(store["num_nodes"])
    arrays = [store[key] for key in (*entries.x, *entries.y) if _is_array(store.get(key))]
    if arrays:
        return len(arrays[0])
    ends = [
        _index(edges, f"{file}, {r}")[side]
        for r, edges in stores.relations.items()
        for side, end in enumerate((r.source, r.target))
        if end == node_type
    ]
    return max((int(ids.max(initial=-1)) + 1 for ids in ends), default=0)


def _index(store: Store, where: str) -> NDArray[np.int64]:
    found: Any = store.get("edge_index")
    if not _is_array(found) or found.ndim != 2 or found.shape[0] != 2 or not np.issubdtype(found.dtype, np.integer):
        raise BadFile("edge_index is not two rows of whole numbers", "Save it as [2, edges].", file=where)
    return np.asarray(found, np.int64)


def _edges(store: Store, entries: Entries, relation: Relation, counts: dict[str, int], where: str) -> Edges:
    src, dst = _index(store, where)
    check_ids(src, counts[relation.source], where)
    check_ids(dst, counts[relation.target], where)
    times = next((store[key] for key in entries.time if _is_array(store.get(key))), None)
    if times is not None and (times.shape != src.shape or not np.issubdtype(times.dtype, np.number)):
        raise BadFile("its times are not one number an edge", "Save one for each edge.", file=where)
    x = _floats(store, entries.edge_x, len(src), where)
    return Edges(src, dst, x, None if times is None else times.astype(np.int64))


def _floats(store: Store, keys: tuple[str, ...], rows: int, where: str) -> Floats | None:
    """float32 [rows, F] of the first entry that is there."""
    found = next((store[key] for key in keys if _is_array(store.get(key))), None)
    if found is None:
        return None
    x = _flat(found)
    if len(x) != rows or not (np.issubdtype(x.dtype, np.number) or x.dtype == np.bool_):
        raise BadFile(f"{len(x):,} rows of {x.dtype} for {rows:,}", "Give one row of numbers for each.", file=where)
    finite = np.isfinite(x).all(axis=1)
    if not finite.all():
        raise BadValue("a feature is NaN or infinite", "Fill it.", file=where, row=int(np.argmin(finite)) + 1)
    return x.astype(np.float32)


def _labels(store: Store, entries: Entries, n: int, where: str) -> Ids | None:
    """int64[n], -1 where unlabelled; only the first column where there are several of one."""
    found = next((store[key] for key in entries.y if _is_array(store.get(key))), None)
    if found is None:
        return None
    y = _flat(found)
    if y.shape[1] != 1:
        raise BadFile("its labels have several columns", "Save one class for each vertex.", file=where)
    if len(y) != n:
        raise BadFile(f"{len(y):,} labels for {n:,} vertices", "Save one for each vertex.", file=where)
    values = np.where(np.isfinite(y[:, 0]), y[:, 0], -1) if np.issubdtype(y.dtype, np.floating) else y[:, 0]
    wrong = (values < -1) | (np.floor(values) != values)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadValue(
            f"label {values[at]} is no class", "Number classes from 0; -1 means none.", file=where, row=at + 1
        )
    return np.asarray(values, np.int64)


def _split(store: Store, y: Ids, where: str) -> splits.Split | None:
    masks = [store.get(mask) for mask in MASKS]
    if not all(_is_array(mask) for mask in masks):
        return None
    ids = []
    for key, mask in zip(MASKS, masks, strict=True):
        if mask is None or mask.shape != y.shape:
            raise BadFile(f"{key} is not one value a vertex", "Save it as [vertices].", file=where)
        ids.append(np.flatnonzero(mask.astype(bool) & (y >= 0)).astype(np.int64))
    return splits.Split(*ids)


def _flat(values: NDArray[Any]) -> NDArray[Any]:
    """[n, F], also where n is 0."""
    return values.reshape(len(values), int(np.prod(values.shape[1:], dtype=np.int64)))


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0

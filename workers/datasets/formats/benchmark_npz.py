"""The npz layout of the GNN benchmark: `adj_*` and `attr_*` are CSR parts (data, indices, indptr, shape), `labels` [N].

Arrays may also be `attr_matrix` (dense). `class_names` is optional, `node_names` is passed over. Pickled arrays are
refused. Nothing is read before its size is known to fit.
"""

from __future__ import annotations

import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import SparseRows
from workers.datasets import sparse, splits
from workers.datasets.errors import BadFile, BadValue, ForbiddenPickle, MissingPart
from workers.datasets.files import Files
from workers.datasets.known import NPZ
from workers.datasets.limits import Budget, no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Ids, Raw, Reading, Tick, check_ids, finish

NEEDED = ("adj_indices", "adj_indptr", "adj_shape")
FEATURES = ("attr_data", "attr_indices", "attr_indptr", "attr_shape", "attr_matrix")
PARTS = ("train", "val", "test")
OPTIONAL = (*FEATURES, "labels", "class_names", *PARTS)
REMEDY = "Write it again with numpy.savez and plain arrays."


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    found = files.matching(NPZ)
    if len(found) != 1:
        raise MissingPart(f"{len(found)} files end in .npz", "Import one .npz file at a time.")
    name = found[0][0]
    tick(0, 2, "steps")
    arrays = read_npz(files, name, (*NEEDED, *OPTIONAL))
    missing = [key for key in NEEDED if key not in arrays]
    if missing:
        raise MissingPart(f"has no array {', '.join(missing)}", f"It needs {', '.join(NEEDED)}.", file=name)
    tick(1, 2, "steps")
    n = _count(arrays["adj_shape"], "adj_shape", name)
    no_more_than(n, files.limits.vertices, "vertices", name)
    src, dst = _arcs(arrays, n, name)
    y, classes = _labels(arrays, n, name)
    stem = name.rsplit("/", 1)[-1][: -len(".npz")]
    raw = Raw(
        stem,
        n,
        src,
        dst,
        _features(arrays, n, name, files),
        y,
        classes,
        source=f"GNN benchmark npz {stem}",
        usual="per_class",
        row_normalise=True,
        split=_split(arrays, n, y, name),
    )
    return finish(raw, options)


def read_npz(files: Files, name: str, wanted: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    """The wanted arrays that are there. Each header is read first and its claims are held against the limits."""
    size = files.path(name).stat().st_size
    budget = Budget(name, lambda: size, files.limits)
    try:
        with zipfile.ZipFile(files.path(name)) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            return {key: _array(archive, members[key], budget, name) for key in wanted if key in members}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise BadFile(f"is not a whole .npz file ({error})", REMEDY, file=name) from None


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, name: str) -> NDArray[Any]:
    budget.spend(info.file_size)
    try:
        with archive.open(info) as stream:
            version = np.lib.format.read_magic(stream)
            reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, column_major, dtype = reader(stream)
            if dtype.hasobject:
                raise ForbiddenPickle(f"array {info.filename} holds pickled objects", REMEDY, file=name)
            size = dtype.itemsize * int(np.prod(shape, dtype=object))
            content = stream.read(size + 1) if 0 <= size <= info.file_size else b""
    except ValueError as error:
        raise BadFile(f"array {info.filename} cannot be read ({error})", REMEDY, file=name) from None
    if len(content) != size:
        raise BadFile(f"array {info.filename} does not hold the {size:,} bytes it claims", REMEDY, file=name)
    return np.frombuffer(content, dtype).reshape(shape, order="F" if column_major else "C")


def _count(shape: NDArray[Any], key: str, name: str) -> int:
    if shape.shape != (2,) or not np.issubdtype(shape.dtype, np.integer) or shape[0] != shape[1] or shape[0] < 0:
        raise BadFile(f"{key} is not the shape of a square matrix", REMEDY, file=name)
    return int(shape[0])


def _arcs(arrays: dict[str, NDArray[Any]], n: int, name: str) -> tuple[Ids, Ids]:
    """Row u, column v of the adjacency is the arc u -> v."""
    row = _rows(arrays["adj_indptr"], n, len(arrays["adj_indices"]), "adj_indptr", name)
    column = _whole(arrays["adj_indices"], "adj_indices", name)
    check_ids(column, n, f"{name}, adj_indices")
    return row, column


def _rows(indptr: NDArray[Any], rows: int, entries: int, key: str, name: str) -> Ids:
    """int64[entries]: the row of each entry; refuses an indptr that does not fit."""
    ends = _whole(indptr, key, name)
    if len(ends) != rows + 1 or ends[0] != 0 or ends[-1] != entries or (np.diff(ends) < 0).any():
        raise BadFile(f"{key} does not fit {rows:,} rows of {entries:,} entries", REMEDY, file=name)
    return np.repeat(np.arange(rows, dtype=np.int64), np.diff(ends))


def _whole(array: NDArray[Any], key: str, name: str) -> Ids:
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise BadFile(f"{key} is not a list of whole numbers", REMEDY, file=name)
    return array.astype(np.int64)


def _features(arrays: dict[str, NDArray[Any]], n: int, name: str, files: Files) -> sparse.Features | None:
    if "attr_matrix" in arrays:
        return _dense(arrays["attr_matrix"], n, name)
    if "attr_data" not in arrays:
        return None
    parts = {part: arrays.get(f"attr_{part}") for part in ("data", "indices", "indptr", "shape")}
    data, indices, indptr, shape = parts.values()
    if data is None or indices is None or indptr is None or shape is None or shape.shape != (2,):
        raise MissingPart("some of attr_data, attr_indices, attr_indptr, attr_shape are missing", REMEDY, file=name)
    rows, columns = int(shape[0]), int(shape[1])
    no_more_than(columns, files.limits.features, "features", name)
    if rows != n or len(data) != len(indices):
        raise BadFile(f"{rows:,} rows of features for {n:,} vertices", REMEDY, file=name)
    row = _rows(indptr, n, len(data), "attr_indptr", name)
    column = _whole(indices, "attr_indices", name)
    check_ids(column, columns, f"{name}, attr_indices")
    return _finite(sparse.from_entries(row, column, data.astype(np.float32), n, columns), name)


def _dense(x: NDArray[Any], n: int, name: str) -> NDArray[np.float32]:
    if x.ndim != 2 or len(x) != n or not np.issubdtype(x.dtype, np.number):
        raise BadFile(f"attr_matrix is not a table of {n:,} rows of numbers", REMEDY, file=name)
    wrong = ~np.isfinite(x.astype(np.float32)).all(axis=1)
    if wrong.any():
        raise BadValue(
            "a feature is NaN or infinite", "Fill it with a number.", file=name, row=int(np.argmax(wrong)) + 1
        )
    return x.astype(np.float32)


def _finite(x: SparseRows, name: str) -> SparseRows:
    wrong = ~np.isfinite(x.data)
    if wrong.any():
        at = int(sparse.row_numbers(x)[np.argmax(wrong)]) + 1
        raise BadValue("a feature is NaN or infinite", "Fill it with a number.", file=f"{name}, attr_data", row=at)
    return x


def _split(arrays: dict[str, NDArray[Any]], n: int, y: Ids | None, name: str) -> splits.Split | None:
    """The split that arrays `train`, `val`, `test` of vertex ids give, where all three are there."""
    if y is None or not all(part in arrays for part in PARTS):
        return None
    for part in PARTS:
        check_ids(_whole(arrays[part], part, name), n, f"{name}, {part}")
    return splits.Split(*(np.sort(arrays[part].astype(np.int64)) for part in PARTS))


def _labels(arrays: dict[str, NDArray[Any]], n: int, name: str) -> tuple[Ids | None, tuple[str, ...]]:
    if "labels" not in arrays:
        return None, ()
    y = _whole(arrays["labels"], "labels", name)
    if len(y) != n:
        raise BadFile(f"{len(y):,} labels for {n:,} vertices", REMEDY, file=name)
    count = int(y.max(initial=-1)) + 1
    if (y < -1).any() or count > max(n, 1):
        raise BadValue(
            f"labels run from {y.min()} to {y.max()}", "Number classes from 0; -1 means unlabelled.", file=name
        )
    given = arrays.get("class_names")
    named = given is not None and given.ndim == 1 and len(given) >= count and given.dtype.kind == "U"
    return y, tuple(str(given[c]) for c in range(count)) if named and given is not None else tuple(
        f"class {c}" for c in range(count)
    )

"""Planetoid's raw files: `ind.<name>.{x,y,tx,ty,allx,ally,graph,test.index}`, pickles of Python 2.

x, tx, allx: CSR matrices [rows, F]. y, ty, ally: one-hot int arrays [rows, C]. graph: dict of vertex -> neighbours.
Vertices are the rows of allx in order, then the rows of tx at the ids that test.index lists. Ids that test.index leaves
out (citeseer has 15) become vertices without features and label.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import SparseRows
from workers.datasets import sparse, splits, tables, unpickle
from workers.datasets.checks import Check
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.known import PLANETOID
from workers.datasets.layouts import layout_of
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Ids, Raw, Reading, Tick, check_ids, finish

PARTS = ("x", "y", "tx", "ty", "allx", "ally", "graph", "test.index")
VALIDATION = 500
RAGGED = "The files do not belong together: send the eight files of one dataset."


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    name, paths = _paths(files)
    loaded: dict[str, Any] = {}
    for done, part in enumerate(PARTS[:-1]):
        tick(done, len(PARTS), "files")
        loaded[part] = unpickle.load(files.read(paths[part]), paths[part])
    features = {part: _matrix(loaded[part], paths[part], files) for part in ("x", "tx", "allx")}
    labels = {part: _one_hot(loaded[part], paths[part]) for part in ("y", "ty", "ally")}
    _agree(features, labels, paths)
    if not isinstance(loaded["graph"], dict):
        raise BadFile("is not a dict of neighbours", "Send the graph as Planetoid pickles it.", file=paths["graph"])
    n, test_ids = _test_ids(
        files, paths, len(features["allx"].indptr) - 1, len(features["tx"].indptr) - 1, loaded["graph"]
    )
    no_more_than(n, files.limits.vertices, "vertices", paths["graph"])
    src, dst = _arcs(loaded["graph"], n, paths["graph"])
    tick(len(PARTS), len(PARTS), "files")
    bare = n - len(labels["ally"]) - len(test_ids)
    raw = Raw(
        name=name, n=n, src=src, dst=dst, x=_placed(features["allx"], features["tx"], test_ids, n),
        y=_placed_labels(labels["ally"], labels["ty"], test_ids, n),
        classes=tuple(f"class {c}" for c in range(loaded["y"].shape[1])), source=f"Planetoid {name}",
        usual="given", row_normalise=True, split=_public_split(len(labels["y"]), len(labels["ally"]), test_ids),
        notes=(f"{bare:,} ids missing from test.index: vertices without features and label.",) if bare else (),
        checks=(Check(name="Closed unpickler", state="passed", detail="7 pickles read, 0 objects refused"),),
    )  # fmt: skip
    return finish(raw, options)


def _paths(files: Files) -> tuple[str, dict[str, str]]:
    """The dataset's name and the path of each of its eight parts."""
    found: dict[str, dict[str, str]] = {}
    for path, match in files.matching(PLANETOID):
        found.setdefault(match["name"], {})[match["part"].lower()] = path
    if len(found) != 1:
        raise MissingPart(
            f"files of {len(found)} datasets: {', '.join(sorted(found))}", "Import one dataset at a time."
        )
    name, paths = next(iter(found.items()))
    missing = [f"ind.{name}.{part}" for part in PARTS if part not in paths]
    if missing:
        raise MissingPart(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", "Send all eight files."
        )
    return name, paths


def _matrix(found: Any, file: str, files: Files) -> SparseRows:
    """A pickled CSR matrix, its parts checked against each other."""
    if not isinstance(found, unpickle.PickledCsr):
        raise BadFile("is not a CSR matrix", "Send the matrix of features as Planetoid pickles it.", file=file)
    (rows, columns), indptr = found.shape, found.indptr.astype(np.int64)
    no_more_than(columns, files.limits.features, "features", file)
    whole = len(indptr) == rows + 1 and len(found.indices) == len(found.data) and found.data.ndim == 1
    if not whole or indptr[0] != 0 or indptr[-1] != len(found.data) or (np.diff(indptr) < 0).any():
        raise BadFile("is a CSR matrix whose parts do not fit together", "Send the file again.", file=file)
    row = np.repeat(np.arange(rows, dtype=np.int64), np.diff(indptr))
    _refuse_first(
        (found.indices < 0) | (found.indices >= columns), row, f"a column is outside 0 to {columns - 1}", file
    )
    _refuse_first(~np.isfinite(found.data.astype(np.float64)), row, "a feature is NaN or infinite", file)
    return sparse.from_entries(row, found.indices.astype(np.int64), found.data.astype(np.float32), rows, columns)


def _refuse_first(wrong: NDArray[np.bool_], row: Ids, what: str, file: str) -> None:
    if wrong.any():
        raise BadValue(what, "Correct the matrix and pickle it again.", file=file, row=int(row[np.argmax(wrong)]) + 1)


def _one_hot(found: Any, file: str) -> Ids:
    """int64[rows]: the class of each row, -1 where a row has none."""
    if not isinstance(found, np.ndarray) or found.ndim != 2 or not found.shape[1]:
        raise BadFile("is not a table of one-hot labels", "Send the labels as Planetoid pickles them.", file=file)
    set_ = found != 0
    many = set_.sum(axis=1) > 1
    if many.any():
        raise BadValue("a vertex has two classes", "Give each vertex one.", file=file, row=int(np.argmax(many)) + 1)
    return np.where(set_.any(axis=1), set_.argmax(axis=1), -1).astype(np.int64)


def _agree(features: dict[str, SparseRows], labels: dict[str, Ids], paths: dict[str, str]) -> None:
    for part, of in (("x", "y"), ("tx", "ty"), ("allx", "ally")):
        rows = len(features[part].indptr) - 1
        if rows != len(labels[of]):
            raise BadFile(f"{rows:,} rows, but {paths[of]} has {len(labels[of]):,}", RAGGED, file=paths[part])
        if features[part].columns != features["allx"].columns:
            what = f"{features[part].columns:,} features, but {paths['allx']} has {features['allx'].columns:,}"
            raise BadFile(what, RAGGED, file=paths[part])
    if len(labels["y"]) > len(labels["ally"]):
        raise BadFile(f"more rows than {paths['ally']}", RAGGED, file=paths["y"])


def _test_ids(files: Files, paths: dict[str, str], first: int, count: int, graph: dict[Any, Any]) -> tuple[int, Ids]:
    """N, and int64[count]: the vertex of each row of tx."""
    path = paths["test.index"]
    layout = layout_of(files, path, header=False)
    ids, rows = tables.numbers(files, path, layout, "0")
    if len(ids) != count:
        raise BadFile(f"{len(ids):,} ids, but {paths['tx']} has {count:,} rows", RAGGED, file=path)
    n = max(len(graph), first)
    check_ids(ids, n, path, rows)
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(np.diff(ids[order]) == 0)
    if len(twice):
        at = int(order[twice[0] + 1])
        raise BadValue(
            f"vertex id {ids[at]:,} is there twice", "List each test vertex once.", file=path, row=int(rows[at])
        )
    if (ids < first).any():
        at = int(np.argmax(ids < first))
        what = f"vertex id {ids[at]:,} belongs to {paths['allx']}, whose ids are 0 to {first - 1:,}"
        raise BadValue(what, "List test vertices after them.", file=path, row=int(rows[at]))
    return n, ids


def _arcs(graph: dict[Any, Any], n: int, file: str) -> tuple[Ids, Ids]:
    """Arcs neighbour -> vertex out of the dict, repeats and self-loops as they are."""
    lists = {vertex: ids for vertex, ids in graph.items() if isinstance(ids, list)}
    if len(lists) != len(graph) or not all(type(vertex) is int for vertex in graph):
        raise BadFile("is not a dict of vertex numbers to lists", "Send the graph as Planetoid pickles it.", file=file)
    for vertex, ids in lists.items():
        for other in (vertex, *ids):
            if type(other) is not int or not 0 <= other < n:
                raise BadValue(
                    f"vertex id {other!r} is outside 0 to {n - 1:,}",
                    "Correct the graph.",
                    file=file,
                    where=f"neighbours of vertex {vertex}",
                )
    dst = np.repeat(np.fromiter(lists, np.int64, len(lists)), [len(ids) for ids in lists.values()])
    src = np.fromiter((other for ids in lists.values() for other in ids), np.int64, len(dst))
    return src, dst


def _placed(allx: SparseRows, tx: SparseRows, test_ids: Ids, n: int) -> SparseRows:
    """Rows of allx at 0.., rows of tx at their ids, all others empty: [n, F]."""
    rows = np.concatenate([sparse.row_numbers(allx), test_ids[sparse.row_numbers(tx)]])
    columns = np.concatenate([allx.indices, tx.indices]).astype(np.int64)
    return sparse.from_entries(rows, columns, np.concatenate([allx.data, tx.data]), n, allx.columns)


def _placed_labels(ally: Ids, ty: Ids, test_ids: Ids, n: int) -> Ids:
    y = np.full(n, -1, np.int64)
    y[: len(ally)], y[test_ids] = ally, ty
    return y


def _public_split(train: int, known: int, test_ids: Ids) -> splits.Split:
    """Rows of x train, the next 500 validate, test.index tests."""
    ids = np.arange(known, dtype=np.int64)
    return splits.Split(ids[:train], ids[train : train + VALIDATION], np.sort(test_ids))

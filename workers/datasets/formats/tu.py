"""The TU layout: many graphs in `<name>_A.txt`, `_graph_indicator`, `_graph_labels`; optional labels, attributes.

A: `row, column` per arc, 1-based over all graphs. graph_indicator: the graph of each vertex, 1-based. graph_labels: one
per graph. node_labels, edge_labels: one per vertex, per row of A. node_attributes: comma-separated numbers per vertex.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import GraphData
from workers.datasets import splits, tables
from workers.datasets.checks import Check
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.known import TU, TU_NEEDED, TU_OPTIONAL
from workers.datasets.layouts import layout_of
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Ids, Reading, Tick, check_ids, dense_or_sparse

TRAIN, VAL = 0.8, 0.1


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    name, paths = _paths(files)
    tick(0, len(paths), "files")
    graph_of, indicator_rows = _numbers(files, paths["graph_indicator"])
    labels, _ = _numbers(files, paths["graph_labels"])
    check_ids(graph_of, len(labels), paths["graph_indicator"], indicator_rows, base=1)
    n = len(graph_of)
    no_more_than(n, files.limits.vertices, "vertices", paths["graph_indicator"])
    src, dst = _arcs(files, paths["A"], graph_of)
    edge_x = _one_hot(files, paths, "edge_labels", len(src), "rows of arcs")
    tick(len(TU_NEEDED), len(paths), "files")
    parts = [
        part
        for part in (_one_hot(files, paths, "node_labels", n, "vertices"), _attributes(files, paths, n))
        if part is not None
    ]
    order = np.lexsort((src, dst))
    values, graph_y = np.unique(labels, return_inverse=True)
    data = GraphData(
        name, n, src[order], dst[order], dense_or_sparse(np.concatenate(parts, axis=1)) if parts else None,
        classes=tuple(str(value) for value in values), graph_of=graph_of - 1, graph_y=graph_y.astype(np.int64),
        edge_x=None if edge_x is None else edge_x[order], source=f"TU {name}",
    )  # fmt: skip
    tick(len(paths), len(paths), "files")
    return Reading(_with_split(data, options), (_repeats(src, dst, n),))


def _paths(files: Files) -> tuple[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    spelt = {part.lower(): part for part in TU_NEEDED + TU_OPTIONAL}
    for path, match in files.matching(TU):
        found.setdefault(match["name"], {})[spelt[match["part"].lower()]] = path
    found = {name: paths for name, paths in found.items() if set(paths) & set(TU_NEEDED)}
    if len(found) != 1:
        raise MissingPart(
            f"files of {len(found)} datasets: {', '.join(sorted(found))}", "Import one dataset at a time."
        )
    name, paths = next(iter(found.items()))
    missing = [f"{name}_{part}.txt" for part in TU_NEEDED if part not in paths]
    if missing:
        raise MissingPart(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", "Send the whole set of files."
        )
    return name, paths


def _numbers(files: Files, path: str) -> tuple[Ids, Ids]:
    """One whole number a row, and the rows."""
    layout = layout_of(files, path, header=False)
    if len(layout.columns) != 1:
        raise BadFile(f"{len(layout.columns)} cells a row", "Put one whole number on each row.", file=path, row=1)
    return tables.numbers(files, path, layout, "0")


def _arcs(files: Files, path: str, graph_of: Ids) -> tuple[Ids, Ids]:
    """0-based arcs in the order of A; both ends must be in one graph."""
    layout = layout_of(files, path, header=False)
    if len(layout.columns) != 2:
        raise BadFile(f"{len(layout.columns)} cells a row", "Put two vertex numbers on each row.", file=path, row=1)
    ends: tuple[list[Ids], list[Ids]] = ([], [])
    with tables.blocks(files, path, layout, ["0", "1"]) as found:
        for block in found:
            pair = [tables.whole_numbers(block, column) for column in ("0", "1")]
            for ids, kept in zip(pair, ends, strict=True):
                check_ids(ids, len(graph_of), path, block.rows, base=1)
                kept.append(ids - 1)
            across = graph_of[ends[0][-1]] != graph_of[ends[1][-1]]
            if across.any():
                at = int(np.argmax(across))
                raise BadValue(
                    f"the arc {pair[0][at]}, {pair[1][at]} joins two graphs",
                    "Keep arcs inside one graph.",
                    file=path,
                    row=int(block.rows[at]),
                )
    src, dst = (np.concatenate(part) for part in ends)
    no_more_than(len(src), files.limits.arcs, "arcs", path)
    return src, dst


def _one_hot(files: Files, paths: dict[str, str], part: str, count: int, of: str) -> NDArray[np.float32] | None:
    """float32[count, distinct values]."""
    if part not in paths:
        return None
    labels, _ = _numbers(files, paths[part])
    _same_count(len(labels), count, of, paths[part])
    values, at = np.unique(labels, return_inverse=True)
    no_more_than(len(values) * count, files.limits.dense_cells, "cells of one-hot labels", paths[part])
    x = np.zeros((count, len(values)), np.float32)
    x[np.arange(count), at] = 1
    return x


def _attributes(files: Files, paths: dict[str, str], n: int) -> NDArray[np.float32] | None:
    """float32[n, columns]."""
    if "node_attributes" not in paths:
        return None
    path = paths["node_attributes"]
    layout = layout_of(files, path, header=False)
    with tables.blocks(files, path, layout, layout.columns) as found:
        x = np.concatenate([np.column_stack([tables.floats(b, column) for column in layout.columns]) for b in found])
    _same_count(len(x), n, "vertices", path)
    return x


def _same_count(found: int, wanted: int, of: str, path: str) -> None:
    if found != wanted:
        raise BadFile(f"{found:,} rows for {wanted:,} {of}", "Send files that belong together.", file=path)


def _with_split(data: GraphData, options: ImportOptions) -> GraphData:
    """Graph numbers, class by class: 80/10/10 unless shares are asked for."""
    if options.split == "none" or data.graph_y is None:
        return data
    shares = (options.train_share, options.val_share) if options.split == "random" else (TRAIN, VAL)
    split = splits.stratified(data.graph_y, *shares, options.seed)
    return replace(data, train=split.train, val=split.val, test=split.test)


def _repeats(src: Ids, dst: Ids, n: int) -> Check:
    repeats = len(src) - len(np.unique(src * max(n, 1) + dst))
    return Check.of(
        "Duplicate edges", repeats == 0, f"{repeats:,} repeated arcs; kept, as in the files", "no arc is repeated"
    )

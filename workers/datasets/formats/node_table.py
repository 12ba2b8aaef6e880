"""The table of vertices that goes with an edge list: ids, labels, features, split."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from workers.datasets import splits, tables
from workers.datasets.errors import BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.known import IDS, LABELS
from workers.datasets.layouts import Layout, layout_of, pick
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Ids, Tick

SPLITS = {"train": 0, "training": 0, "val": 1, "valid": 1, "validation": 1, "test": 2, "testing": 2, "": -1, "none": -1}
FEATURE = re.compile(r"(?:f|x|feat_?|feature_?)(\d+)", re.IGNORECASE)
KNOWN = (*IDS, *LABELS, "split")


@dataclass(frozen=True)
class Nodes:
    """Vertices in their order. `index` maps an id, as text unless all are whole numbers, to its number."""

    index: pd.Index
    x: NDArray[np.float32] | None = None
    y: Ids | None = None
    classes: tuple[str, ...] = ()
    split: splits.Split | None = None
    notes: tuple[str, ...] = ()
    file: str = ""

    def __len__(self) -> int:
        return len(self.index)

    @property
    def whole(self) -> bool:
        return bool(self.index.dtype == np.int64)

    def numbers_of(self, block: tables.Block, column: str) -> Ids:
        """int64: the vertex each cell names. BadValue names the first that is in no row of this table."""
        ids = tables.whole_numbers(block, column) if self.whole else np.array(tables.texts(block, column), object)
        numbers = np.asarray(self.index.get_indexer(ids), np.int64)
        if (numbers < 0).any():
            at = int(np.argmax(numbers < 0))
            raise BadValue(
                f"vertex id {ids[at]} in column {column!r} is not in {self.file}",
                "Add it to the table of vertices, or remove the edge.",
                file=block.file,
                row=int(block.rows[at]),
            )
        return numbers


def index_of(ids: NDArray[np.int64] | list[str]) -> pd.Index:
    return pd.Index(ids if isinstance(ids, np.ndarray) else np.array(ids, object))


def read(files: Files, name: str, options: ImportOptions, tick: Tick) -> Nodes:
    """Read the table block by block."""
    layout = layout_of(files, name, header=options.header, known=KNOWN)
    id_column = pick(layout, name, options.id_column, IDS, "ids") if layout.named else layout.columns[0]
    label_column, split_column = _optional(layout, name, options)
    features = _feature_columns(layout, name, options, {id_column, label_column, split_column})
    no_more_than(len(features), files.limits.features, "features", name)
    wanted = [column for column in (id_column, label_column, split_column, *features) if column]
    blocks: list[tables.Block] = []
    xs: list[NDArray[np.float32]] = []
    rows = 0
    with tables.blocks(files, name, layout, list(dict.fromkeys(wanted))) as found:
        for block in found:
            rows += len(block.rows)
            no_more_than(rows * max(len(features), 1), files.limits.dense_cells, "cells of features", name)
            if features:
                xs.append(np.column_stack([tables.floats(block, column) for column in features]))
            blocks.append(_without(block, features))
            tick(rows, layout.records, "vertices")
    if not rows:
        raise MissingPart("holds a header and no rows", "Send a file with at least one vertex.", file=name)
    y, classes = _labels(blocks, label_column)
    _check_classes(classes, label_column, files, name)
    return Nodes(
        _ids(blocks, id_column),
        np.concatenate(xs) if xs else None,
        y,
        classes,
        _split(blocks, split_column, y),
        (),
        name,
    )


def _optional(layout: Layout, name: str, options: ImportOptions) -> tuple[str, str]:
    """The label and split columns; empty where there is none and none was asked for."""
    lower = {column.lower(): column for column in reversed(layout.columns)}
    label = pick(layout, name, options.label_column, (), "labels") if options.label_column else ""
    split = pick(layout, name, options.split_column, (), "the split") if options.split_column else ""
    return label or next((lower[c] for c in LABELS if c in lower), ""), split or lower.get("split", "")


def _feature_columns(layout: Layout, name: str, options: ImportOptions, taken: set[str]) -> list[str]:
    """Asked columns as asked, else those called f0, f1, ... by number."""
    if options.feature_columns:
        return [pick(layout, name, column, (), "features") for column in options.feature_columns]
    found = [(int(match[1]), c) for c in layout.columns if c not in taken and (match := FEATURE.fullmatch(c))]
    return [column for _, column in sorted(found)]


def _without(block: tables.Block, columns: list[str]) -> tables.Block:
    """The block without the wide part, which has been turned into numbers."""
    dropped = set(columns)
    return tables.Block(block.file, {c: cells for c, cells in block.cells.items() if c not in dropped}, block.rows)


def _ids(blocks: list[tables.Block], column: str) -> pd.Index:
    whole = all(_all_whole(block.cells[column]) for block in blocks)
    parts = [tables.whole_numbers(b, column) if whole else np.array(tables.texts(b, column), object) for b in blocks]
    ids, rows = np.concatenate(parts), np.concatenate([block.rows for block in blocks])
    index = index_of(ids if whole else [str(i) for i in ids])
    repeated = index.duplicated()
    if repeated.any():
        at = int(np.argmax(repeated))
        raise BadValue(
            f"vertex id {ids[at]} is there twice",
            "Keep one row for each vertex.",
            file=blocks[0].file,
            row=int(rows[at]),
        )
    empty = np.zeros(len(ids), bool) if whole else ids == ""
    if empty.any():
        raise BadValue(
            "the id is empty", "Give every vertex an id.", file=blocks[0].file, row=int(rows[np.argmax(empty)])
        )
    return index


def _all_whole(cells: pa.Array) -> bool:
    if pa.types.is_integer(cells.type):
        return not cells.null_count
    found = pc.match_substring_regex(cells.cast(pa.string()), r"^\s*[+-]?[0-9]{1,18}\s*$")
    return bool(pc.fill_null(found, False).to_numpy(zero_copy_only=False).all())


def _labels(blocks: list[tables.Block], column: str) -> tuple[Ids | None, tuple[str, ...]]:
    """int64[N], classes in ascending order (as numbers where all are); empty cells and -1 are unlabelled."""
    if not column:
        return None, ()
    cells = [cell for block in blocks for cell in tables.texts(block, column)]
    names = _in_order(set(cells) - {"", "-1"})
    number = {name: i for i, name in enumerate(names)}
    return np.array([number.get(cell, -1) for cell in cells], np.int64), tuple(names)


def _check_classes(classes: tuple[str, ...], column: str, files: Files, name: str) -> None:
    if len(classes) > files.limits.classes:
        raise BadValue(
            f"{len(classes):,} different labels in column {column!r}, more than the {files.limits.classes:,} taken in",
            "Name the column of classes with label_column.",
            file=name,
        )


def _in_order(names: set[str]) -> list[str]:
    """As numbers where all of them are, else as text."""
    return sorted(names, key=int) if all(re.fullmatch(r"-?\d+", name) for name in names) else sorted(names)


def _split(blocks: list[tables.Block], column: str, y: Ids | None) -> splits.Split | None:
    if not column:
        return None
    parts = []
    for block in blocks:
        cells = [cell.lower() for cell in tables.texts(block, column)]
        wrong = next((i for i, cell in enumerate(cells) if cell not in SPLITS), None)
        if wrong is not None:
            raise BadValue(
                f"{cells[wrong]!r} in column {column!r} is no part of a split",
                "Write train, val, test, or nothing.",
                file=block.file,
                row=int(block.rows[wrong]),
            )
        parts.append(np.array([SPLITS[cell] for cell in cells], np.int64))
    part_of = np.concatenate(parts)
    if y is not None and ((part_of >= 0) & (y < 0)).any():
        at = int(np.argmax((part_of >= 0) & (y < 0)))
        rows = np.concatenate([block.rows for block in blocks])
        raise BadValue(
            "the vertex is in the split but has no label",
            "Label it, or leave its split empty.",
            file=blocks[0].file,
            row=int(rows[at]),
        )
    return splits.Split(*(np.flatnonzero(part_of == part).astype(np.int64) for part in range(3)))

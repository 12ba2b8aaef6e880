"""The CSV layout of OGB's heterogeneous sets, as a downloaded archive has it; every file may be gzip.

raw/num-node-dict.csv                                 types, and how many vertices each has
raw/relations/<type>___<relation>___<type>/edge.csv   two numbers an edge, from 0; edge-feat.csv beside it
raw/node-feat/<type>/node-feat.csv                    a row of numbers a vertex
raw/node-label/<type>/node-label.csv                  a class a vertex; nan or -1 where unlabelled
split/<scheme>/<type>/{train,valid,test}.csv          numbers of vertices
"""

from __future__ import annotations

import re

import numpy as np

from workers.core.hetero import Floats, Ids, Relation
from workers.datasets import splits, tables
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.formats.labelled import the_target
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish
from workers.datasets.known import OGB_COUNTS, OGB_EDGES
from workers.datasets.layouts import layout_of
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick, check_ids

FEATURES = re.compile(r"(?:^|/)node-feat/(?P<type>[^/]+)/node-feat\.csv(?:\.gz)?$")
LABELS = re.compile(r"(?:^|/)node-label/(?P<type>[^/]+)/node-label\.csv(?:\.gz)?$")
SPLIT = re.compile(r"(?:^|/)split/(?P<scheme>[^/]+)/(?P<type>[^/]+)/(?P<part>train|valid|test)\.csv(?:\.gz)?$")
UNLABELLED = ("", "nan", "-1", "-1.0")


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    counts_file = _found(files, OGB_COUNTS)
    if not counts_file:
        raise MissingPart("there is no num-node-dict.csv", "Send the whole folder of the set, as one .zip.")
    counts = _counts(files, counts_file[0][0])
    edges = {_relation(match): _edges(files, name, _relation(match), counts, tick)
             for name, match in _found(files, OGB_EDGES)}  # fmt: skip
    if not edges:
        raise MissingPart("there is no relations/<type>___<relation>___<type>/edge.csv", "Send the whole folder.")
    features = {m["type"]: _matrix(files, name, counts, m["type"], tick) for name, m in _found(files, FEATURES)}
    labels = {m["type"]: _labels(files, name, counts, m["type"]) for name, m in _found(files, LABELS)}
    target = the_target({t: y for t, (y, _) in labels.items()}, options)
    y, classes = labels[target] if target else (None, ())
    raw = HeteroRaw(
        files.root.name if len(files.root.name) > 1 else "ogb",
        counts,
        edges,
        source=f"OGB layout, {len(counts):,} types and {len(edges):,} relations",
        features=features,
        target=target,
        y=y,
        classes=classes,
        split=_split(files, options, target, counts[target]) if target else None,
    )
    return finish(raw, options, files.limits, counts_file[0][0])


def _found(files: Files, pattern: re.Pattern[str]) -> list[tuple[str, re.Match[str]]]:
    """Files whose whole path matches."""
    return [(name, match) for name in files.names if (match := pattern.search(name))]


def _relation(match: re.Match[str]) -> Relation:
    return Relation(match["source"], match["name"], match["target"])


def _counts(files: Files, name: str) -> dict[str, int]:
    layout = layout_of(files, name, header=True)
    with tables.blocks(files, name, layout, layout.columns) as found:
        rows = [[int(tables.whole_numbers(block, column)[0]) for column in layout.columns] for block in found]
    if len(rows) != 1 or any(count < 0 for count in rows[0]):
        raise BadFile("is not a row of types and a row of counts", "Write one count for each type.", file=name)
    return dict(zip(layout.columns, rows[0], strict=True))


def _edges(files: Files, name: str, relation: Relation, counts: dict[str, int], tick: Tick) -> Edges:
    for end in (relation.source, relation.target):
        if end not in counts:
            listed = ", ".join(counts)
            raise MissingPart(f"joins {end!r}, which num-node-dict.csv does not count", f"It has {listed}.", file=name)
    columns, rows = _numbers(files, name, 2, tick)
    for end, ids in zip((relation.source, relation.target), columns, strict=True):
        check_ids(ids, counts[end], name, rows)
    beside = [n for n in (f"{name.rsplit('/', 1)[0]}/edge-feat.csv{z}" for z in ("", ".gz")) if n in files.names]
    x = _floats(files, beside[0], len(rows), "edges") if beside else None
    return Edges(columns[0], columns[1], x)


def _numbers(files: Files, name: str, width: int, tick: Tick) -> tuple[list[Ids], Ids]:
    """Columns of whole numbers, and their rows."""
    layout = layout_of(files, name, header=False)
    if len(layout.columns) != width:
        raise BadFile(f"has {len(layout.columns)} columns", f"Give {width} in each row.", file=name, row=1)
    parts: list[list[Ids]] = [[] for _ in range(width + 1)]
    with tables.blocks(files, name, layout, layout.columns) as found:
        for block in found:
            for column, kept in zip(layout.columns, parts, strict=False):
                kept.append(tables.whole_numbers(block, column))
            parts[-1].append(block.rows)
            no_more_than(int(block.rows[-1]), files.limits.arcs, "rows", name)
            tick(int(block.rows[-1]), None, "rows")
    *columns, rows = (np.concatenate(part) for part in parts)
    return columns, rows


def _matrix(files: Files, name: str, counts: dict[str, int], node_type: str, tick: Tick) -> Floats:
    tick(0, None, "features")
    return _floats(files, name, counts.get(node_type, 0), f"vertices of {node_type!r}")


def _floats(files: Files, name: str, rows: int, what: str) -> Floats:
    layout = layout_of(files, name, header=False)
    no_more_than(rows * len(layout.columns), files.limits.dense_cells, "cells of features", name)
    with tables.blocks(files, name, layout, layout.columns) as found:
        parts = [np.column_stack([tables.floats(block, c) for c in layout.columns]) for block in found]
    x: Floats = np.concatenate(parts)
    if len(x) != rows:
        raise BadFile(f"{len(x):,} rows of features for {rows:,} {what}", "Give one row for each.", file=name)
    return x


def _labels(files: Files, name: str, counts: dict[str, int], node_type: str) -> tuple[Ids, tuple[str, ...]]:
    layout = layout_of(files, name, header=False)
    with tables.blocks(files, name, layout, layout.columns[:1]) as found:
        cells = [
            (cell, int(r)) for b in found for cell, r in zip(tables.texts(b, layout.columns[0]), b.rows, strict=True)
        ]
    if len(cells) != counts.get(node_type, 0):
        what = f"{len(cells):,} labels for {counts.get(node_type, 0):,} vertices of {node_type!r}"
        raise BadFile(what, "Give one to each; nan means unlabelled.", file=name)
    y = np.full(len(cells), -1, np.int64)
    for v, (cell, row) in enumerate(cells):
        if cell.lower() in UNLABELLED:
            continue
        if not re.fullmatch(r"\d{1,9}(\.0*)?", cell):
            raise BadValue(f"label {cell[:40]!r} is no class", "Number classes from 0.", file=name, row=row)
        y[v] = int(float(cell))
    no_more_than(int(y.max(initial=-1)) + 1, files.limits.classes, "classes", name)
    return y, tuple(f"class {c}" for c in range(int(y.max(initial=-1)) + 1))


def _split(files: Files, options: ImportOptions, target: str, n: int) -> splits.Split | None:
    """The split of the target under the scheme asked for, else the first that is whole."""
    found: dict[str, dict[str, str]] = {}
    for name, match in _found(files, SPLIT):
        if match["type"] == target:
            found.setdefault(match["scheme"], {})[match["part"]] = name
    whole = {scheme: parts for scheme, parts in found.items() if len(parts) == 3}
    scheme = options.given_split or next(iter(whole), "")
    if options.given_split and scheme not in whole:
        raise MissingPart(
            f"there is no split {scheme!r}; there are {', '.join(whole) or 'none'}", "Choose one of them."
        )
    if not scheme:
        return None
    parts = []
    for part in ("train", "valid", "test"):
        (ids,), rows = _numbers(files, whole[scheme][part], 1, lambda *_: None)
        check_ids(ids, n, whole[scheme][part], rows)
        parts.append(np.unique(ids))
    return splits.Split(*parts)

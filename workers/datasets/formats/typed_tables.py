"""Tables of one type or one relation each: `nodes__paper.csv`, `edges__paper__written by__author.csv`; or Parquet.

Vertices: column id; a label column; features f0, f1, ...; optionally split and called. Edges: source and target, ids as
the tables of vertices say; features f0, f1, ...; optionally time and split (train, valid, test). A type without a table
has the vertices that edges name, as they come.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from workers.core.hetero import PARTS, Ids, Relation
from workers.datasets import tables
from workers.datasets.errors import BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.formats import node_table
from workers.datasets.formats.labelled import the_target
from workers.datasets.formats.node_table import FEATURE, Nodes
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish
from workers.datasets.known import SOURCES, TARGETS
from workers.datasets.layouts import Layout, layout_of, pick
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick
from workers.datasets.typed_names import EDGES, NODES, relation_of, type_of

CALLED = "called"
TIMES = ("time", "timestamp", "date", "year")
EDGE_PARTS = {"train": 0, "training": 0, "valid": 1, "val": 1, "validation": 1, "test": 2, "testing": 2}


@dataclass
class Types:
    """Vertices by type: out of their tables, or as edges name them."""

    listed: dict[str, Nodes]
    named: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def numbers(self, node_type: str, block: tables.Block, column: str) -> Ids:
        """int64: the vertex each cell names. BadValue names the first that a table does not have."""
        if node_type in self.listed:
            return self.listed[node_type].numbers_of(block, column)
        known = self.named[node_type]
        cells = tables.texts(block, column)
        if "" in cells:
            row = int(block.rows[cells.index("")])
            raise BadValue(f"an empty cell in column {column!r}", "Name a vertex.", file=block.file, row=row)
        return np.array([known.setdefault(cell, len(known)) for cell in cells], np.int64)

    def counts(self, order: list[str]) -> dict[str, int]:
        return {t: len(self.listed[t]) if t in self.listed else len(self.named[t]) for t in order}


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    node_files = {type_of(match): name for name, match in files.matching(NODES)}
    edge_files = {relation_of(match): name for name, match in files.matching(EDGES)}
    if not edge_files:
        raise MissingPart(
            "no file is called edges__<type>__<relation>__<type>", "Give each relation a table of its own."
        )
    types = Types({t: _nodes(files, name, options, tick) for t, name in node_files.items()})
    edges = {relation: _edges(files, name, relation, types, options, tick) for relation, name in edge_files.items()}
    order = list(dict.fromkeys([*node_files, *(t for r in edge_files for t in (r.source, r.target))]))
    target = the_target({t: nodes.y for t, nodes in types.listed.items()}, options)
    labelled = types.listed[target] if target else Nodes(pd.Index([]))
    raw = HeteroRaw(
        files.root.name or "graph",
        types.counts(order),
        edges,
        source=f"tables of {len(order):,} types and {len(edges):,} relations",
        features={t: nodes.x for t, nodes in types.listed.items() if nodes.x is not None},
        names={t: _names(files, node_files, types, t) for t in order},
        target=target,
        y=labelled.y,
        classes=labelled.classes,
        split=labelled.split,
    )
    return finish(raw, options, files.limits, next(iter(edge_files.values())))


def _nodes(files: Files, name: str, options: ImportOptions, tick: Tick) -> Nodes:
    """The table of one type; columns that the options name count where this table has them."""
    columns = layout_of(files, name, header=options.header, known=node_table.KNOWN).columns
    named = {key: getattr(options, key) for key in ("id_column", "label_column", "split_column")}
    own: dict[str, object] = {key: value for key, value in named.items() if value in columns}
    features = tuple(c for c in options.feature_columns if c in columns)
    cleared = dict.fromkeys(named, "") | own | {"feature_columns": features}
    return node_table.read(files, name, options.model_copy(update=cleared), tick)


def _edges(files: Files, name: str, relation: Relation, types: Types, options: ImportOptions, tick: Tick) -> Edges:
    layout = layout_of(files, name, header=options.header, known=(*SOURCES, *TARGETS))
    if len(layout.columns) < 2:
        raise MissingPart("has one column", "An edge needs two: where it starts and where it leads.", file=name, row=1)
    source, target = _ends(layout, name, options)
    lower = {column.lower(): column for column in reversed(layout.columns)}
    time = next((lower[c] for c in TIMES if c in lower), "")
    split = lower.get("split", "")
    wide = [(int(match[1]), c) for c in layout.columns if (match := FEATURE.fullmatch(c))]
    features = [column for _, column in sorted(wide)]
    wanted = list(dict.fromkeys(c for c in (source, target, time, split, *features) if c))
    parts: list[Edges] = []
    total = 0
    with tables.blocks(files, name, layout, wanted) as found:
        for block in found:
            total += len(block.rows)
            no_more_than(total, files.limits.arcs, "edges", name)
            parts.append(
                Edges(
                    types.numbers(relation.source, block, source),
                    types.numbers(relation.target, block, target),
                    np.column_stack([tables.floats(block, c) for c in features]) if features else None,
                    tables.whole_numbers(block, time) if time else None,
                    _part(block, split) if split else None,
                )
            )
            tick(total, layout.records, "edges")
    return _joined(parts)


def _ends(layout: Layout, name: str, options: ImportOptions) -> tuple[str, str]:
    if not layout.named or not {c.lower() for c in layout.columns} & {*SOURCES, *TARGETS}:
        return layout.columns[0], layout.columns[1]
    source = pick(layout, name, options.source_column, SOURCES, "the start of an edge")
    return source, pick(layout, name, options.target_column, TARGETS, "the end of an edge")


def _part(block: tables.Block, column: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    cells = [cell.lower() for cell in tables.texts(block, column)]
    wrong = next((i for i, cell in enumerate(cells) if cell not in EDGE_PARTS), None)
    if wrong is not None:
        what = f"{cells[wrong]!r} in column {column!r} is no part of a split"
        raise BadValue(what, f"Write {', '.join(PARTS)}.", file=block.file, row=int(block.rows[wrong]))
    return np.array([EDGE_PARTS[cell] for cell in cells], np.uint8)


def _joined(parts: list[Edges]) -> Edges:
    """Blocks one after the other; a table with a header and no rows is an empty relation."""
    if not parts:
        return Edges(np.zeros(0, np.int64), np.zeros(0, np.int64))
    first = parts[0]
    return Edges(
        np.concatenate([p.src for p in parts]),
        np.concatenate([p.dst for p in parts]),
        None if first.x is None else np.concatenate([p.x for p in parts if p.x is not None]),
        None if first.times is None else np.concatenate([p.times for p in parts if p.times is not None]),
        None if first.part is None else np.concatenate([p.part for p in parts if p.part is not None]),
    )


def _names(files: Files, node_files: dict[str, str], types: Types, node_type: str) -> list[str]:
    """What vertices are called: a column `called`, else their ids."""
    if node_type not in node_files:
        return list(types.named[node_type])
    name = node_files[node_type]
    layout = layout_of(files, name, known=node_table.KNOWN)
    if CALLED in layout.columns:
        with tables.blocks(files, name, layout, [CALLED]) as found:
            called = [cell for block in found for cell in tables.texts(block, CALLED)]
        if len(called) == len(types.listed[node_type]):
            return called
    return [str(i) for i in types.listed[node_type].index]

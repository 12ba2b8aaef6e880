"""Knowledge graphs as three tables of head, relation, tail: train, valid and test. One type, edges are split.

Names are kept as they stand (leading zeros too) and numbered as they come, train first.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workers.core.hetero import PARTS, Ids, Relation
from workers.datasets import tables
from workers.datasets.checks import Check
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.files import Files, plain_name
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish
from workers.datasets.known import TRIPLES
from workers.datasets.layouts import Layout, layout_of
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick

ENTITY = "entity"
HEADS = ("head", "h", "subject", "source")
ROLE = {"train": "train", "valid": "valid", "val": "valid", "dev": "valid", "test": "test"}
Parts = NDArray[np.uint8]
Columns = tuple[list[str], list[str], list[str]]


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    found = {ROLE[match["part"].lower()]: name for name, match in files.matching(TRIPLES)}
    if "train" not in found:
        raise MissingPart("there is no train file", "Send train.txt beside valid.txt and test.txt.")
    parts = [part for part in PARTS if part in found]
    read_ = [_read(files, found[part], tick) for part in parts]
    part = np.repeat([PARTS.index(p) for p in parts], [len(heads) for heads, _, _ in read_]).astype(np.uint8)
    heads, relations, tails = ([cell for columns in read_ for cell in columns[k]] for k in range(3))
    ends, names = pd.factorize(np.array([*heads, *tails], object))
    kind, called = pd.factorize(np.array(relations, object))
    src, dst = ends[: len(heads)].astype(np.int64), ends[len(heads) :].astype(np.int64)
    leaks = _leaks(src, kind, dst, part)
    raw = HeteroRaw(
        _title(files, found["train"]),
        {ENTITY: len(names)},
        _edges(src, dst, kind, part, list(called)),
        source=f"head-relation-tail tables {', '.join(plain_name(found[p]) for p in parts)}",
        names={ENTITY: [str(name) for name in names]},
        inverse=True,
        notes=(f"{len(names):,} entities, {len(called):,} relations; edges are split as the files say.",),
        checks=(
            Check.of("Parts disjoint", leaks == 0, f"{leaks:,} triples are in more than one part", "no triple in two"),
        ),
    )
    return finish(raw, options, files.limits, found["train"])


def _read(files: Files, name: str, tick: Tick) -> Columns:
    """Heads, relations and tails. BadValue names the first row with an empty cell."""
    layout = _layout(files, name)
    columns: Columns = ([], [], [])
    with tables.blocks(files, name, layout, layout.columns) as found:
        for block in found:
            for column, kept in zip(layout.columns, columns, strict=True):
                cells = tables.texts(block, column)
                if "" in cells:
                    row = int(block.rows[cells.index("")])
                    raise BadValue("a cell is empty", "Give head, relation and tail.", file=name, row=row)
                kept.extend(cells)
            no_more_than(len(columns[0]), files.limits.arcs, "triples", name)
            tick(len(columns[0]), layout.records, "triples")
    return columns


def _layout(files: Files, name: str) -> Layout:
    """Three columns; the first row is data unless it says head, relation, tail."""
    layout = layout_of(files, name, header=False)
    with_header = layout_of(files, name, header=True) if len(layout.columns) == 3 else layout
    if len(layout.columns) != 3:
        raise BadFile(
            f"has {len(layout.columns)} columns", "A triple has three: head, relation and tail.", file=name,
            row=layout.first_row,
        )  # fmt: skip
    return with_header if with_header.columns[0].lower() in HEADS else layout


def _edges(src: Ids, dst: Ids, kind: Ids, part: Parts, called: list[str]) -> dict[Relation, Edges]:
    order = np.argsort(kind, kind="stable")
    cuts = np.searchsorted(kind[order], np.arange(1, len(called)))
    return {
        Relation(ENTITY, str(name), ENTITY): Edges(src[at], dst[at], part=part[at])
        for name, at in zip(called, np.split(order, cuts), strict=True)
    }


def _leaks(src: Ids, kind: Ids, dst: Ids, part: Parts) -> int:
    """Triples that are in more than one part."""
    n = int(max(src.max(initial=0), dst.max(initial=0))) + 1
    key = (kind * n + src) * n + dst
    return sum(len(np.unique(key[part == p])) for p in range(len(PARTS))) - len(np.unique(key))


def _title(files: Files, train: str) -> str:
    folder = train.rsplit("/", 2)[-2] if "/" in train else files.root.name
    return folder or "triples"

"""What a format's reader hands on, and the steps that every reader ends with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.datasets import arcs, sparse, splits
from workers.datasets.checks import Check
from workers.datasets.errors import BadValue
from workers.datasets.options import ImportOptions

Ids = NDArray[np.int64]
Tick = Callable[[int, int | None, str], None]
"""Called with (done, total or None, unit) often enough to show progress; raises when the import was cancelled."""


@dataclass(frozen=True)
class Reading:
    """A graph and what was looked at on the way."""

    data: GraphData | HeteroData
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Raw:
    """A graph as its files say it, ids already 0..n-1. `split`: what the files give; `usual`: what suits else."""

    name: str
    n: int
    src: Ids
    dst: Ids
    x: sparse.Features | None
    y: Ids | None
    classes: tuple[str, ...]
    source: str
    usual: str
    row_normalise: bool
    split: splits.Split | None = None
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = field(default=())


def finish(raw: Raw, options: ImportOptions) -> Reading:
    """1. Tidy the arcs. 2. Cut to the largest component if asked. 3. Normalise and lay out features. 4. Split."""
    clean = arcs.tidy(
        raw.src, raw.dst, raw.n, symmetrise=options.symmetrise,
        drop_self_loops=options.drop_self_loops, dedupe=options.drop_duplicates,
    )  # fmt: skip
    data = GraphData(
        raw.name,
        raw.n,
        clean.src,
        clean.dst,
        _features(raw, options),
        raw.y,
        raw.classes,
        source=raw.source,
        notes=raw.notes,
    )
    given = raw.split
    if options.largest_component:
        data, given = _cut(data, given)
    checks = (*raw.checks, *_arc_checks(clean, options))
    chosen = _split(data.y, given, raw.usual, options)
    if chosen is not None:
        data = replace(data, train=chosen.train, val=chosen.val, test=chosen.test)
    return Reading(data, checks)


def dense_or_sparse(x: sparse.Features | None) -> sparse.Features | None:
    return None if x is None or sparse.shape(x)[1] == 0 else sparse.smaller_layout(x)


def check_ids(ids: Ids, n: int, file: str, rows: Ids | None = None, base: int = 0) -> None:
    """Refuse the first id outside base..base+n-1, naming its row (its place, counted from 1, without `rows`)."""
    wrong = (ids < base) | (ids >= base + n)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadValue(
            f"vertex id {ids[at]:,} is outside {base} to {base + n - 1:,}",
            "Number vertices without gaps, or correct the row.",
            file=file, row=int(rows[at]) if rows is not None else at + 1,
        )  # fmt: skip


def _features(raw: Raw, options: ImportOptions) -> sparse.Features | None:
    normalise = raw.row_normalise if options.row_normalise is None else options.row_normalise
    x = dense_or_sparse(raw.x)
    return sparse.row_normalise(x) if normalise and x is not None else x


def _cut(data: GraphData, split: splits.Split | None) -> tuple[GraphData, splits.Split | None]:
    """The largest component alone, its vertices renumbered in their order."""
    kept = arcs.largest_component(data.src, data.dst, data.n)
    number = np.full(data.n, -1, np.int64)
    number[kept] = np.arange(len(kept))
    inside = number[data.src] >= 0
    note = f"Kept the largest connected part: {len(kept):,} of {data.n:,} vertices."
    smaller = replace(
        data, n=len(kept), src=number[data.src[inside]], dst=number[data.dst[inside]],
        x=None if data.x is None else sparse.take_rows(data.x, kept), y=None if data.y is None else data.y[kept],
        notes=(*data.notes, note),
    )  # fmt: skip
    return smaller, split and splits.Split(*(number[ids][number[ids] >= 0] for ids in split))


def _split(y: Ids | None, given: splits.Split | None, usual: str, options: ImportOptions) -> splits.Split | None:
    if y is None or not (y >= 0).any() or options.split == "none":
        return None
    if options.split == "auto" and given is not None:
        return given
    if (usual if options.split == "auto" else options.split) == "per_class":
        return splits.per_class_all(y, options.labels_per_class, options.val_per_class, options.seed)
    return splits.shares(np.flatnonzero(y >= 0), options.train_share, options.val_share, options.seed)


def _arc_checks(clean: arcs.Tidied, options: ImportOptions) -> tuple[Check, ...]:
    kept = "kept once" if options.drop_duplicates else "kept, as in the files"
    loops = "left out" if options.drop_self_loops else "kept, as in the files"
    return (
        Check.of(
            "Duplicate edges",
            clean.duplicates == 0,
            f"{clean.duplicates:,} repeated edges; {kept}",
            "no edge is repeated",
        ),
        Check.of(
            "Self-loops",
            clean.self_loops == 0,
            f"{clean.self_loops:,} edges to themselves; {loops}",
            "no edge to itself",
        ),
    )

"""The layout of HeCo: `pa.txt` joins papers and authors by number, `labels.npy` and `train_20.npy` tell the split.

Two letters name the types a file joins, the target first; `p_feat.npz` holds features of p. All numbers start at 0. Of
several splits (20, 40 and 60 labels of each class) one is taken, the option `given_split` says which.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from workers.core.hetero import Floats, Ids, Relation
from workers.datasets import splits, tables
from workers.datasets.errors import BadFile, BadValue, MissingPart
from workers.datasets.files import Files
from workers.datasets.formats.benchmark_npz import read_npz
from workers.datasets.formats.npy import whole_numbers
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish
from workers.datasets.known import HECO_EDGES, HECO_FEATURES, HECO_LABELS, HECO_SPLIT
from workers.datasets.layouts import layout_of
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick, check_ids

WORDS = {
    "p": {"p": "paper", "a": "author", "s": "subject", "r": "reference", "c": "conference", "t": "term"},
    "m": {"m": "movie", "a": "actor", "d": "director", "w": "writer"},
    "a": {"a": "author", "p": "paper", "c": "conference", "t": "term"},
}
"""What letters stand for, by the letter of the target; others stand for themselves."""
REMEDY = "Write the file again as HeCo does."


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    joins = {match["pair"].lower(): name for name, match in files.matching(HECO_EDGES)}
    if not joins:
        raise MissingPart("no file joins two types", "Send files of two letters such as pa.txt.")
    target = Counter(pair[0] for pair in joins).most_common(1)[0][0]
    called = WORDS.get(target, {})
    pairs = {pair: _pairs(files, name, tick) for pair, name in joins.items()}
    features = {match["type"].lower(): name for name, match in files.matching(HECO_FEATURES)}
    y = _labels(files)
    x = {letter: _features(files, name) for letter, name in features.items()}
    counts = _counts(pairs, joins, target, y, x)
    raw = HeteroRaw(
        files.root.name or "heco",
        {called.get(letter, letter): n for letter, n in counts.items()},
        {
            Relation(called.get(pair[0], pair[0]), pair, called.get(pair[1], pair[1])): Edges(src, dst)
            for pair, (src, dst) in pairs.items()
        },
        source=f"HeCo layout {', '.join(sorted(joins.values()))}",
        features={called.get(letter, letter): rows for letter, rows in x.items() if letter in counts},
        target=called.get(target, target),
        y=y,
        classes=tuple(f"class {c}" for c in range(int(y.max(initial=-1)) + 1)),
        split=_split(files, options, len(y)),
        usual="per_class",
        inverse=True,
    )
    return finish(raw, options, files.limits, next(iter(joins.values())))


def _pairs(files: Files, name: str, tick: Tick) -> tuple[Ids, Ids]:
    layout = layout_of(files, name, header=False)
    if len(layout.columns) != 2:
        raise BadFile(f"has {len(layout.columns)} columns", "An edge has two numbers.", file=name, row=layout.first_row)
    ends: tuple[list[Ids], list[Ids]] = ([], [])
    with tables.blocks(files, name, layout, layout.columns) as found:
        for block in found:
            for column, kept in zip(layout.columns, ends, strict=True):
                ids = tables.whole_numbers(block, column)
                if (ids < 0).any():
                    at = int(np.argmax(ids < 0))
                    what = f"vertex id {ids[at]} is negative"
                    raise BadValue(what, "Number vertices from 0.", file=name, row=int(block.rows[at]))
                kept.append(ids)
            no_more_than(sum(map(len, ends[0])), files.limits.arcs, "edges", name)
            tick(sum(map(len, ends[0])), layout.records, "edges")
    return np.concatenate(ends[0]), np.concatenate(ends[1])


def _labels(files: Files) -> Ids:
    [(name, _), *_more] = files.matching(HECO_LABELS)
    y = whole_numbers(files, name)
    wrong = (y < -1) | (y >= files.limits.classes)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadValue(f"label {y[at]} is no class", "Number classes from 0.", file=name, row=at + 1)
    return y


def _counts(
    pairs: dict[str, tuple[Ids, Ids]], joins: dict[str, str], target: str, y: Ids, x: dict[str, Floats]
) -> dict[str, int]:
    """Vertices of each type: as many as there are labels, rows of features, or else as the largest number says."""
    counts = {target: len(y)}
    for pair, ends in pairs.items():
        for letter, ids in zip(pair, ends, strict=True):
            if letter in x or letter == target:
                n = len(y) if letter == target else len(x[letter])
                check_ids(ids, n, joins[pair])
                counts[letter] = n
            else:
                counts[letter] = max(counts.get(letter, 0), int(ids.max(initial=-1)) + 1)
    return counts


def _features(files: Files, name: str) -> Floats:
    """float32[n, F] out of a SciPy CSR matrix."""
    arrays = read_npz(files, name, ("data", "indices", "indptr", "shape"))
    missing = [key for key in ("data", "indices", "indptr", "shape") if key not in arrays]
    if missing:
        raise MissingPart(f"has no array {', '.join(missing)}", "Save it with scipy.sparse.save_npz.", file=name)
    rows, columns = (int(size) for size in arrays["shape"])
    no_more_than(columns, files.limits.features, "features", name)
    no_more_than(rows * columns, files.limits.dense_cells, "cells of features", name)
    indptr, indices, data = arrays["indptr"], arrays["indices"], arrays["data"]
    if len(indptr) != rows + 1 or indptr[-1] != len(data) or len(indices) != len(data) or (np.diff(indptr) < 0).any():
        raise BadFile("its parts do not fit together", "Save it with scipy.sparse.save_npz.", file=name)
    check_ids(indices.astype(np.int64), columns, f"{name}, indices")
    if not np.isfinite(data).all():
        row = int(np.searchsorted(indptr, int(np.argmin(np.isfinite(data))), side="right"))
        raise BadValue("a feature is NaN or infinite", "Fill it with a number.", file=name, row=row)
    x = np.zeros((rows, columns), np.float32)
    x[np.repeat(np.arange(rows), np.diff(indptr)), indices] = data
    return x


def _split(files: Files, options: ImportOptions, n: int) -> splits.Split | None:
    """The split asked for, else the one of the smallest number; None where the files give none whole."""
    found: dict[str, dict[str, str]] = {}
    for name, match in files.matching(HECO_SPLIT):
        found.setdefault(match["which"] or "", {})[match["part"].lower()] = name
    whole = {which: parts for which, parts in found.items() if len(parts) == 3}
    if options.given_split and options.given_split not in whole:
        listed = ", ".join(sorted(whole, key=_number)) or "none"
        raise MissingPart(f"there is no split {options.given_split!r}; there are {listed}", "Choose one of them.")
    if not whole:
        return None
    which = options.given_split or min(whole, key=_number)
    parts = []
    for part in ("train", "val", "test"):
        ids = whole_numbers(files, whole[which][part])
        check_ids(ids, n, whole[which][part])
        parts.append(np.unique(ids))
    return splits.Split(*parts)


def _number(which: str) -> tuple[int, str]:
    return (int(which) if re.fullmatch(r"\d+", which) else 0, which)

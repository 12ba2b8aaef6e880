"""Tables beside N-Triples that label resources and say which of them train and which test.

A table has a column that names resources and one of their labels (called label…, or label_column). A file called
…train… says who trains, …valid… who validates, …test… who tests; any other only labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from workers.core.hetero import Ids
from workers.datasets import splits, tables
from workers.datasets.checks import Check
from workers.datasets.errors import BadValue, MissingPart
from workers.datasets.files import Files, plain_name
from workers.datasets.hetero_reading import short_names
from workers.datasets.known import LABELS, table_names
from workers.datasets.layouts import Layout, layout_of, pick
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Tick

ROLES = (("train", re.compile(r"train", re.I)), ("val", re.compile(r"val", re.I)), ("test", re.compile(r"test", re.I)))
LOOK_AT = 50


@dataclass(frozen=True)
class Target:
    """Labels of one type: y int64[n] and the split of its vertices."""

    name: str
    y: Ids
    classes: tuple[str, ...]
    split: splits.Split | None


@dataclass
class Labels:
    """What tables say: the label and the part of resources, by number."""

    options: ImportOptions
    label: dict[int, str] = field(default_factory=dict)
    part: dict[int, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    @property
    def checks(self) -> tuple[Check, ...]:
        some = ", ".join(self.unknown[:3])
        note = f"{len(self.unknown):,} labelled resources are in no statement and left out: {some}"
        return (Check.of("Labels", not self.unknown, note, f"{len(self.label):,} labelled resources"),)

    def target(self, kind: Ids, place: Ids, types: list[str]) -> Target:
        """The labels of the one type that has them. BadValue where there are several."""
        labelled = np.array(sorted(self.label), np.int64)
        found = np.unique(kind[labelled])
        if len(found) > 1:
            several = ", ".join(types[k] for k in found[:5])
            raise BadValue(
                f"labelled resources are of {len(found)} types ({several})", "Import them as resources of one type."
            )
        names = sorted(set(self.label.values()))
        number = {name: c for c, name in enumerate(names)}
        y = np.full(int((kind == found[0]).sum()), -1, np.int64)
        y[place[labelled]] = [number[self.label[v]] for v in labelled.tolist()]
        return Target(types[found[0]], y, tuple(short_names(names)), self._split(place, y))

    def _split(self, place: Ids, y: Ids) -> splits.Split | None:
        """Where no table validates, a share of those who train does, class by class."""
        if not self.part:
            return None
        ids = {
            part: np.sort(place[[v for v, p in self.part.items() if p == part]]).astype(np.int64)
            for part in ("train", "val", "test")
        }
        if not len(ids["val"]) and self.options.val_share and len(ids["train"]):
            held = np.full(len(y), -1, np.int64)
            held[ids["train"]] = y[ids["train"]]
            ids["train"], ids["val"], _ = splits.stratified(
                held, 1 - self.options.val_share, self.options.val_share, self.options.seed
            )
        return splits.Split(ids["train"], ids["val"], ids["test"])


def read(files: Files, terms: dict[str, int], options: ImportOptions, tick: Tick) -> Labels | None:
    """What all tables beside the statements say; None where there are none."""
    named = table_names(files)
    if not named:
        return None
    labels = Labels(options)
    for name in sorted(named, key=lambda name: _role(name) or ""):
        _read(labels, files, name, terms, options)
        tick(len(labels.label), None, "labels")
    if not labels.label:
        raise MissingPart(
            "no labelled resource is in any statement", "Write IRIs as the statements do, without brackets.",
            file=named[0],
        )  # fmt: skip
    return labels


def _role(name: str) -> str | None:
    stem = plain_name(name).rsplit(".", 1)[0]
    return next((part for part, pattern in ROLES if pattern.search(stem)), None)


def _read(labels: Labels, files: Files, name: str, terms: dict[str, int], options: ImportOptions) -> None:
    layout = layout_of(files, name, header=options.header is not False)
    resources, label = _columns(files, name, layout, terms, options)
    role = _role(name)
    with tables.blocks(files, name, layout, [resources, label]) as found:
        for block in found:
            cells = zip(tables.texts(block, resources), tables.texts(block, label), block.rows.tolist(), strict=True)
            for resource, value, row in cells:
                _say(labels, _number(terms, resource), resource, _class(value), role, name, row)


def _columns(files: Files, name: str, layout: Layout, terms: dict[str, int], options: ImportOptions) -> tuple[str, str]:
    """The column that names resources, told by its cells, and the one that labels them, told by its name."""
    usual = [c for c in layout.columns if c.lower().startswith("label")]
    label = pick(layout, name, options.label_column, [*(c.lower() for c in usual), *LABELS], "labels")
    if options.id_column:
        return pick(layout, name, options.id_column, (), "resources"), label
    rest = [column for column in layout.columns if column != label]
    with tables.blocks(files, name, layout, rest) as found:
        for block in found:
            for column in rest:
                cells = tables.texts(tables.Block(name, {column: block.cells[column][:LOOK_AT]}, block.rows), column)
                if any(_number(terms, cell) is not None for cell in cells):
                    return column, label
    raise MissingPart(
        f"no column names resources of the statements; its columns are {', '.join(layout.columns)}",
        "Write IRIs as the statements do, without brackets, or name the column with id_column.",
        file=name,
    )


def _number(terms: dict[str, int], resource: str) -> int | None:
    found = terms.get(f"<{resource}>")
    return terms.get(resource) if found is None else found


def _class(value: str) -> str:
    """1.0 and 1 are one class."""
    return value[:-2] if re.fullmatch(r"-?\d+\.0", value) else value


def _say(labels: Labels, v: int | None, resource: str, value: str, role: str | None, name: str, row: int) -> None:
    if v is None or not value:
        if v is None and resource not in labels.unknown:
            labels.unknown.append(resource)
        return
    if labels.label.setdefault(v, value) != value:
        what = f"{resource} is labelled {value!r} here and {labels.label[v]!r} elsewhere"
        raise BadValue(what, "Give it one label.", file=name, row=row)
    if role is not None and labels.part.setdefault(v, role) != role:
        what = f"{resource} is in {role} here and in {labels.part[v]} elsewhere"
        raise BadValue(what, "Give it to one part of the split.", file=name, row=row)

"""What a reader of a heterogeneous format hands over, and the steps that every such reader ends with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from workers.core.errors import GraphInvalid
from workers.core.hetero import Floats, HeteroData, Ids, Mask, Names, Relation
from workers.core.stitch import stitch
from workers.datasets import splits
from workers.datasets.checks import Check
from workers.datasets.errors import BadValue
from workers.datasets.limits import Limits, no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading

BACKWARDS = "rev_"


@dataclass(frozen=True)
class Edges:
    """Edges of one relation as its files say them: both ends numbered within their types."""

    src: Ids
    dst: Ids
    x: Floats | None = None
    times: Ids | None = None
    part: NDArray[np.uint8] | None = None
    """An index into PARTS for each edge, where edges themselves are split."""

    def take(self, chosen: Ids) -> Edges:
        def of(values: NDArray[np.generic] | None) -> NDArray[np.generic] | None:
            return None if values is None else values[chosen]

        return Edges(self.src[chosen], self.dst[chosen], of(self.x), of(self.times), of(self.part))  # type: ignore[arg-type]

    def backwards(self) -> Edges:
        return replace(self, src=self.dst, dst=self.src)


@dataclass(frozen=True)
class HeteroRaw:
    """A heterogeneous graph as its files say it. `split`: what the files give, ids within the target type.

    usual: the split that suits the format where the files give none. inverse: whether edges backwards are usual.
    """

    name: str
    counts: Mapping[str, int]
    edges: Mapping[Relation, Edges]
    source: str
    features: Mapping[str, Floats] = field(default_factory=dict)
    names: Mapping[str, list[str]] = field(default_factory=dict)
    target: str | None = None
    y: Ids | None = None
    classes: tuple[str, ...] = ()
    split: splits.Split | None = None
    usual: str = "random"
    inverse: bool = False
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()


def finish(raw: HeteroRaw, options: ImportOptions, limits: Limits, file: str) -> Reading:
    """1. Keep to the limits. 2. Drop repeats. 3. Add relations backwards. 4. Split. 5. Stitch."""
    no_more_than(sum(raw.counts.values()), limits.vertices, "vertices", file)
    no_more_than(sum(len(edges.src) for edges in raw.edges.values()), limits.arcs, "edges", file)
    no_more_than(len(raw.counts), limits.types, "types of vertices", file)
    no_more_than(len(raw.edges), limits.relations, "relations", file)
    once, repeats = _once(raw, options.drop_duplicates)
    wanted = raw.inverse if options.inverse is None else options.inverse
    edges, inverse = _with_inverses(once) if wanted else (once, {})
    data = _stitched(raw, edges, inverse, file)
    kept = "kept once" if options.drop_duplicates else "kept, as in the files"
    found = (
        *raw.checks,
        Check.of("Duplicate edges", repeats == 0, f"{repeats:,} repeated edges; {kept}", "no edge is repeated"),
        *([_backwards_check(inverse)] if inverse else []),
    )
    return Reading(_split(data, raw, options), found)


def short_names(names: list[str]) -> list[str]:
    """What follows the last # or / of each, where that alone tells them apart; else the whole name."""
    ends = [name.rstrip("/#").rsplit("#", 1)[-1].rsplit("/", 1)[-1] or name for name in names]
    once = {end for end, count in zip(*np.unique(ends, return_counts=True), strict=True) if count == 1} if ends else ()
    return [end if end in once else name for end, name in zip(ends, names, strict=True)]


def _once(raw: HeteroRaw, drop: bool) -> tuple[dict[Relation, Edges], int]:
    """The edges of each relation, each pair once where that is wanted, and how many repeats there were."""
    found, repeats = {}, 0
    for relation, edges in raw.edges.items():
        key = edges.src * max(raw.counts[relation.target], 1) + edges.dst
        first = np.sort(np.unique(key, return_index=True)[1])
        repeats += len(key) - len(first)
        found[relation] = edges.take(first) if drop and len(first) < len(key) else edges
    return found, repeats


def _with_inverses(edges: dict[Relation, Edges]) -> tuple[dict[Relation, Edges], dict[int, int]]:
    """Each relation's edges backwards as a relation of their own, behind all that were there."""
    found, inverse = dict(edges), {}
    for r, (relation, forth) in enumerate(edges.items()):
        back = Relation(relation.target, f"{BACKWARDS}{relation.name}", relation.source)
        if back not in found:
            inverse[r] = len(found)
            found[back] = forth.backwards()
    return found, inverse


def _backwards_check(inverse: Mapping[int, int]) -> Check:
    detail = f"{len(inverse):,} relations added that hold edges backwards, called {BACKWARDS}…"
    return Check(name="Inverse relations", state="passed", detail=detail)


def _stitched(raw: HeteroRaw, edges: dict[Relation, Edges], inverse: dict[int, int], file: str) -> HeteroData:
    """BadValue, naming the file, where parts do not fit."""
    names = [name for t in raw.counts for name in raw.names.get(t, ())]
    try:
        return stitch(
            raw.counts,
            {relation: (one.src, one.dst) for relation, one in edges.items()},
            name=raw.name,
            features=dict(raw.features),
            edge_features={relation: one.x for relation, one in edges.items() if one.x is not None},
            times=_joined([one.times for one in edges.values()]),
            edge_part=_joined([one.part for one in edges.values()]),
            target=raw.target,
            y=raw.y,
            classes=raw.classes,
            inverse=inverse,
            names=Names.of(names) if len(names) == sum(raw.counts.values()) else None,
            source=raw.source,
            notes=raw.notes,
        )
    except GraphInvalid as error:
        raise BadValue(error.what, error.remedy, file=file) from None


def _joined(parts: list[NDArray[np.generic] | None]) -> NDArray[np.generic] | None:
    """All of them one after the other; None where any relation has none."""
    there = [part for part in parts if part is not None]
    return np.concatenate(there) if there and len(there) == len(parts) else None


def _split(data: HeteroData, raw: HeteroRaw, options: ImportOptions) -> HeteroData:
    y = data.y
    if y is None or not (y >= 0).any() or options.split == "none":
        return data
    chosen = raw.split if options.split == "auto" else None
    if chosen is None:
        usual = raw.usual if options.split == "auto" else options.split
        chosen = (
            splits.per_class_all(y, options.labels_per_class, options.val_per_class, options.seed)
            if usual == "per_class"
            else splits.shares(np.flatnonzero(y >= 0), options.train_share, options.val_share, options.seed)
        )
    train, val, test = (_mask(ids, len(y)) for ids in chosen)
    return replace(data, train=train, val=val, test=test)


def _mask(ids: Ids, n: int) -> Mask:
    mask = np.zeros(n, bool)
    mask[ids] = True
    return mask

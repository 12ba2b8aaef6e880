"""What differs between two documents: nodes by id, wires by their ends, programs by name; positions do not count."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workers.core.model import ModelDoc, Node, Scalar, Wire

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class NodeChange:
    """A node that came, went or is set differently. `params` holds (before, after), None where a side has none."""

    id: str
    change: Change
    before: Node | None
    after: Node | None
    params: dict[str, tuple[Scalar | None, Scalar | None]]


@dataclass(frozen=True)
class ProgramChange:
    """A vertex program that came, went or reads differently; `diff` is unified text."""

    name: str
    change: Change
    diff: str


@dataclass(frozen=True)
class Comparison:
    """All differences; a wire is added or removed."""

    nodes: tuple[NodeChange, ...]
    wires: tuple[tuple[Change, Wire], ...]
    programs: tuple[ProgramChange, ...]


def compare(before: ModelDoc, after: ModelDoc) -> Comparison:
    """What turns `before` into `after`, in the order of `after`, removed parts last."""
    return Comparison(tuple(_nodes(before, after)), tuple(_wires(before, after)), tuple(_programs(before, after)))


def _nodes(before: ModelDoc, after: ModelDoc) -> Iterator[NodeChange]:
    old, new = {n.id: n for n in before.nodes}, {n.id: n for n in after.nodes}
    for node_id in dict.fromkeys([*new, *old]):
        a, b = old.get(node_id), new.get(node_id)
        if a is None or b is None or (a != b) or _params(a, b):
            yield NodeChange(node_id, _change(a, b), a, b, _params(a, b))


def _params(a: Node | None, b: Node | None) -> dict[str, tuple[Scalar | None, Scalar | None]]:
    if a is None or b is None:
        return {}
    names = dict.fromkeys([*a.params, *b.params])
    pairs = {n: (a.params.get(n), b.params.get(n)) for n in names}
    return {n: (x, y) for n, (x, y) in pairs.items() if (type(x), x) != (type(y), y)}


def _wires(before: ModelDoc, after: ModelDoc) -> Iterator[tuple[Change, Wire]]:
    old, new = dict.fromkeys(before.wires), dict.fromkeys(after.wires)
    yield from (("added", w) for w in new if w not in old)
    yield from (("removed", w) for w in old if w not in new)


def _programs(before: ModelDoc, after: ModelDoc) -> Iterator[ProgramChange]:
    old, new = {p.name: p.source for p in before.programs}, {p.name: p.source for p in after.programs}
    for name in dict.fromkeys([*new, *old]):
        a, b = old.get(name), new.get(name)
        if a != b:
            lines = difflib.unified_diff((a or "").splitlines(), (b or "").splitlines(), name, name, lineterm="")
            yield ProgramChange(name, _change(a, b), "\n".join(lines))


def _change(a: object, b: object) -> Change:
    return "added" if a is None else "removed" if b is None else "changed"

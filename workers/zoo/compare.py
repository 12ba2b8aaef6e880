"""What differs between two documents: nodes, groups and notes by id, wires by their ends, programs by name.

Positions do not count, nor whether a group is folded.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workers.core.model import Group, ModelDoc, Node, Note, Scalar, Wire

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
class GroupChange:
    """A group that came, went, or has another title or other members."""

    id: str
    change: Change
    before: Group | None
    after: Group | None


@dataclass(frozen=True)
class NoteChange:
    """A note that came, went or reads differently."""

    id: str
    change: Change
    before: Note | None
    after: Note | None


@dataclass(frozen=True)
class Comparison:
    """All differences; a wire is added or removed."""

    nodes: tuple[NodeChange, ...]
    wires: tuple[tuple[Change, Wire], ...]
    programs: tuple[ProgramChange, ...]
    groups: tuple[GroupChange, ...]
    notes: tuple[NoteChange, ...]

    @property
    def same(self) -> bool:
        return not (self.nodes or self.wires or self.programs or self.groups or self.notes)


def compare(before: ModelDoc, after: ModelDoc) -> Comparison:
    """What turns `before` into `after`, in the order of `after`, removed parts last."""
    return Comparison(
        tuple(_nodes(before, after)), tuple(_wires(before, after)), tuple(_programs(before, after)),
        tuple(_groups(before, after)), tuple(_notes(before, after)),
    )  # fmt: skip


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


def _groups(before: ModelDoc, after: ModelDoc) -> Iterator[GroupChange]:
    old, new = {g.id: g for g in before.groups}, {g.id: g for g in after.groups}
    for group_id in dict.fromkeys([*new, *old]):
        a, b = old.get(group_id), new.get(group_id)
        if a is None or b is None or (a.title, set(a.members)) != (b.title, set(b.members)):
            yield GroupChange(group_id, _change(a, b), a, b)


def _notes(before: ModelDoc, after: ModelDoc) -> Iterator[NoteChange]:
    old, new = {n.id: n for n in before.notes}, {n.id: n for n in after.notes}
    for note_id in dict.fromkeys([*new, *old]):
        a, b = old.get(note_id), new.get(note_id)
        if a is None or b is None or a.text != b.text:
            yield NoteChange(note_id, _change(a, b), a, b)


def _change(a: object, b: object) -> Change:
    return "added" if a is None else "removed" if b is None else "changed"

"""Do groups and notes hang together? They stop no run, so every fault is a warning and the canvas draws what it can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workers.core.model import Group, ModelDoc
from workers.core.problems import Problem


def grouping_problems(doc: ModelDoc) -> Iterator[Problem]:
    """Ids used twice, members that are not there, things in two groups, groups inside themselves."""
    yield from _ids(doc)
    yield from _members(doc)
    yield from _circles(doc)


def _ids(doc: ModelDoc) -> Iterator[Problem]:
    taken = {n.id for n in doc.nodes}
    drawn = [("group", group.id) for group in doc.groups] + [("note", note.id) for note in doc.notes]
    for what, item_id in drawn:
        if item_id in taken:
            message = f"The id {item_id} of a {what} is taken already."
            yield _warning(f"/{what}s/{item_id}", f"{what}.duplicate", message, "Give it another id.")
        taken.add(item_id)


def _members(doc: ModelDoc) -> Iterator[Problem]:
    there = {n.id for n in doc.nodes} | {n.id for n in doc.notes} | {g.id for g in doc.groups}
    counts = Counter(member for group in doc.groups for member in dict.fromkeys(group.members))
    for group in doc.groups:
        for member in dict.fromkeys(group.members):
            if member not in there:
                message = f"Group {_name(group)} names {member}, which is not there."
                yield _warning(f"/groups/{group.id}", "group.member", message, "Take it out of the group.")
    for member, count in counts.items():
        if count > 1:
            message = f"{member} is in {count} groups; the first one has it."
            yield _warning("/groups", "group.twice", message, "Keep it in one group.")


def _circles(doc: ModelDoc) -> Iterator[Problem]:
    parent: dict[str, str] = {}
    for group in doc.groups:
        for member in group.members:
            parent.setdefault(member, group.id)
    for group in doc.groups:
        if _above(group.id, parent):
            message = f"Group {_name(group)} is inside itself."
            yield _warning(f"/groups/{group.id}", "group.circle", message, "Ungroup it.")


def _above(start: str, parent: dict[str, str]) -> bool:
    """Is a group among the groups around it?"""
    seen, at = set[str](), parent.get(start)
    while at is not None and at not in seen:
        if at == start:
            return True
        seen.add(at)
        at = parent.get(at)
    return False


def _name(group: Group) -> str:
    return group.title or group.id


def _warning(pointer: str, code: str, message: str, hint: str) -> Problem:
    return Problem(pointer=pointer, code=code, message=message, hint=hint, severity="warning")

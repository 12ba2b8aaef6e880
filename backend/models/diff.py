"""Differences of two documents, for the API."""

from __future__ import annotations

from backend.models.schemas import (
    GroupDifference,
    ModelDiff,
    NodeDifference,
    NoteDifference,
    ParamChange,
    ProgramDifference,
    WireDifference,
)
from workers.core.model import ModelDoc
from workers.zoo.compare import GroupChange, NodeChange, NoteChange, compare


def compared(before: str, after: str, old: ModelDoc, new: ModelDoc) -> ModelDiff:
    """What differs between the documents of two states, named by what the caller asked for."""
    found = compare(old, new)
    return ModelDiff(
        before=before,
        after=after,
        same=found.same,
        nodes=[_node(n) for n in found.nodes],
        wires=[WireDifference(change=change, wire=wire) for change, wire in found.wires],
        programs=[ProgramDifference(name=p.name, change=p.change, diff=p.diff) for p in found.programs],
        groups=[_group(g) for g in found.groups],
        notes=[_note(n) for n in found.notes],
    )


def _node(found: NodeChange) -> NodeDifference:
    return NodeDifference(
        id=found.id,
        change=found.change,
        type_before=found.before.type if found.before else None,
        type_after=found.after.type if found.after else None,
        params={name: ParamChange(before=a, after=b) for name, (a, b) in found.params.items()},
    )


def _group(found: GroupChange) -> GroupDifference:
    before, after = found.before, found.after
    old, new = (before.members if before else ()), (after.members if after else ())
    return GroupDifference(
        id=found.id,
        change=found.change,
        title_before=before.title if before else None,
        title_after=after.title if after else None,
        joined=[m for m in new if m not in old],
        left=[m for m in old if m not in new],
    )


def _note(found: NoteChange) -> NoteDifference:
    return NoteDifference(
        id=found.id,
        change=found.change,
        text_before=found.before.text if found.before else None,
        text_after=found.after.text if found.after else None,
    )

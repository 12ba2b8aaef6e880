"""Differences of two documents, for the API."""

from __future__ import annotations

from backend.models.schemas import ModelDiff, NodeDifference, ParamChange, ProgramDifference, WireDifference
from workers.core.model import ModelDoc
from workers.zoo.compare import NodeChange, compare


def compared(before: str, after: str, old: ModelDoc, new: ModelDoc) -> ModelDiff:
    """What differs between the documents of two states, named by what the caller asked for."""
    found = compare(old, new)
    return ModelDiff(
        before=before,
        after=after,
        same=not (found.nodes or found.wires or found.programs),
        nodes=[_node(n) for n in found.nodes],
        wires=[WireDifference(change=change, wire=wire) for change, wire in found.wires],
        programs=[ProgramDifference(name=p.name, change=p.change, diff=p.diff) for p in found.programs],
    )


def _node(found: NodeChange) -> NodeDifference:
    return NodeDifference(
        id=found.id,
        change=found.change,
        type_before=found.before.type if found.before else None,
        type_after=found.after.type if found.after else None,
        params={name: ParamChange(before=a, after=b) for name, (a, b) in found.params.items()},
    )

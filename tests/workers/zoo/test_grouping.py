"""Faults of groups and notes are named, and none of them stops a run."""

from __future__ import annotations

import pytest

from tests.workers.zoo.documents import codes, doc, node
from workers.core.model import Group, ModelDoc, Note
from workers.zoo.validate import validate

SOUND = doc([node("input"), node("gcn"), node("output")], ["input.h > gcn.x", "gcn.y > output.x"])


def with_groups(*groups: Group, notes: tuple[Note, ...] = ()) -> ModelDoc:
    return SOUND.model_copy(update={"groups": groups, "notes": notes})


def box(group_id: str, *members: str) -> Group:
    return Group(id=group_id, members=members)


def test_nested_groups_and_notes_are_no_problem() -> None:
    document = with_groups(box("outer", "inner", "why"), box("inner", "gcn"), notes=(Note(id="why"),))
    assert codes(document) == []


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (with_groups(box("gcn")), "group.duplicate"),
        (with_groups(notes=(Note(id="gcn"),)), "note.duplicate"),
        (with_groups(box("a", "gone")), "group.member"),
        (with_groups(box("a", "gcn"), box("b", "gcn")), "group.twice"),
        (with_groups(box("a", "a")), "group.circle"),
    ],
)
def test_a_fault_is_a_warning_and_the_model_still_trains(document: ModelDoc, code: str) -> None:
    found = validate(document)
    assert [(p.code, p.severity) for p in found.problems] == [(code, "warning")]
    assert found.ok
    assert found.parameters is None or found.parameters > 0


def test_groups_around_each_other_are_named_one_by_one() -> None:
    document = with_groups(box("a", "b"), box("b", "a"))
    assert [p.pointer for p in validate(document).problems] == ["/groups/a", "/groups/b"]

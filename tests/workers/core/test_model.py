"""The document: one form for one value, and what does not belong to it is refused with a reason."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from workers.core.model import LONGEST_TEXT, Group, ModelDoc, Node, Note, Position, canonical_json, content_hash


def test_a_whole_number_has_one_form_however_it_was_written() -> None:
    texts = [f'{{"nodes":[{{"id":"a","type":"gcn","params":{{"p":{n}}}}}]}}' for n in ("2", "2.0", "20e-1")]
    assert len({content_hash(ModelDoc.model_validate_json(t)) for t in texts}) == 1


def test_true_is_not_one() -> None:
    assert content_hash(_with(True)) != content_hash(_with(1))


def test_moving_a_node_changes_no_hash() -> None:
    moved = ModelDoc(nodes=_with(1).nodes, layout={"a": Position(x=3, y=4)})
    assert content_hash(moved) == content_hash(_with(1))


def test_groups_and_notes_change_no_hash() -> None:
    drawn = ModelDoc(
        nodes=_with(1).nodes, groups=(Group(id="box", members=("a",)),), notes=(Note(id="note", text="why"),)
    )
    assert content_hash(drawn) == content_hash(_with(1))


@pytest.mark.parametrize("note", [{"width": 20}, {"text": "x" * 4001}, {"id": "1"}])
def test_a_note_of_no_use_is_refused(note: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ModelDoc.model_validate({"notes": [{"id": "note", **note}]})


def test_keys_are_sorted_and_text_is_utf8() -> None:
    assert canonical_json({"b": "ü", "a": 1}) == '{"a":1,"b":"ü"}'.encode()


@pytest.mark.parametrize("value", [None, [1], float("nan"), float("inf"), "x" * (LONGEST_TEXT + 1), 10**400])
def test_a_setting_is_a_number_a_truth_value_or_a_short_text(value: object) -> None:
    with pytest.raises(ValidationError, match="a setting is a finite number"):
        Node(id="a", type="gcn", params={"p": value})


def test_a_later_version_of_the_format_is_refused_by_number() -> None:
    with pytest.raises(ValidationError, match="schema_version 1, got 2"):
        ModelDoc(schema_version=2)


def test_a_field_nobody_knows_is_refused_rather_than_lost() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        ModelDoc.model_validate({"nodes": [], "edges": []})


def _with(value: bool | int) -> ModelDoc:
    return ModelDoc(nodes=(Node(id="a", type="gcn", params={"p": value}),))

"""Differences of documents."""

from __future__ import annotations

from hypothesis import given, settings

from tests.workers.zoo.documents import doc, node, random_docs
from workers.core.model import Group, ModelDoc, Note, Position
from workers.zoo.compare import compare


def test_what_came_went_and_changed_is_told_apart() -> None:
    old = doc([node("a:gcn", out_features=4, bias=True), node("b:gcn")], ["a.y > b.x"], {"f": "one\ntwo\n"})
    new = doc([node("a:gcn", out_features=8, bias=True), node("c:gcn")], ["a.y > c.x"], {"f": "one\nthree\n"})
    found = compare(old, new)
    assert [(n.id, n.change) for n in found.nodes] == [("a", "changed"), ("c", "added"), ("b", "removed")]
    assert found.nodes[0].params == {"out_features": (4, 8)}
    assert [(change, w.target.node) for change, w in found.wires] == [("added", "c"), ("removed", "b")]
    assert "-two\n+three" in found.programs[0].diff


def test_true_and_one_are_different_settings() -> None:
    found = compare(doc([node("a:gcn", bias=True)], []), doc([node("a:gcn", bias=1)], []))
    assert found.nodes[0].params == {"bias": (True, 1)}


def test_moving_is_no_difference() -> None:
    still = doc([node("a:gcn")], [])
    moved = still.model_copy(update={"layout": {"a": Position(x=1, y=2)}})
    assert compare(still, moved) == compare(still, still)


def test_groups_and_notes_are_differences_but_folding_a_group_is_none() -> None:
    plain = doc([node("a:gcn"), node("b:gcn")], [])
    box = Group(id="box", title="Encoder", members=("a", "b"))
    old = plain.model_copy(update={"groups": (box,), "notes": (Note(id="why", text="one"),)})
    folded = old.model_copy(update={"groups": (box.model_copy(update={"collapsed": True}),)})
    assert compare(old, folded).same
    new = old.model_copy(update={"groups": (box.model_copy(update={"members": ("a",)}),), "notes": ()})
    found = compare(old, new)
    assert [(g.id, g.change) for g in found.groups] == [("box", "changed")]
    assert [(n.id, n.change) for n in found.notes] == [("why", "removed")]
    assert [g.change for g in compare(plain, old).groups] == ["added"]


@settings(max_examples=100, deadline=None)
@given(random_docs, random_docs)
def test_a_document_differs_from_itself_in_nothing_and_both_ways_in_the_same_places(a: ModelDoc, b: ModelDoc) -> None:
    same = compare(a, a)
    assert same.same
    assert {n.id for n in compare(a, b).nodes} == {n.id for n in compare(b, a).nodes}

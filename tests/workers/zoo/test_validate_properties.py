"""What holds of every document, however odd."""

from __future__ import annotations

from hypothesis import given, settings

from tests.workers.zoo.documents import random_docs, random_infos
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc, canonical_json, content_hash
from workers.zoo.validate import validate


@settings(max_examples=100, deadline=None)
@given(random_docs, random_infos)
def test_validation_never_raises_and_always_says_the_same(doc: ModelDoc, info: DatasetInfo | None) -> None:
    first, second = validate(doc, info), validate(doc, info)
    assert first.problems == second.problems
    assert first.order == second.order


@settings(max_examples=100, deadline=None)
@given(random_docs, random_infos)
def test_every_problem_says_what_where_and_how_badly(doc: ModelDoc, info: DatasetInfo | None) -> None:
    ids = {n.id for n in doc.nodes}
    for problem in validate(doc, info).problems:
        assert problem.message
        assert problem.severity in ("error", "warning")
        assert problem.node_id is None or problem.node_id in ids
        assert problem.pointer.split("/")[1] in ("nodes", "wires", "programs", "groups", "notes")


@settings(max_examples=100, deadline=None)
@given(random_docs, random_infos)
def test_a_sound_model_gives_a_step_for_every_used_node_after_those_that_feed_it(
    doc: ModelDoc, info: DatasetInfo | None
) -> None:
    found = validate(doc, info)
    place = {node_id: i for i, node_id in enumerate(found.order)}
    for step in found.steps:
        assert all(place[end.node] < place[step.node.id] for ends in step.sources.values() for end in ends)
    if found.ok:
        assert found.used <= place.keys()


@settings(max_examples=200, deadline=None)
@given(random_docs)
def test_a_document_comes_back_from_json_byte_for_byte(doc: ModelDoc) -> None:
    text = canonical_json(doc.model_dump(mode="json"))
    again = ModelDoc.model_validate_json(text)
    assert canonical_json(again.model_dump(mode="json")) == text
    assert content_hash(again) == content_hash(doc)


@settings(max_examples=200, deadline=None)
@given(random_docs)
def test_changing_a_layer_or_a_setting_keeps_every_wire(doc: ModelDoc) -> None:
    nodes = tuple(n.model_copy(update={"type": "gone", "params": {}}) for n in doc.nodes)
    changed = doc.model_copy(update={"nodes": nodes})
    validate(changed)
    again = ModelDoc.model_validate_json(canonical_json(changed.model_dump(mode="json")))
    assert again.wires == doc.wires

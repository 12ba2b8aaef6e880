"""Document to text to document, and text to document to text: nothing is lost on the way."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workers.zoo.code.documents import documents, nodes
from workers.core.model import Endpoint, ModelDoc, Wire, content_hash
from workers.zoo.code.convert import to_code, to_document
from workers.zoo.code.names import meant
from workers.zoo.code.read import read_text
from workers.zoo.code.write import write_model
from workers.zoo.templates import TEMPLATES

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def plain(doc: ModelDoc) -> ModelDoc:
    return doc.model_copy(update={"code": ""})


def bare(doc: ModelDoc) -> object:
    """What a document says, without orders that mean nothing and settings at their default."""
    ports = {w.target for w in doc.wires}
    return (
        sorted((n.id, n.type, n.title, sorted(map(repr, meant(n.type, dict(n.params)).items()))) for n in doc.nodes),
        {t: [w.source for w in doc.wires if w.target == t] for t in ports},
        sorted((p.name, p.source) for p in doc.programs),
        sorted(map(repr, doc.groups)),
        sorted(map(repr, doc.notes)),
    )


@settings(max_examples=500, deadline=None, suppress_health_check=SLOW)
@given(documents())
def test_document_to_code_to_document(doc: ModelDoc) -> None:
    """From the text alone comes all it says; with the document it came from, everything, order and hash included."""
    code = write_model(doc)
    alone = to_document(code, ModelDoc())
    assert alone.doc is not None, alone.problems
    assert bare(alone.doc) == bare(doc)
    again = to_document(code, doc).doc
    assert again is not None
    assert plain(again) == doc
    assert content_hash(again) == content_hash(doc)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(documents())
def test_formatted_code_to_document_to_code_is_the_identity(doc: ModelDoc) -> None:
    code = write_model(doc)
    found = to_document(code, ModelDoc()).doc
    assert found is not None
    assert to_code(found).code == code
    assert write_model(plain(to_document(code, plain(doc)).doc or doc)) == code


@st.composite
def commented(draw: st.DrawFn) -> tuple[ModelDoc, str]:
    """A document whose author wrote comments and blank lines into its text."""
    doc = draw(documents())
    lines = write_model(doc).split("\n")
    start = next(i for i, line in enumerate(lines) if line == "def model():" and "# %% program" not in line)
    starts = [i for i in range(len(lines) - 1) if re.match(r"    \S", lines[i]) and i > start]
    out, number = [], 0
    for i, line in enumerate(lines):
        if i in starts and not line.startswith("    )") and draw(st.booleans()):
            number += 1
            out += ["", f"    # remark {number}"] if draw(st.booleans()) else [f"    # remark {number}"]
        out.append(line)
    return doc, "\n".join(out)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(commented())
def test_comments_and_blank_lines_stay_to_the_last_character(given_: tuple[ModelDoc, str]) -> None:
    doc, code = given_
    found = to_document(code, doc)
    assert found.doc is not None, found.problems
    assert plain(found.doc) == doc
    assert to_code(found.doc).code == code


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(commented(), st.data())
def test_an_edit_of_the_document_leaves_other_statements_as_they_are(
    given_: tuple[ModelDoc, str], data: st.DataObject
) -> None:
    """Settings, titles, wires, nodes that come and go: the text says the new document and keeps the rest."""
    doc, code = given_
    start = to_document(code, doc).doc
    assert start is not None
    changed = data.draw(edits(start))
    found = to_code(changed)
    assert found.doc is not None
    said = to_document(found.code, plain(changed)).doc
    assert said is not None, (code, found.code)
    assert plain(said) == plain(changed)
    same = {n.id for n in doc.nodes} & {n.id for n in changed.nodes if n in doc.nodes}
    same -= {w.target.node for w in set(doc.wires) ^ set(changed.wires)}
    before, after = _statements(code), _statements(found.code)
    assert {k: before[k] for k in same if k in before} == {k: after.get(k) for k in same if k in before}
    if set(_statements(code)) <= set(after) and set(doc.wires) <= set(changed.wires):
        assert set(re.findall(r"# remark \d+", code)) == set(re.findall(r"# remark \d+", found.code))


def _statements(code: str) -> dict[str, str]:
    read = read_text(code)
    assert read.model is not None
    lines = code[read.model.body : read.model.end].split("\n")
    return {
        s.key: "\n".join(lines[s.statement.lineno - 1 : s.statement.end_lineno])
        for s in read.statements
        if s.kind == "node"
    }


@st.composite
def edits(draw: st.DrawFn, doc: ModelDoc) -> ModelDoc:
    """A few changes a canvas makes."""
    for _ in range(draw(st.integers(1, 4))):
        ids = [n.id for n in doc.nodes]
        what = draw(st.sampled_from(["param", "title", "drop", "add", "wire", "unwire"]))
        if what == "add":
            fresh = draw(nodes(draw(st.sampled_from(["fresh", "fresh_2", "fresh-3"]))))
            if fresh.id not in {*ids, *(g.id for g in doc.groups), *(n.id for n in doc.notes)}:
                doc = doc.model_copy(update={"nodes": (*doc.nodes, fresh)})
        elif what == "unwire" and doc.wires:
            gone = draw(st.sampled_from(doc.wires))
            doc = doc.model_copy(update={"wires": tuple(w for w in doc.wires if w != gone)})
        elif ids and what == "drop":
            gone_id = draw(st.sampled_from(ids))
            kept = tuple(w for w in doc.wires if gone_id not in (w.source.node, w.target.node))
            nodes_left = tuple(n for n in doc.nodes if n.id != gone_id)
            layout = {k: v for k, v in doc.layout.items() if k != gone_id}
            doc = doc.model_copy(update={"nodes": nodes_left, "wires": kept, "layout": layout})
        elif ids and what == "wire":
            a, b = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
            wire = Wire(source=Endpoint(node=a, port="y"), target=Endpoint(node=b, port="x"))
            doc = doc if wire in doc.wires else doc.model_copy(update={"wires": (*doc.wires, wire)})
        elif ids:
            at = draw(st.integers(0, len(ids) - 1))
            node = doc.nodes[at]
            change = {"title": "named"} if what == "title" else {"params": {**node.params, "out_features": 7}}
            doc = doc.model_copy(
                update={"nodes": (*doc.nodes[:at], node.model_copy(update=change), *doc.nodes[at + 1 :])}
            )
    return doc


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_every_template_comes_back(name: str) -> None:
    doc = TEMPLATES[name].doc
    assert plain(to_document(write_model(doc), doc).doc or ModelDoc()) == doc
    assert bare(to_document(write_model(doc), ModelDoc()).doc or ModelDoc()) == bare(doc)

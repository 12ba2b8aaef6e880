"""Edits of a drawing are edits of the text, and of nothing else in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from workers.compiler.faults import LanguageError
from workers.compiler.program_graph.edit import ProgramEdit
from workers.compiler.program_graph.edits import Edited, edit_program
from workers.compiler.program_graph.read import read_graph
from workers.zoo.reading import zoo_source

EDITS: TypeAdapter[list[ProgramEdit]] = TypeAdapter(list[ProgramEdit])

COMMENTED = '''"""What it is for."""


def f(v: Vertex(h="in"), weight: Param("in, out"), *, out=16, p=0.5):
    # once a vertex
    v.z = v.h   @   weight  # wide on purpose
    # the sum
    y = sum(nb.z for nb in v.innbs)

    return dropout(y, p)  # the end
'''


def edited(text: str, *edits: dict[str, Any]) -> Edited:
    return edit_program(text, EDITS.validate_python(list(edits)))


def body(text: str, *edits: dict[str, Any]) -> list[str]:
    """Lines that are new."""
    return [line for line in edited(text, *edits).text.splitlines() if line not in text.splitlines()]


CASES: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"edit": "set_argument", "node": "return/0", "argument": 1, "text": "0.2"},
        ["    return dropout(y, 0.2)  # the end"],
    ),
    (
        {"edit": "insert_op", "node": "y", "argument": 0, "op": "relu"},
        ["    y = sum(relu([nb.z for nb in v.innbs]))"],
    ),
    ({"edit": "set_op", "node": "y", "op": "mean"}, ["    y = mean(nb.z for nb in v.innbs)"]),
    ({"edit": "delete", "node": "v.z"}, ["    v.z = v.h  # wide on purpose"]),
    ({"edit": "delete", "node": "return/0"}, ["    return y  # the end"]),
    ({"edit": "remove_argument", "node": "return/0", "argument": 1}, ["    return dropout(y)  # the end"]),
    (
        {"edit": "rename", "node": "v.z", "name": "wide"},
        ["    v.wide = v.h   @   weight  # wide on purpose", "    y = sum(nb.wide for nb in v.innbs)"],
    ),
    (
        {"edit": "rename", "node": "out", "name": "width"},
        ['def f(v: Vertex(h="in"), weight: Param("in, width"), *, width=16, p=0.5):'],
    ),
    (
        {"edit": "declare", "what": "constant", "name": "p", "default": 0.1},
        ['def f(v: Vertex(h="in"), weight: Param("in, out"), *, out=16, p=0.1):'],
    ),
    (
        {"edit": "declare", "what": "parameter", "name": "b", "shape": "out", "init": "ones"},
        ['def f(v: Vertex(h="in"), weight: Param("in, out"), b: Param("out", init="ones"), *, out=16, p=0.5):'],
    ),
    (
        {"edit": "declare", "what": "edge_feature", "name": "w", "shape": ""},
        ['def f(v: Vertex(h="in", edges=Edge(w="")), weight: Param("in, out"), *, out=16, p=0.5):'],
    ),
    (
        {"edit": "add_op", "op": "max", "operands": [{"node": "v.h", "place": "source"}], "name": "v.top"},
        ["    v.top = max([nb.h for nb in v.innbs])"],
    ),
    (
        {"edit": "rewire", "node": "y", "argument": 0, "operand": {"text": "nb.h for nb in v.innbs"}},
        ["    y = sum(nb.h for nb in v.innbs)"],
    ),
    (
        {"edit": "rewire", "node": "return/0", "argument": 0, "operand": {"node": "v.z"}},
        ["    return dropout(v.z, p)  # the end"],
    ),
]


@pytest.mark.parametrize(("edit", "lines"), CASES)
def test_an_edit_changes_its_line_only(edit: dict[str, Any], lines: list[str]) -> None:
    assert body(COMMENTED, edit) == lines


@pytest.mark.parametrize(("edit", "lines"), CASES)
def test_comments_survive(edit: dict[str, Any], lines: list[str]) -> None:
    text = edited(COMMENTED, edit).text
    for comment in (
        "# once a vertex\n",
        "# wide on purpose\n",
        "# the sum\n",
        "# the end\n",
        '"""What it is for."""\n',
    ):
        assert comment in text


def test_a_value_without_a_name_gets_one_to_be_read_elsewhere() -> None:
    edit = {"edit": "rewire", "node": "y/0", "argument": 1, "operand": {"node": "v.z/0", "place": "source"}}
    lines = body(zoo_source("gat"), edit)
    assert lines == [
        "    y_2 = v.h @ weight",
        "    v.z = reshape(y_2, heads, out)",
        "    v.y_2 = y_2",
        "    y = sum(a * nb.y_2 for a, nb in zip(alpha, v.innbs))",
    ]
    assert read_graph(edited(zoo_source("gat"), edit).text).problems == ()


def test_a_list_is_gone_through_beside_the_neighbours() -> None:
    found = body(zoo_source("gat"), {"edit": "name_value", "node": "y/0", "name": "weighted"})
    assert found == [
        "    weighted = [a * nb.z for a, nb in zip(alpha, v.innbs)]",
        "    y = sum(w for a, nb, w in zip(alpha, v.innbs, weighted))",
    ]


def test_an_operation_cannot_read_itself() -> None:
    with pytest.raises(LanguageError, match="reads a part"):
        edited(zoo_source("gat"), {"edit": "rewire", "node": "y/0", "argument": 0, "operand": {"node": "y/0"}})


def test_what_is_read_is_not_taken_away() -> None:
    with pytest.raises(LanguageError, match=r"sum is read by|y is read by"):
        edited(COMMENTED, {"edit": "delete", "node": "y"})
    with pytest.raises(LanguageError, match=r"weight is read by v\.z"):
        edited(COMMENTED, {"edit": "delete", "node": "weight"})


def test_a_declaration_nothing_reads_goes() -> None:
    text = COMMENTED.replace("dropout(y, p)", "y")
    assert body(text, {"edit": "delete", "node": "p"}) == [
        'def f(v: Vertex(h="in"), weight: Param("in, out"), *, out=16):'
    ]


def test_a_word_of_the_language_is_no_name() -> None:
    for name in ("degree", "for", "weight"):
        with pytest.raises(LanguageError):
            edited(COMMENTED, {"edit": "rename", "node": "y", "name": name})


def test_an_edit_that_would_break_the_text_is_refused() -> None:
    with pytest.raises(LanguageError, match="no expression"):
        edited(COMMENTED, {"edit": "set_argument", "node": "return/0", "argument": 1, "text": "0.2)"})


def test_lines_of_a_long_signature_stay_lines() -> None:
    lines = body(zoo_source("gat"), {"edit": "declare", "what": "constant", "name": "temper", "default": 1.5})
    assert lines == ["    temper=1.5,"]


def test_a_degree_is_a_word_of_the_language_and_has_no_other_name() -> None:
    nodes = {n.id: n for n in read_graph(zoo_source("pna")).sketch.nodes}
    assert nodes["v.degree"].can == []


NAMES = ["gcn", "gat", "gatv2", "sage", "gin", "appnp", "monet", "pna", "edgegate", "tgcn", "transformer", "tag"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_any_operand_can_be_typed_over_and_back(name: str, random: Any) -> None:
    """An edit and its opposite leave the text as it was, to the last character."""
    text = zoo_source(name)
    sketch = read_graph(text).sketch
    places = [
        (n.id, i, a.text) for n in sketch.nodes for i, a in enumerate(n.arguments) if a.kind == "literal" and a.editable
    ]
    node, argument, old = random.choice(places)
    there = edited(text, {"edit": "set_argument", "node": node, "argument": argument, "text": "7"}).text
    back = edited(there, {"edit": "set_argument", "node": node, "argument": argument, "text": old}).text
    assert back.replace("(", "").replace(")", "") == text.replace("(", "").replace(")", "")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_any_name_can_be_changed_and_changed_back(name: str, random: Any) -> None:
    text = zoo_source(name)
    nodes = [n for n in read_graph(text).sketch.nodes if n.name and "rename" in n.can]
    node = random.choice(nodes)
    there = edited(text, {"edit": "rename", "node": node.id, "name": "other_name"})
    assert there.reading.problems == ()
    assert there.focus is not None
    old = (node.name or "").removeprefix("v.").removeprefix("e.")
    back = next(n for n in there.reading.nodes.values() if (n.name or "").endswith("other_name"))
    assert edited(there.text, {"edit": "rename", "node": back.id, "name": old}).text == text


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_an_operation_put_around_an_operand_and_taken_away_leaves_the_text(name: str, random: Any) -> None:
    text = zoo_source(name)
    nodes = [n for n in read_graph(text).sketch.nodes if n.kind in ("op", "choice", "result")]
    wired = [(n.id, i) for n in nodes for i, a in enumerate(n.arguments) if a.editable and a.kind == "wire"]
    node, argument = random.choice(wired)
    there = edited(text, {"edit": "insert_op", "node": node, "argument": argument, "op": "relu"})
    assert there.reading.functions
    comments = [line.strip() for line in text.splitlines() if line.strip().startswith("#")]
    assert all(c in there.text for c in comments)

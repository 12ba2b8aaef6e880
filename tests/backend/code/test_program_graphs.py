"""Vertex programs as graphs and edits of them, over HTTP."""

from __future__ import annotations

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.code import programs
from workers.compiler.program_graph.vocabulary import INFIX, PREFIX
from workers.zoo.reading import zoo_source

GRAPHS, EDITS, OPS = "/api/v1/program-graphs", "/api/v1/program-edits", "/api/v1/program-ops"
SOURCE = 'def f(v: Vertex(h="in"), w: Param("in, out"), *, out=4):\n    # once\n    return relu(v.h @ w)\n'


def test_a_program_is_drawn_with_shapes(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.post(GRAPHS, json={"source": SOURCE, "bindings": {"in": 3}}).json()
    assert [n["id"] for n in found["nodes"]] == ["v.h", "w", "out", "return/0/0", "return/0", "return"]
    assert found["nodes"][3]["value"]["shape"] == [4]
    assert found["problems"] == []


def test_a_broken_text_is_no_error_of_the_request(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(GRAPHS, json={"source": "def f("})
    assert answer.status_code == 200
    assert answer.json()["nodes"] == []
    assert answer.json()["problems"][0]["line"] == 1


def test_an_edit_gives_the_new_text_and_what_to_look_at(sqlite_api: httpx.Client) -> None:
    edit = {"edit": "set_op", "node": "return/0", "op": "elu"}
    found = sqlite_api.post(EDITS, json={"source": SOURCE, "edits": [edit]}).json()
    assert found["source"] == SOURCE.replace("relu", "elu")
    assert found["focus"] == "return/0"


def test_an_impossible_edit_says_why(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(EDITS, json={"source": SOURCE, "edits": [{"edit": "delete", "node": "w"}]})
    assert answer.status_code == 422
    assert answer.json()["code"] == "edit_impossible"
    assert "read by" in answer.json()["detail"]


def test_every_operation_offered_can_be_written(sqlite_api: httpx.Client) -> None:
    items = sqlite_api.get(OPS).json()["items"]
    assert {i["op"] for i in items} >= {"add", "matmul", "relu", "softmax", "sum"}
    for item in items:
        operands = [{"node": "v.h", "place": "source"}, *({"text": "w"} for _ in item["operands"][1:])]
        if item["op"] not in INFIX and item["op"] not in PREFIX:
            edit = {"edit": "add_op", "op": item["op"], "operands": operands}
            answer = sqlite_api.post(EDITS, json={"source": SOURCE, "edits": [edit]})
            assert answer.status_code == 200, (item, answer.text)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_text_breaks_the_drawing(data: st.DataObject) -> None:
    """Any stretch of a program replaced by anything is drawn, or told as a problem."""
    text = zoo_source(data.draw(st.sampled_from(["gat", "appnp", "tgcn", "sage"])))
    start = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.sampled_from(["", "(", "\t", "v.", "lambda x: x", "{", "for nb in", "é", "[", "*", "\n"]))
    broken = text[:start] + junk + text[start + data.draw(st.integers(0, 12)) :]
    found = programs.graph(broken, {})
    assert found.nodes or found.problems

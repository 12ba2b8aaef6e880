"""Models as text and text as models, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from workers.core.model import ModelDoc
from workers.zoo.templates import TEMPLATES

CONVERT = "/api/v1/code-conversions"
GCN = TEMPLATES["gcn"].doc.model_dump(mode="json")


def convert(api: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = api.post(CONVERT, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_model_is_written_and_read(sqlite_api: httpx.Client) -> None:
    code = convert(sqlite_api, to="code", doc=GCN)["code"]
    assert "gcn1 = gcn(dropout1, out_features=16)" in code
    found = convert(sqlite_api, to="document", doc=GCN, code=code)
    assert found["problems"] == []
    assert ModelDoc(**{**found["doc"], "code": ""}) == TEMPLATES["gcn"].doc
    assert [(p["id"], p["span"]["line"]) for p in found["places"]][:2] == [("input", 2), ("dropout1", 3)]


def test_e30_comments_survive_and_moving_a_node_leaves_the_text(sqlite_api: httpx.Client) -> None:
    code = convert(sqlite_api, to="code", doc=GCN)["code"].replace("    gcn1", "    # the first hop\n    gcn1")
    doc = convert(sqlite_api, to="document", doc=GCN, code=code)["doc"]
    doc["layout"] = {"gcn1": {"x": 40, "y": 80}}
    assert convert(sqlite_api, to="code", doc=doc)["code"] == code
    changed = code.replace("out_features=16", "out_features=32")
    found = convert(sqlite_api, to="document", doc=doc, code=changed)["doc"]
    assert next(n for n in found["nodes"] if n["id"] == "gcn1")["params"]["out_features"] == 32
    assert found["layout"] == doc["layout"]
    found["nodes"] = [n | {"title": "First"} if n["id"] == "gcn1" else n for n in found["nodes"]]
    assert convert(sqlite_api, to="code", doc=found)["code"] == changed.replace("=32)", '=32, title="First")')


def test_a_fault_has_a_line_and_a_node_and_leaves_no_document(sqlite_api: httpx.Client) -> None:
    code = "def model():\n    x = input()\n    y = gcn(z, out_features=4)\n    for i in range(3):\n        pass\n"
    found = convert(sqlite_api, to="document", doc=GCN, code=code)
    assert found["doc"] is None
    assert [(p["line"], p["column"], p["node_id"]) for p in found["problems"]] == [(4, 5, None), (3, 13, "y")]
    again = convert(sqlite_api, to="code", doc={**GCN, "code": code})
    assert (again["doc"], again["code"]) == (None, code)
    assert again["problems"] == found["problems"]


def test_a_value_no_document_can_hold_is_told_at_its_line(sqlite_api: httpx.Client) -> None:
    code = f'def model():\n    x = input()\n    y = gcn(x, title="{"t" * 90}")\n'
    found = convert(sqlite_api, to="document", doc=GCN, code=code)
    assert [(p["line"], p["node_id"]) for p in found["problems"]] == [(3, "y")]


def test_what_is_unknown_becomes_a_node_that_says_so(sqlite_api: httpx.Client) -> None:
    code = "def model():\n    x = input()\n    y = torch.relu(x, alpha=2)\n    return output(y)\n"
    found = convert(sqlite_api, to="document", doc=GCN, code=code)["doc"]
    assert [(n["id"], n["type"]) for n in found["nodes"] if n["id"] == "y"] == [("y", "torch.relu")]
    assert {"node": "y", "port": "y"} in [w["source"] for w in found["wires"]]


def test_a_program_nobody_can_read_does_not_hide_the_model(sqlite_api: httpx.Client) -> None:
    code = "# %% program mine\ndef mine(v:\n\n\n# %% model\ndef model():\n    x = input()\n"
    found = convert(sqlite_api, to="document", doc=GCN, code=code)["doc"]
    assert [(p["name"], p["source"]) for p in found["programs"]] == [("mine", "def mine(v:\n")]

"""What becomes of a vertex program, over HTTP: nothing of it is run, and nothing in it breaks the server."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.catalog.compiling import compilation
from tests.workers.zoo.documents import wire
from workers.compiler.text import parse_ir
from workers.core.model import ModelDoc
from workers.zoo.layers import LAYERS
from workers.zoo.reading import zoo_source
from workers.zoo.templates import TEMPLATES, chain

COMPILE, LAYER = "/api/v1/programs/compile", "/api/v1/layers/compile"
GAT = {"source": zoo_source("gat"), "bindings": {"in": 16, "joined": 64}}


def post(api: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = api.post(path, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def written(span: dict[str, int]) -> str:
    """What stands at a place of the program, on one line."""
    assert span["line"] == span["end_line"]
    return str(GAT["source"]).splitlines()[span["line"] - 1][span["column"] - 1 : span["end_column"] - 1]


def test_a_program_is_shown_before_and_after_with_its_kernels(sqlite_api: httpx.Client) -> None:
    found = post(sqlite_api, COMPILE, GAT)
    assert found["problems"] == []
    before = parse_ir(found["before"])
    assert [v.op for v in before.values].count("edge_softmax") == 1
    assert len(found["places_before"]) == len(before.values)
    assert len(found["places_after"]) == len(parse_ir(found["after"]).values)
    assert all(len(s["places"]) == len(parse_ir(s["ir"]).values) for s in found["stages"])
    softmax = next(v for v in before.values if v.op == "edge_softmax")
    assert written(found["spans"][found["places_before"][softmax.id]]) == "softmax(scores)"
    for kernel in found["kernels"]:
        assert [parse_ir(found["after"])[i].op for i in kernel["values"]] == kernel["fused_from"]
    assert {k["direction"] for k in found["kernels"]} == {"forward", "backward"}
    generated = [k for k in found["kernels"] if k["source"]]
    assert all(k["fused_from"] for k in found["kernels"])
    assert any("max_edges" in k["fused_from"] and k["lines"] for k in generated)


def test_what_a_program_declares_is_told(sqlite_api: httpx.Client) -> None:
    declares = post(sqlite_api, COMPILE, GAT)["declares"]
    assert (declares["name"], declares["features"], declares["sizes"]) == ("gat", {"h": "in"}, ["in", "joined"])
    assert declares["parameters"][0] == {
        "name": "weight",
        "shape": "in, heads * out",
        "init": "glorot_uniform",
        "per": "",
    }
    assert declares["constants"]["slope"] == 0.2


def test_switching_fusion_off_gives_more_kernels(sqlite_api: httpx.Client) -> None:
    fused, apart = (post(sqlite_api, COMPILE, GAT | {"disabled": off}) for off in ([], ["fuse"]))
    assert len(apart["kernels"]) > len(fused["kernels"])
    assert "fuse" in fused["switches"]


def test_an_unknown_switch_names_the_known_ones(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(COMPILE, json=GAT | {"disabled": ["magic"]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/disabled")
    assert "fold_constants" in answer.json()["detail"]


def test_a_fault_comes_with_line_column_and_what_to_write(sqlite_api: httpx.Client) -> None:
    found = post(
        sqlite_api, COMPILE, {"source": 'def f(v: Vertex(h="in")):\n    return v.h + oops\n', "bindings": {"in": 3}}
    )
    (problem,) = found["problems"]
    assert (problem["line"], problem["code"]) == (2, "program.name")
    assert problem["hint"]
    assert found["kernels"] == []


def test_a_program_too_large_for_a_page_says_so_quickly(sqlite_api: httpx.Client) -> None:
    hop = "        v.z = sum(nb.z for nb in v.innbs) * 0.5"
    source = f'def f(v: Vertex(h="in")):\n    v.z = v.h\n    for _ in range(900):\n{hop}\n    return v.z\n'
    (problem,) = post(sqlite_api, COMPILE, {"source": source, "bindings": {"in": 3}})["problems"]
    assert (problem["code"], problem["severity"]) == ("program.large", "warning")


def test_the_layer_of_a_model_is_compiled_as_it_stands_there(sqlite_api: httpx.Client) -> None:
    body = {"doc": TEMPLATES["gat"].doc.model_dump(mode="json"), "node_id": "gat1"}
    found = post(sqlite_api, LAYER, body)
    assert found["problems"] == []
    assert (found["assumed"], found["bindings"]["in"], found["bindings"]["heads"]) == (True, 64, 8)
    assert found["source"] == zoo_source("gat")


@pytest.mark.parametrize("kind", [layer.type for layer in LAYERS.values() if layer.program and layer.program.name])
def test_every_layer_with_a_program_can_be_looked_into(sqlite_api: httpx.Client, kind: str) -> None:
    doc = chain([("input", "input", {}), ("n", kind, {}), ("output", "output", {})])
    ends = {"x": "h", "e": "e"}
    arriving = [wire(f"input.{ends[p.name]} > n.{p.name}") for p in LAYERS[kind].inputs if not p.optional]
    doc = doc.model_copy(update={"wires": (*arriving, *doc.wires[1:])})
    found = post(sqlite_api, LAYER, {"doc": doc.model_dump(mode="json"), "node_id": "n"})
    assert found["problems"] == []
    assert found["kernels"]


def test_a_node_that_runs_no_program_or_is_not_sound_is_explained(sqlite_api: httpx.Client) -> None:
    doc = chain(
        [("input", "input", {}), ("norm", "layer_norm", {}), ("gcn", "gcn", {"width": 1}), ("output", "output", {})]
    )
    for node_id, status, code in (
        ("ghost", 404, "node_not_found"), ("norm", 404, "no_vertex_program"), ("gcn", 422, "document_invalid"),
    ):  # fmt: skip
        answer = sqlite_api.post(LAYER, json={"doc": doc.model_dump(mode="json"), "node_id": node_id})
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["errors"][0]["pointer"] == "/doc/nodes/gcn/params/width"


def test_an_empty_document_has_no_node_to_look_into(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(LAYER, json={"doc": ModelDoc().model_dump(mode="json"), "node_id": "n"})
    assert answer.status_code == 404


def test_a_layer_is_made_the_models_own_or_says_why_not(sqlite_api: httpx.Client) -> None:
    doc = TEMPLATES["gcn"].doc.model_dump(mode="json")
    found = post(sqlite_api, "/api/v1/layers/own", {"doc": doc, "node_id": "gcn2"})
    (program,) = found["doc"]["programs"]
    assert program["name"] == found["program"] == "my_gcn"
    own = next(n for n in found["doc"]["nodes"] if n["id"] == "gcn2")
    assert own["params"] == {"program": "my_gcn", "self_loops": True}
    assert found["doc"]["wires"] == doc["wires"]
    graphs = chain([("input", "input", {}), ("all", "readout", {}), ("output", "output", {})]).model_dump(mode="json")
    answer = sqlite_api.post("/api/v1/layers/own", json={"doc": graphs, "node_id": "all"})
    assert (answer.status_code, answer.json()["code"]) == (422, "program_own")
    assert answer.json()["errors"][0]["pointer"] == "/doc/nodes/all"


words = st.sampled_from(
    [
        "v",
        "h",
        "nb",
        "sum(",
        "for nb in v.innbs",
        ")",
        "[",
        "]",
        " + ",
        " @ ",
        "return ",
        "\n    ",
        "3",
        '"',
        "\x00",
        "=",
        ".",
        "softmax(",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(words, max_size=25).map("".join))
def test_no_text_breaks_the_compiler(body: str) -> None:
    found = compilation(f'def f(v: Vertex(h="in")):\n    {body}\n', {"in": 4}, [])
    assert found.problems or found.kernels or found.before


def test_stages_say_what_each_pass_saved_on_the_graph_named(sqlite_api: httpx.Client) -> None:
    found = post(sqlite_api, COMPILE, GAT)
    last = {stage["name"]: stage for stage in found["stages"]}
    kept, fused = last["save_or_recompute"], last["fuse"]
    assert kept["after"]["saved"] < kept["before"]["saved"] / 2
    assert fused["after"]["launches"] == len(found["kernels"]) < fused["before"]["launches"] / 2
    assert fused["after"]["moved"] < fused["before"]["moved"]
    assert (found["graph"]["vertices"], found["graph"]["edges"]) == (100_000, 1_600_000)


def test_less_memory_may_be_asked_for(sqlite_api: httpx.Client) -> None:
    usual, least = (post(sqlite_api, COMPILE, GAT | {"memory": m})["stages"][-1]["after"] for m in ("balanced", "min"))
    assert least["saved"] < usual["saved"]
    assert sqlite_api.post(COMPILE, json=GAT | {"memory": "none"}).status_code == 422

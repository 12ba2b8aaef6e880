"""Checks over HTTP: the same text as everywhere, within the time a keystroke allows."""

from __future__ import annotations

from pathlib import Path

import httpx

from workers.core import dataset_store
from workers.core.model import ModelDoc
from workers.core.storage import Storage
from workers.datasets import bundled
from workers.zoo.templates import TEMPLATES, Block, chain
from workers.zoo.validate import validate

CHECK = "/api/v1/model-validations"


def test_a_sound_model_says_what_flows_where(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.post(CHECK, json={"doc": TEMPLATES["gat"].doc.model_dump(mode="json")}).json()
    assert (found["ok"], found["problems"]) == (True, [])
    assert found["types"]["gat1"]["y"] == {"kind": "vertex", "shape": [64], "text": "vertex feature [N, 64]"}
    assert found["types"]["gat2"]["y"]["shape"] == ["C"]
    assert found["order"][0] == "input"
    assert found["used"] == [n.id for n in TEMPLATES["gat"].doc.nodes]


def test_a_dataset_fixes_the_sizes(sqlite_api: httpx.Client, tmp_path: Path) -> None:
    dataset_store.save(Storage(f"file://{tmp_path}/storage").files, "ds_wine", bundled.load("wine"))
    body = {"doc": TEMPLATES["gcn"].doc.model_dump(mode="json"), "dataset_id": "ds_wine"}
    found = sqlite_api.post(CHECK, json=body).json()
    assert found["types"]["gcn2"]["y"]["text"] == "vertex feature [N, 3]"
    assert found["parameters"] == 13 * 16 + 16 + 16 * 3 + 3
    assert found["work"]["flops"] > 2 * 178 * 13 * 16
    assert found["work"]["epoch_s"] > 0


def test_an_unknown_dataset_is_pointed_at(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(CHECK, json={"doc": {}, "dataset_id": "ds_nothing"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/dataset_id")


def test_problems_read_as_they_do_everywhere(sqlite_api: httpx.Client) -> None:
    doc = chain([("input", "input", {}), ("gcn", "gcn", {"width": 3}), ("output", "output", {})])
    found = sqlite_api.post(CHECK, json={"doc": doc.model_dump(mode="json")}).json()
    assert found["problems"] == [p.model_dump() for p in validate(doc).problems]
    assert (found["ok"], found["parameters"]) == (False, None)


def test_an_empty_document_is_answered_too(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.post(CHECK, json={"doc": ModelDoc().model_dump(mode="json")}).json()
    assert [p["code"] for p in found["problems"]] == ["model.empty"]


def test_a_thousand_nodes_are_answered_whole(sqlite_api: httpx.Client) -> None:
    blocks: list[Block] = [(f"n{i}", ("gat", "activation", "dropout")[i % 3], {}) for i in range(998)]
    doc = chain([("input", "input", {}), *blocks, ("output", "output", {})])
    found = sqlite_api.post(CHECK, json={"doc": doc.model_dump(mode="json")}).json()
    assert (found["ok"], found["problems"]) == (True, [])
    assert set(found["order"]) == set(found["used"]) == {n.id for n in doc.nodes}

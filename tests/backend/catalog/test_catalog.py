"""Catalogues over HTTP say what the tables say, and nothing twice."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from workers.catalog import systems
from workers.compiler.ops import OPS
from workers.core import dataset_store
from workers.core.storage import Storage
from workers.datasets import bundled
from workers.zoo.layers import LAYERS


@pytest.mark.parametrize("name", ["systems", "ops", "layers", "templates"])
def test_a_catalogue_already_held_is_not_sent_again(sqlite_api: httpx.Client, name: str) -> None:
    first = sqlite_api.get(f"/api/v1/{name}")
    again = sqlite_api.get(f"/api/v1/{name}", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_every_system_comes_with_schemas_for_its_form_and_its_result(sqlite_api: httpx.Client) -> None:
    found = {s["kind"]: s for s in sqlite_api.get("/api/v1/systems").json()["items"]}
    assert found.keys() == systems().keys()
    fields = found["seastar"]["spec_schema"]["properties"]
    assert fields["model"]["x-resource"] == "model"
    assert "outcome" in found["seastar"]["result_schema"]["properties"]


def test_every_op_is_listed_with_its_operands(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.get("/api/v1/ops").json()["items"]
    assert [(o["name"], tuple(o["operands"])) for o in found] == [(o.name, o.operands) for o in OPS.values()]


def test_every_layer_is_listed_with_ports_and_schemas_of_its_settings(sqlite_api: httpx.Client) -> None:
    found = {layer["type"]: layer for layer in sqlite_api.get("/api/v1/layers").json()["items"]}
    assert list(found) == list(LAYERS)
    assert found["linear"]["inputs"][0]["expects"] == "vertex or graph feature [R, d]"
    assert found["gat"]["params"]["out_features"]["x-dim"] is True
    assert found["gcn"]["needs"] == {"self_loops": True, "norm": True}


def test_a_layer_that_runs_a_vertex_program_shows_its_text(sqlite_api: httpx.Client) -> None:
    for layer in sqlite_api.get("/api/v1/layers").json()["items"]:
        if layer["program"]:
            assert re.search(r"^def \w+\(", layer["program_source"], re.MULTILINE)


def test_templates_say_what_they_take_on_their_dataset_once_it_is_there(
    sqlite_api: httpx.Client, tmp_path: Path
) -> None:
    before = sqlite_api.get("/api/v1/templates/gin").json()
    assert (before["dataset_id"], before["vertices"], before["train_s"]) == ("ds_digits", None, None)
    dataset_store.save(Storage(f"file://{tmp_path}/storage").files, "ds_digits", bundled.load("digits"))
    found = sqlite_api.get("/api/v1/templates/gin").json()
    assert found["vertices"] == 1797
    assert found["parameters"] == (64 * 64 + 64) * 2 + 1 + 64 * 2 + 64 * 64 + 64 + 64 * 10 + 10 + 1
    assert 0 < found["train_s"] < 600


def test_a_template_of_another_name_is_not_there(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.get("/api/v1/templates/gta")
    assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")
    assert "gat, gcn" in answer.json()["detail"]

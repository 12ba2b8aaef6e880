"""Models over HTTP: created, listed, renamed, copied, forgotten."""

from __future__ import annotations

from typing import Any

import httpx

from workers.zoo.templates import TEMPLATES

MODELS = "/api/v1/models"


def create(api: httpx.Client, name: str = "mine", **fields: Any) -> dict[str, Any]:
    answer = api.post(MODELS, json={"name": name, **fields})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_new_model_is_empty_and_says_where_it_is(api: httpx.Client) -> None:
    answer = api.post(MODELS, json={"name": "  mine "})
    made = answer.json()
    assert answer.headers["Location"] == f"{MODELS}/{made['id']}"
    assert answer.headers["ETag"] == f'"{made["draft_etag"]}"'
    assert (made["name"], made["nodes"], made["newest_version"], made["draft_differs"]) == ("mine", 0, 0, True)
    assert api.get(answer.headers["Location"]).json() == made


def test_a_model_from_a_template_holds_its_document(api: httpx.Client) -> None:
    made = create(api, template="gat")
    doc = api.get(f"{MODELS}/{made['id']}/draft").json()["doc"]
    assert doc == TEMPLATES["gat"].doc.model_dump(mode="json")
    assert made["template"] == "gat"


def test_a_list_says_of_each_model_what_stops_it(sqlite_api: httpx.Client) -> None:
    create(sqlite_api, "sound", template="gcn")
    create(sqlite_api, "faulty", doc={"nodes": [{"id": "a", "type": "warp"}, {"id": "o", "type": "output"}]})
    faults = {m["name"]: m["fault"] for m in sqlite_api.get(MODELS).json()["items"]}
    assert faults == {"sound": None, "faulty": "Output.x is not connected."}


def test_an_unknown_template_names_the_known_ones(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post(MODELS, json={"name": "x", "template": "gta"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/template"
    assert "gat, gcn" in answer.json()["detail"]


def test_an_import_with_unknown_layers_keeps_every_wire(sqlite_api: httpx.Client) -> None:
    wires = [{"source": {"node": "a", "port": "out"}, "target": {"node": "b", "port": "in"}}]
    nodes = [{"id": "a", "type": "from_the_future"}, {"id": "b", "type": "gcn"}]
    made = create(sqlite_api, doc={"nodes": nodes, "wires": wires})
    assert sqlite_api.get(f"{MODELS}/{made['id']}/draft").json()["doc"]["wires"] == wires


def test_a_foreign_or_malformed_import_says_what_is_wrong_and_where(sqlite_api: httpx.Client) -> None:
    doc = {"nodes": [{"id": "1a", "type": "gcn"}, {"id": "b", "type": "gcn", "params": {"p": [1]}}], "edges": []}
    answer = sqlite_api.post(MODELS, json={"name": "x", "doc": doc})
    assert answer.status_code == 422
    assert {e["pointer"] for e in answer.json()["errors"]} == {"/doc/nodes/0/id", "/doc/nodes/1/params/p", "/doc/edges"}
    broken = sqlite_api.post(MODELS, content=b'{"name": ', headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (400, "invalid_json")


def test_a_document_with_every_odd_character_comes_back_as_it_was(api: httpx.Client) -> None:
    programs = [{"name": "f", "source": "# \u0001 \u2028 ü 🙂\r\n"}]
    made = create(api, doc={"programs": programs})
    assert api.get(f"{MODELS}/{made['id']}/draft").json()["doc"]["programs"] == programs


def test_a_name_without_letters_or_with_control_characters_is_refused(sqlite_api: httpx.Client) -> None:
    for name in ("", "   ", "a\nb", "a\u0001", "x" * 121):
        assert sqlite_api.post(MODELS, json={"name": name}).status_code == 422


def test_a_model_can_be_renamed_copied_and_forgotten(api: httpx.Client) -> None:
    made = create(api, template="gcn")
    where = f"{MODELS}/{made['id']}"
    assert api.patch(where, json={"name": "other"}).json()["name"] == "other"
    copy = api.post(f"{where}/duplicate", json={}).json()
    assert copy["name"] == "other (copy)"
    assert copy["draft_etag"] == made["draft_etag"]
    assert api.delete(where).status_code == 204
    assert api.get(where).status_code == 404
    assert api.get(f"{MODELS}/{copy['id']}").status_code == 200


def test_what_is_not_there_is_a_problem_with_its_id(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.get(f"{MODELS}/mdl_nothing")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (404, "model_not_found")
    assert "mdl_nothing" in answer.json()["detail"]


def test_lists_page_through_all_models_once_in_each_order(api: httpx.Client) -> None:
    names = ["b", "a", "c", "a", "é"]
    ids = [create(api, name)["id"] for name in names]
    assert pages(api, "-created_at") == ids[::-1]
    assert pages(api, "-updated_at") == ids[::-1]
    by_name = pages(api, "name")
    assert sorted(by_name) == sorted(ids)
    assert by_name[:2] == sorted((ids[1], ids[3]))


def pages(api: httpx.Client, sort: str) -> list[str]:
    found, cursor = [], ""
    while True:
        page = api.get(f"{MODELS}?sort={sort}&limit=2{cursor and f'&cursor={cursor}'}").json()
        found += [m["id"] for m in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            return found


def test_the_model_changed_last_comes_first(api: httpx.Client) -> None:
    first, second = create(api, "first"), create(api, "second")
    api.patch(f"{MODELS}/{first['id']}", json={"name": "again"})
    assert [m["id"] for m in api.get(MODELS).json()["items"]] == [first["id"], second["id"]]


def test_search_finds_parts_of_names_and_takes_wildcards_as_they_are(api: httpx.Client) -> None:
    create(api, "GAT pages")
    create(api, "100% sage")
    assert [m["name"] for m in api.get(MODELS, params={"q": "gat"}).json()["items"]] == ["GAT pages"]
    assert [m["name"] for m in api.get(MODELS, params={"q": "%"}).json()["items"]] == ["100% sage"]


def test_a_cursor_of_another_list_is_refused(sqlite_api: httpx.Client) -> None:
    for cursor in ("!!", "bm9uc2Vuc2U"):
        answer = sqlite_api.get(MODELS, params={"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


def test_an_unknown_query_parameter_is_refused(sqlite_api: httpx.Client) -> None:
    assert sqlite_api.get(MODELS, params={"page": 2}).status_code == 400


def test_creating_twice_with_one_idempotency_key_makes_one_model(api: httpx.Client) -> None:
    headers = {"Idempotency-Key": "one-form"}
    first, second = (api.post(MODELS, json={"name": "once"}, headers=headers) for _ in range(2))
    assert first.json() == second.json()
    assert len(api.get(MODELS).json()["items"]) == 1

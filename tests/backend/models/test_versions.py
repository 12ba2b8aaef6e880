"""Versions: numbered, unchanging, restorable without losing the draft."""

from __future__ import annotations

from typing import Any

import httpx

MODELS = "/api/v1/models"


def new(api: httpx.Client) -> str:
    return f"{MODELS}/{api.post(MODELS, json={'name': 'm', 'template': 'gcn'}).json()['id']}"


def save(api: httpx.Client, where: str, doc: dict[str, Any]) -> None:
    assert api.put(f"{where}/draft", json=doc, headers={"If-Match": "*"}).status_code == 200


def keep(api: httpx.Client, where: str, note: str = "") -> httpx.Response:
    tag = api.get(f"{where}/draft").headers["ETag"]
    return api.post(f"{where}/versions", json={"note": note}, headers={"If-Match": tag})


def node(node_id: str) -> dict[str, Any]:
    return {"id": node_id, "type": "input"}


def test_a_version_is_the_draft_as_it_was_kept(api: httpx.Client) -> None:
    where = new(api)
    draft = api.get(f"{where}/draft").json()
    kept = keep(api, where, "first")
    assert (kept.status_code, kept.json()["number"], kept.json()["note"]) == (201, 1, "first")
    save(api, where, {"nodes": []})
    found = api.get(kept.headers["Location"])
    assert found.json()["doc"] == draft["doc"]
    assert found.json()["content_hash"] == draft["content_hash"]
    assert "immutable" in found.headers["Cache-Control"]


def test_keeping_the_same_meaning_again_gives_the_version_there_is(api: httpx.Client) -> None:
    where = new(api)
    first, again = keep(api, where), keep(api, where, "again")
    assert (again.status_code, again.json()) == (200, first.json())


def test_a_version_needs_the_tag_of_the_draft(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    assert sqlite_api.post(f"{where}/versions", json={}).status_code == 428
    assert sqlite_api.post(f"{where}/versions", json={}, headers={"If-Match": '"old"'}).status_code == 412


def test_a_version_already_held_is_not_sent_again(sqlite_api: httpx.Client) -> None:
    where = keep(sqlite_api, new(sqlite_api)).headers["Location"]
    tag = sqlite_api.get(where).headers["ETag"]
    assert sqlite_api.get(where, headers={"If-None-Match": tag}).status_code == 304


def test_restoring_keeps_the_draft_as_a_version_first(api: httpx.Client) -> None:
    where = new(api)
    original = api.get(f"{where}/draft").json()["doc"]
    keep(api, where)
    save(api, where, {"nodes": [node("unkept")]})
    tag = api.get(f"{where}/draft").headers["ETag"]
    restored = api.post(f"{where}/versions/1/restore", headers={"If-Match": tag})
    assert restored.json()["doc"] == original
    rescued = api.get(f"{where}/versions/2").json()
    assert (rescued["note"], rescued["doc"]["nodes"][0]["id"]) == ("Before version 1 was restored", "unkept")
    assert api.get(where).json()["draft_differs"] is True


def test_restoring_needs_the_tag_of_the_draft(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    keep(sqlite_api, where)
    assert sqlite_api.post(f"{where}/versions/1/restore").status_code == 428


def test_a_version_that_is_not_there_says_which_are(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    assert "no versions yet" in sqlite_api.get(f"{where}/versions/1").json()["detail"]
    keep(sqlite_api, where)
    assert "versions 1 to 1" in sqlite_api.get(f"{where}/versions/7").json()["detail"]
    assert sqlite_api.get(f"{where}/versions/{2**40}").status_code == 422


def test_versions_are_listed_newest_first_a_page_at_a_time(api: httpx.Client) -> None:
    where = new(api)
    for i in range(5):
        save(api, where, {"nodes": [node(f"n{i}")]})
        keep(api, where, f"note {i}")
    first = api.get(f"{where}/versions", params={"limit": 3}).json()
    rest = api.get(f"{where}/versions", params={"limit": 3, "cursor": first["next_cursor"]}).json()
    assert [v["number"] for v in first["items"] + rest["items"]] == [5, 4, 3, 2, 1]
    assert rest["next_cursor"] is None


def test_deleting_a_model_takes_its_versions_along(api: httpx.Client) -> None:
    where = new(api)
    keep(api, where)
    assert api.delete(where).status_code == 204
    assert api.get(f"{where}/versions").status_code == 404


def test_two_states_of_a_model_are_compared(api: httpx.Client) -> None:
    where = new(api)
    keep(api, where)
    doc = api.get(f"{where}/draft").json()["doc"]
    assert api.get(f"{where}/diff").json()["same"] is True
    doc["nodes"][2]["params"]["out_features"] = 32
    del doc["wires"][0]
    save(api, where, doc)
    found = api.get(f"{where}/diff", params={"before": "1", "after": "draft"}).json()
    assert found["nodes"] == [
        {"id": "gcn1", "change": "changed", "type_before": "gcn", "type_after": "gcn",
         "params": {"out_features": {"before": 16, "after": 32}}},
    ]  # fmt: skip
    assert [(w["change"], w["wire"]["source"]["node"]) for w in found["wires"]] == [("removed", "input")]


def test_a_state_that_is_not_there_is_not_compared(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    assert sqlite_api.get(f"{where}/diff", params={"before": "4"}).status_code == 404
    assert sqlite_api.get(f"{where}/diff", params={"before": "newest"}).status_code == 422

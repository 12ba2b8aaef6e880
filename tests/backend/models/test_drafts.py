"""Drafts: nobody's edit is lost without a word."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

MODELS = "/api/v1/models"


def new(api: httpx.Client) -> str:
    return f"{MODELS}/{api.post(MODELS, json={'name': 'm', 'template': 'gcn'}).json()['id']}"


def edited(doc: dict[str, Any], title: str) -> dict[str, Any]:
    return {**doc, "nodes": [{**doc["nodes"][0], "title": title}, *doc["nodes"][1:]]}


def test_a_save_needs_the_tag_of_the_draft_it_changes(api: httpx.Client) -> None:
    where = new(api)
    draft = api.get(f"{where}/draft")
    bare = api.put(f"{where}/draft", json=draft.json()["doc"])
    assert (bare.status_code, bare.json()["code"]) == (428, "if_match_required")
    saved = api.put(
        f"{where}/draft", json=edited(draft.json()["doc"], "mine"), headers={"If-Match": draft.headers["ETag"]}
    )
    assert saved.status_code == 200
    assert saved.headers["ETag"] != draft.headers["ETag"]
    assert api.get(f"{where}/draft").json() == saved.json()


def test_the_second_of_two_tabs_gets_412_with_the_current_tag(api: httpx.Client) -> None:
    where = new(api)
    draft = api.get(f"{where}/draft")
    headers = {"If-Match": draft.headers["ETag"]}
    first = api.put(f"{where}/draft", json=edited(draft.json()["doc"], "first"), headers=headers)
    second = api.put(f"{where}/draft", json=edited(draft.json()["doc"], "second"), headers=headers)
    assert (second.status_code, second.json()["code"]) == (412, "stale")
    assert second.json()["current_etag"] == first.json()["etag"]
    assert second.headers["ETag"] == first.headers["ETag"]
    assert api.get(f"{where}/draft").json()["doc"]["nodes"][0]["title"] == "first"


def test_of_many_saves_at_once_exactly_one_wins(api: httpx.Client) -> None:
    where = new(api)
    draft = api.get(f"{where}/draft")

    def save(i: int) -> int:
        body, headers = edited(draft.json()["doc"], f"tab {i}"), {"If-Match": draft.headers["ETag"]}
        return api.put(f"{where}/draft", json=body, headers=headers).status_code

    with ThreadPoolExecutor(8) as tabs:
        assert sorted(tabs.map(save, range(8))) == [200] + [412] * 7


def test_overwriting_on_purpose_takes_a_star(api: httpx.Client) -> None:
    where = new(api)
    assert api.put(f"{where}/draft", json={"nodes": []}, headers={"If-Match": "*"}).status_code == 200


def test_a_weak_or_foreign_tag_does_not_match(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    tag = sqlite_api.get(f"{where}/draft").headers["ETag"]
    for header in (f"W/{tag}", '"other"', ""):
        assert sqlite_api.put(f"{where}/draft", json={}, headers={"If-Match": header}).status_code == 412


def test_a_draft_already_held_is_not_sent_again(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    tag = sqlite_api.get(f"{where}/draft").headers["ETag"]
    again = sqlite_api.get(f"{where}/draft", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_saving_what_is_there_changes_nothing(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    before, draft = sqlite_api.get(where).json(), sqlite_api.get(f"{where}/draft")
    sqlite_api.put(f"{where}/draft", json=draft.json()["doc"], headers={"If-Match": draft.headers["ETag"]})
    assert sqlite_api.get(where).json() == before


def test_moving_a_node_is_saved_but_is_no_difference_to_the_version(sqlite_api: httpx.Client) -> None:
    where = new(sqlite_api)
    draft = sqlite_api.get(f"{where}/draft")
    sqlite_api.post(f"{where}/versions", json={}, headers={"If-Match": draft.headers["ETag"]})
    doc = {**draft.json()["doc"], "layout": {"input": {"x": 5, "y": 6}}}
    sqlite_api.put(f"{where}/draft", json=doc, headers={"If-Match": draft.headers["ETag"]})
    assert sqlite_api.get(f"{where}/draft").json()["doc"]["layout"] == {"input": {"x": 5.0, "y": 6.0}}
    assert sqlite_api.get(where).json()["draft_differs"] is False

"""Groups and notes over HTTP: what is saved comes back byte for byte, and a restore loses nothing."""

from __future__ import annotations

from typing import Any

import httpx
from hypothesis import HealthCheck, assume, given, settings

from tests.workers.zoo.documents import random_docs
from workers.core.model import ModelDoc, canonical_json

MODELS = "/api/v1/models"


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(random_docs)
def test_e04_saved_reloaded_and_saved_again_is_byte_identical(sqlite_api: httpx.Client, doc: ModelDoc) -> None:
    sent = doc.model_dump(mode="json")
    assume(b"\\u0000" not in canonical_json(sent))  # the API takes no NUL anywhere
    made = sqlite_api.post(MODELS, json={"name": "groups"}).json()
    where = f"{MODELS}/{made['id']}/draft"
    first = sqlite_api.put(where, json=sent, headers={"If-Match": f'"{made["draft_etag"]}"'})
    assert first.status_code == 200, first.text
    loaded = sqlite_api.get(where).json()
    again = sqlite_api.put(where, json=loaded["doc"], headers={"If-Match": f'"{loaded["etag"]}"'}).json()
    assert canonical_json(again["doc"]) == canonical_json(loaded["doc"]) == canonical_json(sent)
    assert again["etag"] == loaded["etag"]


def test_restoring_a_version_first_keeps_a_draft_that_differs_only_in_notes(sqlite_api: httpx.Client) -> None:
    doc: dict[str, Any] = {"nodes": [{"id": "input", "type": "input"}]}
    made = sqlite_api.post(MODELS, json={"name": "notes", "doc": doc}).json()
    where = f"{MODELS}/{made['id']}"
    tag = {"If-Match": f'"{made["draft_etag"]}"'}
    sqlite_api.post(f"{where}/versions", json={}, headers=tag)
    note = {"id": "why", "text": "the reason"}
    saved = sqlite_api.put(f"{where}/draft", json=doc | {"notes": [note]}, headers=tag).json()
    diff = sqlite_api.get(f"{where}/diff").json()
    assert [(n["change"], n["text_after"]) for n in diff["notes"]] == [("added", "the reason")]
    restored = sqlite_api.post(f"{where}/versions/1/restore", headers={"If-Match": f'"{saved["etag"]}"'}).json()
    assert restored["doc"]["notes"] == []
    kept = sqlite_api.get(f"{where}/versions/2").json()
    assert [n["text"] for n in kept["doc"]["notes"]] == ["the reason"]

"""Datasets over REST, without a worker: imports stay queued, so states are those the API alone can reach."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from backend.datasets import service
from backend.datasets.settling import settled
from backend.seed import seed
from tests.workers.datasets.made import EDGES, NODES, read
from workers.core import dataset_store
from workers.core.database import make_engine, reading_session, write
from workers.core.journal import Job
from workers.core.storage import Storage
from workers.datasets.bundled import CATALOG, load
from workers.datasets.known import FORMATS

API = "/api/v1"
KARATE = {"type": "bundled", "name": "karate"}


def make(api: httpx.Client, name: str = "pages", source: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    answer = api.post(f"{API}/datasets", json={"name": name, "source": source or KARATE, **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"{API}/datasets/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def upload(api: httpx.Client, **files: bytes | str) -> dict[str, Any]:
    sent = [("files", (name.replace("__", "."), content)) for name, content in files.items()]
    answer = api.post(f"{API}/uploads", files=sent)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["code"] == code
    return body


def test_a_bundled_dataset_is_ready_at_once(api: httpx.Client) -> None:
    made = make(api)
    assert (made["state"], made["job_id"], made["info"]["vertices"]) == ("ready", None, 34)
    found = api.get(f"{API}/datasets/{made['id']}").json()
    assert found["source"] == KARATE
    assert {check["state"] for check in found["checks"]} == {"passed"}
    assert "karate" in found["notes"][0]
    assert found["description"]


def test_a_summary_holds_what_the_page_draws(sqlite_api: httpx.Client) -> None:
    made = make(sqlite_api)
    summary = sqlite_api.get(f"{API}/datasets/{made['id']}/summary").json()
    assert (summary["undirected_edges"], summary["in_degrees"]["max"], summary["isolated"]) == (78, 17, 0)
    assert [c["count"] for c in summary["classes"]] == [17, 17]
    assert len(summary["sha256"]) == 64


def test_a_neighbourhood_is_drawn_around_any_vertex(sqlite_api: httpx.Client) -> None:
    made = make(sqlite_api)
    path = f"{API}/datasets/{made['id']}/neighbourhood"
    found = sqlite_api.get(path, params={"vertex": 33, "hops": 1}).json()
    assert len(found["vertices"]) == 18
    assert found["vertices"][0] == {
        "id": 33, "name": "33", "label": "Officer", "class_index": 1, "degree": 17, "hop": 0, "type_index": None,
    }  # fmt: skip
    assert all(edge["source"] < edge["target"] for edge in found["edges"])
    assert sqlite_api.get(path, params={"limit": 5}).json()["left_out"] > 0
    assert "0 to 33" in problem(sqlite_api.get(path, params={"vertex": 34}), 422, "invalid")["detail"]


def test_an_import_is_a_job(api: httpx.Client) -> None:
    sent = upload(api, edges__csv=EDGES, nodes__csv=NODES)
    made = make(api, source={"type": "upload", "upload_id": sent["id"]}, options={"seed": 3})
    assert (made["state"], made["info"], made["actions"]) == ("importing", None, ["cancel"])
    job = api.get(f"{API}/jobs/{made['job_id']}").json()
    assert (job["kind"], job["state"], job["spec"]["dataset_id"]) == ("ingest", "queued", made["id"])
    assert job["spec"]["options"]["seed"] == 3
    for part in ("summary", "neighbourhood", "export"):
        problem(api.get(f"{API}/datasets/{made['id']}/{part}"), 409, "dataset_not_ready")
    problem(api.delete(f"{API}/datasets/{made['id']}"), 409, "dataset_importing")
    api.post(f"{API}/jobs/{made['job_id']}/cancel")
    failed = api.get(f"{API}/datasets/{made['id']}").json()
    assert (failed["state"], failed["actions"]) == ("failed", ["delete", "retry"])
    assert "cancelled" in failed["state_reason"]
    assert api.delete(f"{API}/datasets/{made['id']}").status_code == 204
    problem(api.get(f"{API}/datasets/{made['id']}"), 404, "dataset_not_found")


def test_uploads_say_what_they_look_like(sqlite_api: httpx.Client) -> None:
    sent = upload(sqlite_api, edges__csv=EDGES, nodes__csv=NODES)
    assert (sent["format"], sent["size_bytes"], sent["problem"]) == ("edge_list", len(EDGES) + len(NODES), None)
    assert {t["file"]: t["columns"] for t in sent["tables"]} == {
        "edges.csv": ["source", "target"], "nodes.csv": ["id", "label", "f0", "f1"],
    }  # fmt: skip
    assert sqlite_api.get(f"{API}/uploads/{sent['id']}").json() == sent
    assert sqlite_api.delete(f"{API}/uploads/{sent['id']}").status_code == 204
    problem(sqlite_api.get(f"{API}/uploads/{sent['id']}"), 404, "upload_not_found")


def test_upload_names_are_made_safe(sqlite_api: httpx.Client) -> None:
    sent = upload(sqlite_api, **{"../../etc/päges edges__csv": EDGES, "__hidden__csv": NODES})
    assert [f["name"] for f in sent["files"]] == ["_.hidden.csv", "p_ges edges.csv"]


def test_uploads_that_cannot_be_kept_are_refused(sqlite_api: httpx.Client) -> None:
    twice = [("files", ("a.csv", b"1")), ("files", ("x/a.csv", b"2"))]
    problem(sqlite_api.post(f"{API}/uploads", files=twice), 422, "files_refused")
    assert sqlite_api.post(f"{API}/uploads", data={"files": "text"}).status_code == 422
    assert sqlite_api.post(f"{API}/uploads").status_code == 422


def test_a_broken_upload_says_so_before_it_is_imported(sqlite_api: httpx.Client) -> None:
    sent = upload(sqlite_api, pages__zip=b"PK nothing")
    assert "pages.zip: is a damaged archive" in sent["problem"]


@pytest.mark.parametrize(("source", "pointer"), [
    ({"type": "upload", "upload_id": "upl_none"}, "/source/upload_id"),
    ({"type": "bundled", "name": "karat"}, "/source/name"),
    ({"type": "folder", "path": "/etc"}, "/source/path"),
    ({"type": "generator", "generator": {"type": "sbm", "n": 1}}, "/source/generator/n"),
    ({"type": "web", "url": "http://localhost"}, "/source"),
])  # fmt: skip
def test_a_source_that_cannot_be_used_is_pointed_at(
    sqlite_api: httpx.Client, source: dict[str, Any], pointer: str
) -> None:
    answer = sqlite_api.post(f"{API}/datasets", json={"name": "x", "source": source})
    assert answer.status_code == 422, answer.text
    errors = answer.json()["errors"]
    assert (
        errors[0]["pointer"]
        .replace("/generator/sbm", "")
        .replace("/generator/generator", "/generator")
        .startswith(pointer)
    )
    assert sqlite_api.get(f"{API}/datasets").json()["items"] == []


def test_lists_are_newest_first_searched_and_paged(api: httpx.Client) -> None:
    names = [f"graph {i}" for i in range(5)]
    for name in names:
        make(api, name)
    queued = make(api, "other", {"type": "generator", "generator": {"type": "sbm", "n": 100}})
    first = api.get(f"{API}/datasets", params={"limit": 4}).json()
    second = api.get(f"{API}/datasets", params={"limit": 4, "cursor": first["next_cursor"]}).json()
    assert [d["name"] for d in first["items"] + second["items"]] == ["other", *reversed(names)]
    assert second["next_cursor"] is None
    assert [d["name"] for d in api.get(f"{API}/datasets", params={"q": "GRAPH 3"}).json()["items"]] == ["graph 3"]
    by_state = {
        s: api.get(f"{API}/datasets", params={"state": s}).json()["items"] for s in ("ready", "importing", "failed")
    }
    assert [len(found) for found in by_state.values()] == [5, 1, 0]
    assert by_state["importing"][0]["id"] == queued["id"]
    problem(api.get(f"{API}/datasets", params={"cursor": "bm9uZQ"}), 400, "bad_cursor")


def test_a_dataset_can_be_renamed(sqlite_api: httpx.Client) -> None:
    made = make(sqlite_api)
    changed = sqlite_api.patch(f"{API}/datasets/{made['id']}", json={"name": " clubs ", "description": "d"}).json()
    assert (changed["name"], changed["info"]["name"], changed["description"]) == ("clubs", "clubs", "d")
    assert sqlite_api.patch(f"{API}/datasets/{made['id']}", json={"name": " "}).status_code == 422


def test_a_dataset_that_a_waiting_job_needs_is_not_deleted(api: httpx.Client, database_url: str) -> None:
    made, other = make(api), make(api, source={"type": "generator", "generator": {"type": "sbm", "n": 100}})
    engine = make_engine(database_url)
    with write(engine) as session:
        session.execute(
            update(Job).where(Job.id == other["job_id"]).values(spec={"dataset": made["id"]}, kind="seastar")
        )
    uses = api.get(f"{API}/datasets/{made['id']}/jobs").json()
    assert (uses["total"], uses["items"][0]["job_id"]) == (1, other["job_id"])
    problem(api.delete(f"{API}/datasets/{made['id']}"), 409, "dataset_in_use")
    api.post(f"{API}/jobs/{other['job_id']}/cancel")
    assert api.delete(f"{API}/datasets/{made['id']}").status_code == 204
    engine.dispose()


@pytest.mark.parametrize("name", ["karate", "wine"])
def test_what_is_exported_can_be_imported_again(sqlite_api: httpx.Client, tmp_path: Path, name: str) -> None:
    made = make(sqlite_api, source={"type": "bundled", "name": name})
    answer = sqlite_api.get(f"{API}/datasets/{made['id']}/export")
    assert answer.headers["content-disposition"].endswith('filename="pages.npz"')
    np.load(io.BytesIO(answer.content), allow_pickle=False).close()
    (tmp_path / "pages.npz").write_bytes(answer.content)
    again, once = read(tmp_path, row_normalise=False).data, load(name)
    for part in ("src", "dst", "y", "train", "val", "test"):
        assert np.array_equal(getattr(again, part), getattr(once, part)), part
    assert again.classes == once.classes


def test_sources_are_described_for_forms(sqlite_api: httpx.Client) -> None:
    found = sqlite_api.get(f"{API}/dataset-sources").json()
    assert [b["name"] for b in found["bundled"]] == list(CATALOG)
    assert {f["name"] for f in found["formats"]} == {form.name for form in FORMATS}
    assert "mean_degree" in found["generators"]["sbm"]["properties"]
    assert found["options"]["properties"]["symmetrise"]["default"] is True
    assert found["folders"] is False


def test_seeding_twice_changes_nothing(api: httpx.Client, database_url: str, tmp_path: Path) -> None:
    engine, storage = make_engine(database_url), Storage(f"file://{tmp_path}/storage")
    assert seed(engine, storage) == list(CATALOG)
    first = api.get(f"{API}/datasets").json()
    assert seed(engine, storage) == []
    assert api.get(f"{API}/datasets").json() == first
    assert [d["id"] for d in first["items"]] == [f"ds_{name}" for name in CATALOG]
    api.delete(f"{API}/datasets/ds_wine")
    assert seed(engine, storage) == ["wine"]
    engine.dispose()


def test_an_import_that_ends_while_it_is_looked_at_is_ready_and_never_failed(
    api: httpx.Client, database_url: str, tmp_path: Path
) -> None:
    made = make(api, source={"type": "generator", "generator": {"type": "sbm", "n": 100}})
    engine, storage = make_engine(database_url), Storage(f"file://{tmp_path}/storage")

    def end_first(session: Session) -> list[service.Row]:
        """The worker ends the import after the first settling and before the first look."""
        if not storage.exists(f"datasets/{made['id']}/meta.json"):
            dataset_store.save(storage.files, made["id"], load("karate"))
            with write(engine) as other:
                other.execute(update(Job).where(Job.id == made["job_id"]).values(state="succeeded"))
        return [service.get(session, made["id"])]

    with reading_session(engine) as session:
        [(row, job)] = settled(session, storage, end_first)
    assert service.state_of(row, job) == ("ready", "")
    engine.dispose()

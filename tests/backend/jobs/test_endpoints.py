"""Jobs over REST: what is accepted, what is refused and why, and what the lists show. On both databases."""

from __future__ import annotations

import pytest

from tests.backend.jobs.conftest import Site
from tests.workers import toy
from tests.workers.jobs import add_job
from workers.core.database import write
from workers.core.journal import JobEvent, now, take_ids


def create(site: Site, **spec: object) -> toy.Json:
    answer = site.client.post("/api/v1/jobs", json={"spec": {"kind": "toy", **spec}})
    assert answer.status_code == 201, answer.text
    job: toy.Json = answer.json()
    return job


def test_a_new_job_is_queued_and_complete(site: Site) -> None:
    answer = site.client.post(
        "/api/v1/jobs", json={"spec": {"kind": "toy", "steps": 5, "max_attempts": 3}, "labels": {"team": "a/b"}}
    )
    job = answer.json()
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/jobs/{job['id']}")
    assert job["id"].startswith("job_")
    assert (job["state"], job["attempt"], job["name"], job["labels"]) == ("queued", 1, "Toy", {"team": "a/b"})
    assert (job["spec"]["steps"], job["spec"]["mode"]) == (5, "finish")
    assert job["actions"] == ["cancel", "clone"]
    described = site.client.get("/api/v1/openapi.json").json()["components"]["schemas"]["JobItem"]
    assert set(job) == set(described["properties"]) == set(described["required"])
    assert site.client.get(f"/api/v1/jobs/{job['id']}").json() == job


@pytest.mark.parametrize(
    ("spec", "pointer", "words"),
    [
        ({"kind": "toy", "steps": -1}, "/spec/steps", "greater than or equal to 0"),
        ({"kind": "toy", "steps": "many"}, "/spec/steps", "got 'many'"),
        ({"kind": "toy", "nonsense": 1}, "/spec/nonsense", "Extra inputs"),
        ({"kind": "nope"}, "/spec", "'toy'"),
        ({}, "/spec", "kind"),
        ({"kind": "toy", "dataset": "ds_none"}, "/spec/dataset", "There is no dataset 'ds_none'"),
        ({"kind": "toy", "dataset": "../../x"}, "/spec/dataset", "There is no dataset"),
    ],
)
def test_a_wrong_spec_is_refused_with_a_pointer(site: Site, spec: toy.Json, pointer: str, words: str) -> None:
    answer = site.client.post("/api/v1/jobs", json={"spec": spec})
    problem = answer.json()
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert (problem["errors"][0]["pointer"], words in problem["detail"]) == (pointer, True), problem
    assert problem["request_id"] == answer.headers["x-request-id"]


def test_a_body_that_is_no_json_is_a_400(site: Site) -> None:
    answer = site.client.post("/api/v1/jobs", content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_json")


def test_lists_are_newest_first_and_paged_by_cursor_without_drift(site: Site) -> None:
    made = [create(site, name=f"paged {i}")["id"] for i in range(5)]
    page = site.client.get("/api/v1/jobs", params={"limit": 2, "q": "paged"}).json()
    late = create(site, name="paged late")["id"]
    seen = [j["id"] for j in page["items"]]
    while page["next_cursor"]:
        params = {"limit": 2, "q": "paged", "cursor": page["next_cursor"]}
        page = site.client.get("/api/v1/jobs", params=params).json()
        seen += [j["id"] for j in page["items"]]
    assert sorted(seen) == sorted(made)
    assert seen == sorted(seen, reverse=True)
    assert late not in seen


def test_lists_are_filtered_and_counted_when_asked(site: Site) -> None:
    failed = add_job(site.engine, state="failed", name="filter me", kind="other")
    add_job(site.engine, state="running", name="filter me", heartbeat_at=now())
    every = site.client.get("/api/v1/jobs", params={"q": "FILTER", "include": "total"}).json()
    assert every["total"] == 2
    some = site.client.get("/api/v1/jobs", params={"q": "filter", "state": "failed,lost"}).json()
    assert ([j["id"] for j in some["items"]], some["total"]) == ([failed.id], None)
    assert [j["id"] for j in site.client.get("/api/v1/jobs", params={"kind": "other"}).json()["items"]] == [failed.id]
    assert site.client.get("/api/v1/jobs", params={"q": "100%"}).json()["items"] == []


@pytest.mark.parametrize(
    ("params", "status", "pointer"),
    [
        ({"stat": "failed"}, 400, "?stat"),
        ({"state": "broken"}, 422, "?state"),
        ({"limit": "0"}, 422, "?limit"),
        ({"limit": "1000"}, 422, "?limit"),
    ],
)
def test_wrong_query_parameters_are_refused(site: Site, params: dict[str, str], status: int, pointer: str) -> None:
    answer = site.client.get("/api/v1/jobs", params=params)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer)


def test_a_made_up_cursor_is_refused(site: Site) -> None:
    answer = site.client.get("/api/v1/jobs", params={"cursor": "###"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize(("verb", "state"), [("cancel", "succeeded"), ("cancel", "lost"), ("retry", "succeeded")])
def test_what_the_state_does_not_allow_is_a_conflict(site: Site, verb: str, state: str) -> None:
    job = add_job(site.engine, state=state)  # type: ignore[arg-type]
    answer = site.client.post(f"/api/v1/jobs/{job.id}/{verb}")
    assert answer.status_code == 409
    assert state in answer.json()["detail"]
    assert verb not in site.client.get(f"/api/v1/jobs/{job.id}").json()["actions"]


def test_only_a_finished_job_can_be_deleted_and_it_takes_all_along(site: Site) -> None:
    running = add_job(site.engine, state="running", heartbeat_at=now())
    assert site.client.delete(f"/api/v1/jobs/{running.id}").status_code == 409
    done = add_job(site.engine, state="failed")
    assert site.client.delete(f"/api/v1/jobs/{done.id}").status_code == 204
    for path in ("", "/events", "/logs", "/metrics", "/artifacts"):
        answer = site.client.get(f"/api/v1/jobs/{done.id}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "job_not_found")


def test_a_job_whose_kind_is_gone_can_still_be_read_but_not_cloned(site: Site) -> None:
    job = add_job(site.engine, state="failed", kind="bygone", spec={"kind": "bygone", "depth": [1, 2]})
    found = site.client.get(f"/api/v1/jobs/{job.id}").json()
    assert found["spec"] == {"kind": "bygone", "depth": [1, 2]}
    assert site.client.post(f"/api/v1/jobs/{job.id}/clone").json()["code"] == "spec_outdated"


def test_logs_of_a_long_search_come_in_pieces(site: Site) -> None:
    job = add_job(site.engine, state="succeeded")
    line = {"at": now().isoformat(), "level": "info", "text": "hay"}
    with write(site.engine) as session:
        first = take_ids(session, 900)
        for i in range(900):
            lines = [line, {**line, "text": "needle"}] if i == 899 else [line]
            body = {"lines": lines, "dropped": 2 if i == 0 else 0}
            session.add(JobEvent(id=first + i, job_id=job.id, attempt=1, type="job.log", body=body, at=now()))
    pages, after = [], 0
    while True:
        params: dict[str, str | int] = {"after_id": after, "q": "NEEDLE"}
        page = site.client.get(f"/api/v1/jobs/{job.id}/logs", params=params).json()
        pages.append(page)
        after = page["next_after_id"]
        if not page["more"]:
            break
    assert len(pages) == 3
    assert [line["text"] for page in pages for line in page["items"]] == ["needle"]
    assert sum(page["dropped"] for page in pages) == 2


def test_an_empty_log_says_so(site: Site) -> None:
    job = create(site)
    page = site.client.get(f"/api/v1/jobs/{job['id']}/logs").json()
    assert page == {"items": [], "dropped": 0, "next_after_id": 0, "more": False}


@pytest.mark.parametrize(("wanted", "steps"), [(1, [99]), (2, [0, 99]), (4, [0, 33, 66, 99]), (500, list(range(100)))])
def test_series_are_thinned_evenly_keeping_both_ends(site: Site, wanted: int, steps: list[int]) -> None:
    job = add_job(site.engine, state="succeeded")
    points = [{"step": i, "at": now().isoformat(), "values": {"x": i}} for i in range(100)]
    with write(site.engine) as session:
        at, first = now(), take_ids(session, 1)
        session.add(JobEvent(id=first, job_id=job.id, attempt=1, type="job.metrics", body={"points": points}, at=at))
    found = site.client.get(f"/api/v1/jobs/{job.id}/metrics", params={"max_points": wanted}).json()
    assert ([p["step"] for p in found["points"]], found["total"]) == (steps, 100)


def test_a_kind_dropped_as_a_folder_is_listed_with_the_schema_its_form_is_made_of(site: Site) -> None:
    found = {s["kind"]: s for s in site.client.get("/api/v1/systems").json()["items"]}
    assert found["toy"]["spec_schema"]["properties"]["steps"]["description"] == "How many steps to take."
    assert found["toy"]["devices"] == ["cpu", "gpu"]

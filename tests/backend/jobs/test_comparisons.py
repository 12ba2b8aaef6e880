"""Many jobs at once: their series, their differences, and lists by label and in other orders. On both databases."""

from __future__ import annotations

import math
from typing import Any

import pytest

from backend.jobs.series import Points, thin_keeping_extremes
from tests.backend.jobs.conftest import Site
from tests.workers.jobs import add_job
from workers.core.database import write
from workers.core.journal import Job, append, now, take_ids


def with_points(site: Site, values: list[dict[str, float | None]], **columns: Any) -> Job:
    """A finished job whose journal holds one point a step, ten an event."""
    job = add_job(site.engine, state="succeeded", latest_metrics=values[-1], **columns)
    at = now().isoformat()
    points = [{"step": step, "at": at, "values": v} for step, v in enumerate(values, 1)]
    events = [("job.metrics", {"points": points[i : i + 10]}) for i in range(0, len(points), 10)]
    with write(site.engine) as session:
        append(session, job.id, 1, take_ids(session, len(events)), events)  # type: ignore[arg-type]
    return job


def wave(steps: int, spike: int) -> list[dict[str, float | None]]:
    return [{"loss": 99.0 if i == spike else math.sin(i / 50), "rest": 1.0} for i in range(steps)]


def test_d2_series_of_many_jobs_are_thinned_with_their_true_length_told(site: Site) -> None:
    jobs = [with_points(site, wave(1000, spike)) for spike in (333, 777)]
    params: dict[str, Any] = {"jobs": ",".join(job.id for job in jobs), "name": ["loss"], "max_points": 100}
    found = site.client.get("/api/v1/job-series", params=params).raise_for_status().json()["items"]
    assert [(s["job_id"], s["name"], s["total"]) for s in found] == [(job.id, "loss", 1000) for job in jobs]
    for series, spike in zip(found, (333, 777), strict=True):
        assert len(series["steps"]) == len(series["values"]) <= 100
        assert (series["steps"][0], series["steps"][-1]) == (1, 1000)
        assert series["steps"] == sorted(series["steps"])
        assert dict(zip(series["steps"], series["values"], strict=True))[spike + 1] == 99.0


def test_only_the_newest_attempt_counts_and_a_job_without_points_is_left_out(site: Site) -> None:
    again = with_points(site, [{"loss": 5.0}], attempt=1)
    with write(site.engine) as session:
        session.get_one(Job, again.id).attempt = 2
    params: dict[str, Any] = {"jobs": f"{again.id},job_gone", "name": ["loss", "none"]}
    assert site.client.get("/api/v1/job-series", params=params).json()["items"] == []


def test_short_series_are_kept_whole_and_gaps_are_no_numbers() -> None:
    assert list(thin_keeping_extremes([(1, None), (2, 3.0)], 10)) == [(1, None), (2, 3.0)]
    gaps: Points = [(i, None) for i in range(50)]
    assert list(thin_keeping_extremes(gaps, 6)) == [(0, None), (1, None), (25, None), (49, None)]


def test_jobs_are_compared_setting_by_setting(site: Site) -> None:
    node = {"id": "gat1", "type": "gat", "params": {"heads": 4}}
    specs: list[dict[str, Any]] = [
        {"kind": "toy", "training": {"lr": 0.1, "epochs": 5}, "model": {"nodes": [node], "layout": {"gat1": {"x": 1}}}},
        {"kind": "toy", "training": {"lr": 0.2, "epochs": 5}, "model": {"nodes": []}},
    ]
    results = [{"score": 0.5, "profile": {"kernels": [{"time_s": 1.0}]}}, None]
    jobs = [
        add_job(site.engine, state="succeeded", spec=spec, result=result, labels={"team": "a"})
        for spec, result in zip(specs, results, strict=True)
    ]
    params = {"jobs": f"{jobs[0].id},job_gone,{jobs[1].id}"}
    found = site.client.get("/api/v1/job-comparisons", params=params).raise_for_status().json()
    assert ([job["id"] for job in found["jobs"]], found["missing"]) == ([job.id for job in jobs], ["job_gone"])
    rows = {(row["section"], row["path"]): (row["values"], row["differs"]) for row in found["rows"]}
    assert rows == {
        ("setting", "training.lr"): ([0.1, 0.2], True),
        ("setting", "model.nodes.gat1.type"): (["gat", None], True),
        ("setting", "model.nodes.gat1.params.heads"): ([4, None], True),
        ("result", "score"): ([0.5, None], True),
        ("setting", "training.epochs"): ([5, 5], False),
        ("label", "team"): (["a", "a"], False),
    }
    assert found["total_rows"] == len(rows)


@pytest.mark.parametrize("jobs", ["", ",", ",".join(f"job_{i}" for i in range(101))])
def test_comparing_none_or_too_many_jobs_is_refused(site: Site, jobs: str) -> None:
    answer = site.client.get("/api/v1/job-comparisons", params={"jobs": jobs})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "?jobs")


def test_lists_are_filtered_by_labels(site: Site) -> None:
    one = add_job(site.engine, name="labelled", labels={"team": "a/b", "run.no": "1"})
    add_job(site.engine, name="labelled", labels={"team": "c"})
    for wanted in (["team=a/b"], ["team", "run.no=1"], ["run.no"]):
        found = site.client.get("/api/v1/jobs", params={"q": "labelled", "label": wanted}).json()["items"]
        assert [job["id"] for job in found] == [one.id], wanted
    refused = site.client.get("/api/v1/jobs", params={"label": "no spaces=1"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "?label.0")


@pytest.mark.parametrize("sort", ["name", "-name", "state", "created_at", "-kind"])
def test_other_orders_are_paged_without_gap_or_duplicate(site: Site, sort: str) -> None:
    made = [
        add_job(site.engine, name=f"order {sort} {name}", state=state, kind=kind)  # type: ignore[arg-type]
        for name, state, kind in (("b", "failed", "x"), ("a", "lost", "y"), ("b", "failed", "x"), ("c", "queued", "y"))
    ]
    params: dict[str, Any] = {"q": f"order {sort} ", "sort": sort, "limit": 1}
    seen: list[dict[str, Any]] = []
    while len(seen) <= len(made):
        page = site.client.get("/api/v1/jobs", params=params).raise_for_status().json()
        seen += page["items"]
        if page["next_cursor"] is None:
            break
        params["cursor"] = page["next_cursor"]
    field = sort.removeprefix("-")
    values = [(job["id" if field == "created_at" else field], job["id"]) for job in seen]
    assert sorted(job_id for _, job_id in values) == sorted(job.id for job in made)
    assert values == sorted(values, reverse=sort.startswith("-"))


def test_a_cursor_of_another_kind_is_refused(site: Site) -> None:
    answer = site.client.get("/api/v1/jobs", params={"cursor": "WzFd"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")

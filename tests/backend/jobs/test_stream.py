"""Server-Sent Events: replay, resumption, topics, the end, and a client too far behind. On both databases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.backend.jobs.conftest import Site
from tests.workers import toy
from tests.workers.jobs import add_job
from workers.core.database import write
from workers.core.journal import Job, change, ended, now, status


def say(site: Site, job: Job, *texts: str) -> int:
    lines = [{"at": now().isoformat(), "level": "info", "text": text} for text in texts]
    with write(site.engine) as session:
        return change(session, job.id, 1, [("job.log", {"lines": lines, "dropped": 0})], states={"running"})


def running(site: Site) -> Job:
    return add_job(site.engine, state="running", heartbeat_at=now())


@contextmanager
def listening(site: Site, path: str) -> Iterator[Iterator[toy.Json]]:
    """The events of a stream that the server has begun: what is said from here on comes live."""
    with site.client.stream("GET", path, headers={"Accept": "text/event-stream"}, timeout=60) as answer:
        lines = answer.iter_lines()
        assert next(lines) == ": connected"
        yield toy.parse(lines)


def read(site: Site, path: str, count: int, **headers: str) -> list[toy.Json]:
    return list(itertools.islice(toy.stream(site.client, path, headers=headers), count))


def test_what_was_missed_comes_first_and_what_comes_follows(site: Site) -> None:
    job = running(site)
    first = say(site, job, "missed")
    with listening(site, f"/api/v1/events?topics=job:{job.id}&after_id={job.last_event_id}") as events:
        missed = next(events)
        say(site, job, "live")
        live = next(events)
    assert [e["data"]["lines"][0]["text"] for e in (missed, live)] == ["missed", "live"]
    assert missed["id"] == first


def test_the_header_of_a_reconnect_wins_over_the_address(site: Site) -> None:
    job = running(site)
    say(site, job, "one")
    second = say(site, job, "two")
    third = say(site, job, "three")
    path = f"/api/v1/events?topics=job:{job.id}&after_id=0"
    assert [e["id"] for e in read(site, path, 1, **{"Last-Event-ID": str(second)})] == [third]


def test_without_a_starting_point_only_what_is_new_comes(site: Site) -> None:
    job = running(site)
    say(site, job, "old")
    with listening(site, f"/api/v1/events?topics=job:{job.id}") as events:
        say(site, job, "new")
        event = next(events)
    assert event["data"]["lines"][0]["text"] == "new"


def test_topics_choose_and_the_most_exact_is_named(site: Site) -> None:
    followed, other = running(site), running(site)
    start = followed.last_event_id - 1
    say(site, other, "not for the list")
    with write(site.engine) as session:
        change(session, other.id, 1, ended("failed", 1, "x"), states={"running"}, state="failed")
    say(site, followed, "for its page")
    events = read(site, f"/api/v1/events?topics=jobs,job:{followed.id}&after_id={start}", 5)
    shape = [(e["event"], e["data"]["topic"], e["data"]["job_id"]) for e in events]
    mine, its = (f"job:{followed.id}", followed.id), ("jobs", other.id)
    assert shape == [
        ("job.status", *mine), ("job.status", *its), ("job.status", *its), ("end", *its), ("job.log", *mine),
    ]  # fmt: skip
    assert all(e["id"] == e["data"]["seq"] for e in events)


def test_the_cluster_topic_begins_with_a_picture_that_has_no_id(site: Site) -> None:
    (event,) = read(site, "/api/v1/events?topics=cluster", 1)
    assert (event["event"], event["data"]["seq"], "id" in event) == ("cluster", 0, False)
    assert [q["device"] for q in event["data"]["queues"]] == ["cpu", "gpu"]


@pytest.mark.parametrize("after", [0, 2**61])
def test_who_cannot_be_told_all_is_told_to_load_anew_and_goes_on(site: Site, after: int) -> None:
    """The site replays at most 50 events; and an id from the future belongs to another database."""
    job = running(site)
    for i in range(51):
        last = say(site, job, str(i))
    with listening(site, f"/api/v1/events?topics=job:{job.id}&after_id={after}") as events:
        told = next(events)
        say(site, job, "after")
        new = next(events)
    assert (told["event"], new["event"]) == ("resync", "job.log")
    assert (told["id"], new["data"]["lines"][0]["text"]) == (last, "after")


def test_a_jobs_own_stream_closes_at_its_end_and_stays_closed(site: Site) -> None:
    job = running(site)
    say(site, job, "one")
    with write(site.engine) as session:
        change(session, job.id, 1, ended("succeeded", 1), states={"running"}, state="succeeded")
    path = f"/api/v1/jobs/{job.id}/events"
    events = list(toy.stream(site.client, path))
    assert [e["event"] for e in events] == ["job.status", "job.log", "job.status", "end"]
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(events[-1]["id"])}
    assert site.client.get(path, headers=headers).status_code == 204


def test_a_retried_job_streams_on(site: Site) -> None:
    job = add_job(site.engine, state="running", heartbeat_at=now())
    with write(site.engine) as session:
        last = change(session, job.id, 1, ended("failed", 1, "x"), states={"running"}, state="failed")
    site.client.post(f"/api/v1/jobs/{job.id}/retry")
    (event,) = read(site, f"/api/v1/jobs/{job.id}/events?after_id={last}", 1)
    assert (event["data"]["state"], event["data"]["attempt"]) == ("queued", 2)


def test_events_can_be_polled(site: Site) -> None:
    job = running(site)
    ids = [say(site, job, str(i)) for i in range(5)]
    path = f"/api/v1/jobs/{job.id}/events"
    page = site.client.get(path, params={"after_id": ids[0], "limit": 3}).json()
    assert ([e["id"] for e in page["items"]], page["more"], page["next_after_id"]) == (ids[1:4], True, ids[3])
    rest = site.client.get(path, params={"after_id": ids[3], "limit": 3}).json()
    assert ([e["id"] for e in rest["items"]], rest["more"]) == ([ids[4]], False)


@pytest.mark.parametrize("topics", ["", "nope", "job:x", "jobs,models"])
def test_unknown_topics_are_refused(site: Site, topics: str) -> None:
    assert site.client.get("/api/v1/events", params={"topics": topics}).status_code == 422


def test_a_stream_is_not_buffered_or_compressed(site: Site) -> None:
    headers = {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}
    with site.client.stream("GET", "/api/v1/events?topics=cluster", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in answer.headers
        assert next(answer.iter_lines()) == ": connected"


def test_a_status_event_tells_what_the_row_tells(site: Site) -> None:
    job = running(site)
    _, body = status("running", 1, worker="w")
    assert set(body) == {"state", "reason", "attempt", "worker"}
    (event,) = read(site, f"/api/v1/events?topics=job:{job.id}&after_id={job.last_event_id - 1}", 1)
    assert set(event["data"]) == {"topic", "job_id", "seq", "at", *body}

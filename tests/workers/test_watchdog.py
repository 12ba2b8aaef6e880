"""The watchdog's decisions, with the time as an argument. On both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select

from tests.workers.jobs import add_job, reload
from workers.core.database import make_engine, read, write
from workers.core.journal import JobEvent, Worker, now
from workers.core.settings import Settings
from workers.watchdog import Watchdog

SETTINGS = Settings(lost_after_s=15, resend_after_s=60)
Sent = list[tuple[str, int, str]]


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def sent() -> Sent:
    return []


@pytest.fixture
def watchdog(engine: Engine, sent: Sent) -> Watchdog:
    def send(*job: Any) -> bool:
        sent.append(job)
        return True

    return Watchdog(engine, SETTINGS, send=send)


def silent_for(seconds: float) -> dict[str, Any]:
    return {"heartbeat_at": now() - timedelta(seconds=seconds), "worker": "cpu@here"}


def add_worker(engine: Engine, name: str, silent_s: float = 0, device: str = "cpu", busy: int = 0) -> None:
    at = now() - timedelta(seconds=silent_s)
    row = Worker(id=name, host="h", pid=1, device=device, slots=1, busy=busy, started_at=at, heartbeat_at=at)
    row.devices, row.versions = [], {}
    with write(engine) as session:
        session.add(row)


@pytest.mark.parametrize("state", ["starting", "running"])
def test_a_silent_job_is_lost(engine: Engine, watchdog: Watchdog, sent: Sent, state: Any) -> None:
    job = add_job(engine, state=state, **silent_for(16))
    assert watchdog.sweep() == 1
    found = reload(engine, job)
    assert (found.state, found.state_reason) == ("lost", "no heartbeat from worker cpu@here for 15 s")
    assert found.finished_at is not None
    assert sent == []
    assert watchdog.sweep() == 0


def test_a_job_that_speaks_is_left_alone(engine: Engine, watchdog: Watchdog) -> None:
    jobs = [add_job(engine, state="running", **silent_for(10)), add_job(engine, state="succeeded", **silent_for(999))]
    assert watchdog.sweep() == 0
    assert [reload(engine, job).state for job in jobs] == ["running", "succeeded"]


def test_a_lost_job_with_attempts_left_is_queued_again(engine: Engine, watchdog: Watchdog, sent: Sent) -> None:
    job = add_job(engine, state="running", max_attempts=2, **silent_for(16))
    watchdog.sweep()
    found = reload(engine, job)
    assert (found.state, found.attempt, found.worker) == ("queued", 2, None)
    assert sent == [(job.id, 2, "cpu")]
    with read(engine) as session:
        events = session.scalars(select(JobEvent).where(JobEvent.job_id == job.id).order_by(JobEvent.id)).all()
    assert [(e.body["state"], e.body["attempt"]) for e in events] == [("running", 1), ("lost", 1), ("queued", 2)]


def test_a_silent_job_that_was_being_cancelled_is_cancelled(engine: Engine, watchdog: Watchdog, sent: Sent) -> None:
    job = add_job(engine, state="cancelling", max_attempts=5, **silent_for(16))
    watchdog.sweep()
    assert reload(engine, job).state == "cancelled"
    assert sent == []


def test_two_watchdogs_lose_a_job_once(engine: Engine, watchdog: Watchdog, sent: Sent) -> None:
    job = add_job(engine, state="running", max_attempts=9, **silent_for(16))
    other = Watchdog(engine, SETTINGS, send=lambda *j: bool(sent.append(j)))  # type: ignore[func-returns-value]
    watchdog.sweep()
    other.sweep()
    assert reload(engine, job).attempt == 2
    assert len(sent) == 1


def test_a_queued_job_is_sent_again_while_a_worker_for_it_is_idle_but_not_every_time(
    engine: Engine, watchdog: Watchdog, sent: Sent
) -> None:
    old = add_job(engine, sent_at=now() - timedelta(seconds=61), device="gpu")
    add_job(engine, sent_at=now() - timedelta(seconds=59), device="gpu")
    add_job(engine, sent_at=now() - timedelta(seconds=61), device="cpu")
    watchdog.sweep()
    assert sent == []
    add_worker(engine, "idle", device="gpu")
    add_worker(engine, "busy", device="cpu", busy=1)
    add_worker(engine, "silent", device="cpu", silent_s=20)
    watchdog.sweep()
    watchdog.sweep()
    assert sent == [(old.id, 1, "gpu")]


def test_after_a_pause_of_its_own_it_first_lets_workers_speak(engine: Engine, watchdog: Watchdog) -> None:
    job = add_job(engine, state="running", heartbeat_at=now(), worker="cpu@here")
    watchdog.sweep()
    later = now() + timedelta(minutes=10)
    assert watchdog.sweep(later) == 0
    assert reload(engine, job).state == "running"
    assert watchdog.sweep(later + timedelta(seconds=2)) == 1


def test_workers_of_yesterday_are_forgotten(engine: Engine, watchdog: Watchdog) -> None:
    add_worker(engine, "old", silent_s=25 * 3600)
    add_worker(engine, "new", silent_s=3600)
    watchdog.sweep()
    with read(engine) as session:
        assert session.scalars(select(Worker.id)).all() == ["new"]

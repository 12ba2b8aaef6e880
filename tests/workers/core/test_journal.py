"""The journal's two rules, on both databases: ids in commit order, and no write of an attempt that is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Engine, select

from tests.workers.jobs import add_job, reload
from workers.core.database import make_engine, read, write
from workers.core.errors import Fenced
from workers.core.journal import EventClock, Job, JobEvent, change, fresh_attempt, now, status, take_ids


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = make_engine(database_url, pool_size=20)
    yield engine
    engine.dispose()


def log_event(engine: Engine, job_id: str, text: str) -> int:
    with write(engine) as session:
        return change(session, job_id, 1, [("job.log", {"text": text})], states={"running"})


def test_a_job_changes_only_in_the_states_and_attempt_named(engine: Engine) -> None:
    job = add_job(engine, state="running")
    with write(engine) as session:
        change(session, job.id, 1, [status("succeeded", 1)], states={"running"}, state="succeeded")
    assert reload(engine, job).state == "succeeded"
    for attempt, states in ((1, {"running"}), (2, {"succeeded"})):
        with pytest.raises(Fenced, match=f"attempt {attempt}"), write(engine) as session:
            change(session, job.id, attempt, [status("failed", attempt)], states=states, state="failed")  # type: ignore[arg-type]
    assert reload(engine, job).state == "succeeded"


def test_a_refused_change_uses_up_no_ids(engine: Engine) -> None:
    job = add_job(engine, state="running")
    first = log_event(engine, job.id, "one")
    with pytest.raises(Fenced), write(engine) as session:
        change(session, job.id, 7, [("job.log", {})] * 3, states={"running"})
    assert log_event(engine, job.id, "two") == first + 1


def test_a_stale_attempt_is_fenced_off_when_the_next_has_begun(engine: Engine) -> None:
    job = add_job(engine, state="running")
    with write(engine) as session:
        change(session, job.id, 1, [status("queued", 2)], states={"running"}, **fresh_attempt(2))
    with write(engine) as session:
        change(session, job.id, 2, [status("running", 2)], states={"queued"}, state="running")
    with pytest.raises(Fenced):
        log_event(engine, job.id, "from the first attempt")
    assert reload(engine, job).attempt == 2


def test_of_many_claims_at_once_one_succeeds(engine: Engine) -> None:
    job = add_job(engine, state="queued")
    won: list[int] = []

    def claim(number: int) -> None:
        try:
            with write(engine) as session:
                change(session, job.id, 1, [status("starting", 1)], states={"queued"}, state="starting")
            won.append(number)
        except Fenced:
            pass

    together([lambda n=n: claim(n) for n in range(8)])
    assert len(won) == 1


def test_ids_come_in_the_order_of_commits_under_concurrent_writers(engine: Engine) -> None:
    """A reader that tails by id while writers with long transactions commit sees every event, once, in order."""
    jobs = [add_job(engine, state="running") for _ in range(4)]
    expected = 4 * 25
    seen: list[int] = []
    with read(engine) as session:
        start = session.scalars(select(EventClock.value)).one()

    def writer(job: Job) -> None:
        for i in range(25):
            with write(engine) as session:
                change(session, job.id, 1, [("job.log", {"i": i})], states={"running"})
                time.sleep(0.001 * (i % 3))

    def tail() -> None:
        last, until = start, time.monotonic() + 60
        while len(seen) < expected and time.monotonic() < until:
            with read(engine) as session:
                new = list(session.scalars(select(JobEvent.id).where(JobEvent.id > last).order_by(JobEvent.id)))
            seen.extend(new)
            last = new[-1] if new else last

    together([tail, *(lambda job=job: writer(job) for job in jobs)])
    assert seen == list(range(start + 1, start + 1 + expected))


def test_holding_the_clock_holds_up_other_writers(engine: Engine) -> None:
    job = add_job(engine, state="running")
    order: list[str] = []

    def other() -> None:
        log_event(engine, job.id, "other")
        order.append("other")

    with write(engine) as session:
        take_ids(session, 0)
        thread = threading.Thread(target=other)
        thread.start()
        time.sleep(0.3)
        order.append("holder")
    thread.join()
    assert order == ["holder", "other"]


def test_deleting_a_job_takes_its_events_along(engine: Engine) -> None:
    job = add_job(engine, state="running")
    log_event(engine, job.id, "x")
    with write(engine) as session:
        session.delete(session.get_one(Job, job.id))
    with read(engine) as session:
        assert session.scalars(select(JobEvent)).all() == []


def test_moments_come_back_in_utc(engine: Engine) -> None:
    noon_in_tokyo = datetime(2026, 1, 2, 12, tzinfo=timezone(timedelta(hours=9)))
    job = add_job(engine, state="queued", started_at=noon_in_tokyo)
    found = reload(engine, job)
    assert found.started_at == noon_in_tokyo
    assert found.started_at is not None
    assert found.started_at.tzinfo == UTC
    assert abs((now() - found.created_at).total_seconds()) < 60


def together(deeds: list[object]) -> None:
    """Do several things on threads at once; the first error of any is raised."""
    errors: list[BaseException] = []

    def guarded(deed: object) -> None:
        try:
            deed()  # type: ignore[operator]
        except BaseException as error:  # noqa: BLE001 - carried over to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=90)
    if errors:
        raise errors[0]

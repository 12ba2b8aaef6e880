"""Kept points are those of a plain reading of the journal: as it grows, is cut, replaced, or read by many at once."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session

from backend.jobs.points import Point, PointMemory
from backend.jobs.series import Points, thin_keeping_extremes
from tests.workers.jobs import add_job
from workers.core.database import make_engine, read, write, writing_session
from workers.core.journal import Event, JobEvent, append, now, take_ids


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[Engine]:
    engine = make_engine(url)
    yield engine
    engine.dispose()


def points(first: int, count: int, offset: float = 0) -> Event:
    at = now().isoformat()
    odd: list[dict[str, float | None]] = [{}, {"val": None}, {"val": 0.5}]
    values = [{"loss": offset + i, **odd[i % 3]} for i in range(count)]
    return "job.metrics", {"points": [{"step": first + i, "at": at, "values": v} for i, v in enumerate(values)]}


def put(session: Session, job: str, *events: Event, attempt: int = 1) -> None:
    append(session, job, attempt, take_ids(session, len(events)), events)


def plainly(session: Session, job: str, attempt: int = 1) -> list[Point]:
    """The oracle: every event read and parsed, each time."""
    query = select(JobEvent).where(JobEvent.job_id == job, JobEvent.type == "job.metrics", JobEvent.attempt == attempt)
    return [point for one in session.scalars(query.order_by(JobEvent.id)) for point in one.body["points"]]


def agree(engine: Engine, memory: PointMemory, *jobs: str, attempt: int = 1) -> int:
    """How many points there are of jobs of which memory and the oracle say the same."""
    with read(engine) as session:
        found = memory.of(session, dict.fromkeys(jobs, attempt))
        assert found == {job: plainly(session, job, attempt) for job in jobs}
    return sum(map(len, found.values()))


def test_a_journal_that_grows_is_read_on_from_where_it_was(engine: Engine) -> None:
    memory, job, other = PointMemory(), add_job(engine).id, add_job(engine).id
    assert agree(engine, memory, job, other) == 0
    dice = random.Random(3)
    log: Event = ("job.log", {"lines": [], "dropped": 0})
    for i in range(20):
        with write(engine) as session:
            put(session, dice.choice((job, other)), points(10 * i, dice.randrange(5)), log)
        agree(engine, memory, *((job, other) if i % 3 else (job,)))
    with read(engine) as session:
        assert memory.of(session, {job: 1})[job] is memory.of(session, {job: 1})[job]


def test_a_batch_that_is_half_written_is_not_there_until_it_is_committed(engine: Engine) -> None:
    memory, job = PointMemory(), add_job(engine).id
    with write(engine) as session:
        put(session, job, points(0, 4))
    agree(engine, memory, job)
    with writing_session(engine) as session:
        put(session, job, points(4, 3), points(7, 3))
        assert agree(engine, memory, job) == 4
        session.rollback()
    assert agree(engine, memory, job) == 4
    with write(engine) as session:
        put(session, job, points(4, 2))
    assert agree(engine, memory, job) == 6


def test_a_journal_that_was_cut_or_replaced_is_read_anew(engine: Engine) -> None:
    memory, job = PointMemory(), add_job(engine).id
    with write(engine) as session:
        put(session, job, points(0, 4), points(4, 4), points(8, 4))
    assert agree(engine, memory, job) == 12
    with read(engine) as session:
        ids = list(session.scalars(select(JobEvent.id).where(JobEvent.job_id == job).order_by(JobEvent.id)))
    with write(engine) as session:
        session.execute(delete(JobEvent).where(JobEvent.id == ids[-1]))
    assert agree(engine, memory, job) == 8
    with write(engine) as session:
        session.execute(update(JobEvent).where(JobEvent.id == ids[-2]).values(body=points(4, 2, offset=0.25)[1]))
    assert agree(engine, memory, job) == 6
    with write(engine) as session:
        session.execute(delete(JobEvent).where(JobEvent.job_id == job))
    assert agree(engine, memory, job) == 0
    with write(engine) as session:
        put(session, job, points(0, 1))
    assert agree(engine, memory, job) == 1


def test_each_attempt_has_points_of_its_own(engine: Engine) -> None:
    memory, job = PointMemory(), add_job(engine).id
    with write(engine) as session:
        put(session, job, points(0, 4))
        put(session, job, points(0, 2, offset=0.5), attempt=2)
    assert [agree(engine, memory, job, attempt=n) for n in (1, 2, 1, 3)] == [4, 2, 4, 0]


def test_what_was_asked_for_last_is_kept_and_the_rest_is_read_again(engine: Engine) -> None:
    memory, jobs = PointMemory(most_values=200), [add_job(engine).id for _ in range(4)]
    for i, job in enumerate(jobs):
        with write(engine) as session:
            put(session, job, points(0, 10 + 20 * i))
    for job in (*jobs, *reversed(jobs)):
        agree(engine, memory, job)
    assert agree(engine, memory, *jobs) == 10 + 30 + 50 + 70


def test_many_read_while_one_writes(engine: Engine) -> None:
    memory, job, done = PointMemory(), add_job(engine).id, threading.Event()
    wrong: list[tuple[list[Point], list[Point]]] = []

    def all_there() -> list[Point]:
        with read(engine) as session:
            return plainly(session, job)

    def reading() -> None:
        while not done.is_set():
            before = all_there()
            with read(engine) as session:
                found = memory.of(session, {job: 1})[job]
            if len(found) < len(before) or found != all_there()[: len(found)]:
                wrong.append((before, found))

    readers = [threading.Thread(target=reading) for _ in range(3)]
    for reader in readers:
        reader.start()
    for i in range(40):
        with write(engine) as session:
            put(session, job, points(5 * i, 5))
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert agree(engine, memory, job) == 200


def test_thinned_series_keep_the_lowest_and_the_highest_of_every_run() -> None:
    dice = random.Random(5)
    for _ in range(200):
        values = [dice.choice((None, dice.randrange(6) / 2, -dice.random())) for _ in range(dice.randrange(1, 60))]
        series: Points = list(enumerate(values))
        most = dice.randrange(2, 20)
        kept = list(thin_keeping_extremes(series, most))
        assert kept == sorted(set(kept)) if None not in values else set(kept) <= set(series)
        assert len(kept) <= most or len(series) <= most
        inner, runs = series[1:-1], (most - 2) // 2
        for i in range(runs if len(series) > most else 0):
            numbers = [v for _, v in inner[i * len(inner) // runs : (i + 1) * len(inner) // runs] if v is not None]
            there = [v for _, v in kept if v is not None]
            assert not numbers or {min(numbers), max(numbers)} <= set(there)

"""What a job says reaches the journal: few events, in order, nothing lost but what is counted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from tests.workers.jobs import add_job, reload
from workers.core.channel import Command, JobCancelled
from workers.core.database import make_engine, read, write
from workers.core.errors import DatasetMissing, Fenced, UploadMissing
from workers.core.job_channel import BACKLOG_BYTES, BATCH_BYTES, JournalChannel, eta_s
from workers.core.journal import Job, JobCommand, JobEvent, now
from workers.core.storage import Storage


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(f"file://{tmp_path}/storage")


@pytest.fixture
def job(engine: Engine) -> Job:
    return add_job(engine, state="running")


@pytest.fixture
def channel(engine: Engine, storage: Storage, job: Job) -> JournalChannel:
    return JournalChannel(engine, storage, job.id, 1)


def bodies(engine: Engine, type_: str) -> list[dict[str, Any]]:
    with read(engine) as session:
        return list(session.scalars(select(JobEvent.body).where(JobEvent.type == type_).order_by(JobEvent.id)))


def test_points_of_a_quarter_second_become_one_event(engine: Engine, channel: JournalChannel, job: Job) -> None:
    with channel:
        for step in range(2000):
            channel.metric(step, loss=float(step))
    found = bodies(engine, "job.metrics")
    assert len(found) <= 3
    assert [p["step"] for body in found for p in body["points"]] == list(range(2000))
    assert reload(engine, job).latest_metrics == {"loss": 1999.0}


def test_at_most_four_events_of_a_kind_come_in_a_second(engine: Engine, channel: JournalChannel) -> None:
    with channel:
        until = time.monotonic() + 1.2
        while time.monotonic() < until:
            channel.metric(0, loss=0.0)
            time.sleep(0.01)
    assert len(bodies(engine, "job.metrics")) <= 7


def test_the_first_point_is_written_at_once(engine: Engine, channel: JournalChannel) -> None:
    with channel:
        channel.metric(1, loss=0.5)
        until = time.monotonic() + 5
        while not bodies(engine, "job.metrics") and time.monotonic() < until:
            time.sleep(0.005)
        assert bodies(engine, "job.metrics")


def test_what_is_no_number_is_stored_as_a_gap(engine: Engine, channel: JournalChannel) -> None:
    with channel:
        channel.metric(1, a=float("nan"), b=float("inf"), c=1.0)
    assert bodies(engine, "job.metrics")[0]["points"][0]["values"] == {"a": None, "b": None, "c": 1.0}


def test_log_lines_are_batched_to_64_kib_and_kept_in_order(engine: Engine, channel: JournalChannel) -> None:
    with channel:
        for i in range(3000):
            channel.log(f"{i} " + "x" * 100)
        channel.log("two\nlines", "warning")
    found = bodies(engine, "job.log")
    assert max(sum(len(line["text"]) for line in body["lines"]) for body in found) <= BATCH_BYTES
    texts = [line["text"] for body in found for line in body["lines"]]
    assert [t.split()[0] for t in texts] == [*map(str, range(3000)), "two", "lines"]
    assert sum(body["dropped"] for body in found) == 0


def test_more_log_than_can_be_stored_is_dropped_and_counted(engine: Engine, channel: JournalChannel) -> None:
    lines = 3 * BACKLOG_BYTES // 1064
    for _ in range(lines):
        channel.log("x" * 1000)
    with channel:
        pass
    found = bodies(engine, "job.log")
    kept = sum(len(body["lines"]) for body in found)
    assert kept < lines
    assert kept + sum(body["dropped"] for body in found) == lines


def test_an_unknown_log_level_is_a_mistake_of_the_system(channel: JournalChannel) -> None:
    with pytest.raises(AssertionError, match="use one of debug, info, warning, error"):
        channel.log("x", "fatal")


def test_progress_keeps_the_newest(engine: Engine, channel: JournalChannel, job: Job) -> None:
    with channel:
        for done in range(1, 1001):
            channel.progress(done, 1000, "epoch")
    assert len(bodies(engine, "job.progress")) <= 3
    progress = reload(engine, job).progress
    assert progress is not None
    assert (progress["done"], progress["total"], progress["unit"]) == (1000, 1000, "epoch")


@pytest.mark.parametrize(
    ("done", "total", "left"),
    [(4, 100, None), (5, 100, 190.0), (50, 100, 10.0), (100, 100, 0.0), (50, None, None), (0, 0, None)],
)
def test_the_time_left_follows_the_pace_and_is_unknown_at_first(
    done: int, total: int | None, left: float | None
) -> None:
    began, ten_seconds_later = (100.0, 0), 110.0
    assert eta_s(began, ten_seconds_later, done, total) == left


def test_checkpoint_stops_a_cancelled_job(channel: JournalChannel) -> None:
    channel.checkpoint()
    channel.cancelled.set()
    with pytest.raises(JobCancelled):
        channel.checkpoint()


def test_a_channel_of_an_attempt_that_is_over_writes_nothing_and_says_so(
    engine: Engine, storage: Storage, job: Job
) -> None:
    stale = JournalChannel(engine, storage, job.id, 2)
    with stale:
        stale.metric(1, loss=1.0)
        until = time.monotonic() + 5
        while stale.fenced is None and time.monotonic() < until:
            time.sleep(0.01)
        with pytest.raises(Fenced):
            stale.checkpoint()
    assert bodies(engine, "job.metrics") == []
    with pytest.raises(Fenced):
        stale.artifact("a.txt", b"x")


def test_artifacts_are_stored_under_the_attempt(engine: Engine, channel: JournalChannel, storage: Storage) -> None:
    channel.artifact("kernels/a.cpp", b"int x;", "text/x-c++src")
    (body,) = bodies(engine, "job.artifact")
    assert (body["name"], body["size_bytes"]) == ("kernels/a.cpp", 6)
    assert storage.read(body["path"]) == b"int x;"


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "", "a//b", ".hidden", "a/../b"])
def test_artifact_names_cannot_leave_their_folder(channel: JournalChannel, name: str) -> None:
    with pytest.raises(AssertionError):
        channel.artifact(name, b"x")


def test_commands_come_in_order_and_once(engine: Engine, channel: JournalChannel, job: Job) -> None:
    with write(engine) as session:
        for i, attempt in ((1, 1), (2, 1), (3, 2)):
            session.add(JobCommand(id=f"c{i}", job_id=job.id, attempt=attempt, type="resize", body={"n": i}, at=now()))
        session.add(JobCommand(id="c0", job_id=job.id, attempt=1, type="cancel", body={}, at=now()))
    taken = [channel.next_command() for _ in range(3)]
    assert taken == [Command("resize", {"n": 1}), Command("resize", {"n": 2}), None]


def test_what_is_not_stored_is_said_by_name(channel: JournalChannel) -> None:
    with pytest.raises(DatasetMissing, match="ds_none"):
        channel.load_dataset("ds_none")
    for name in ("upl_none", "../x"):
        with pytest.raises(UploadMissing, match="Upload the files again"):
            channel.open_upload(name)

"""The tables of jobs and workers, and the few statements that may change them.

Two rules hold everything together:

- **Order.** Every writing transaction first bumps the one row of `event_clock` and so waits for the writer before it.
  Event ids are therefore handed out in commit order, on PostgreSQL as on SQLite: whoever has seen id n has seen all
  before it, and "everything after n" never misses an event that commits late.
- **Fencing.** A job changes only through a compare-and-swap that names the states, and for its own process the
  attempt, it may be in. A process whose attempt is over writes nothing, however long it was asleep.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, String, Text, TypeDecorator, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import Mapped, Session, mapped_column

from workers.core.database import Base
from workers.core.errors import Fenced

JobState = Literal["queued", "starting", "running", "cancelling", "succeeded", "failed", "cancelled", "lost"]
EventType = Literal["job.status", "job.progress", "job.metrics", "job.log", "job.artifact", "end"]

ACTIVE: frozenset[JobState] = frozenset({"starting", "running", "cancelling"})
FINISHED: frozenset[JobState] = frozenset({"succeeded", "failed", "cancelled", "lost"})

Event = tuple[EventType, dict[str, Any]]
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone and PostgreSQL gives that of the server; both come back as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        return None if value is None else (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC))


def now() -> datetime:
    return datetime.now(UTC)


class Job(Base):
    """One job: what was asked, where it stands, what came out. States and kinds are text, specs are JSON."""

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_state_heartbeat_at", "state", "heartbeat_at"),
        Index("ix_job_kind_id", "kind", "id"),
    )

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(16))
    state_reason: Mapped[str] = mapped_column(Text, default="")
    attempt: Mapped[int] = mapped_column(default=1)
    max_attempts: Mapped[int] = mapped_column(default=1)
    device: Mapped[str] = mapped_column(String(16))
    spec: Mapped[dict[str, Any]] = mapped_column(Json)
    result: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    progress: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    latest_metrics: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    labels: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    worker: Mapped[str | None] = mapped_column(String(200), default=None)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
    heartbeat_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    last_event_id: Mapped[int] = mapped_column(BigInteger, default=0)


class JobEvent(Base):
    """Something that happened to a job. Append-only; ids are global and in commit order."""

    __tablename__ = "job_event"
    __table_args__ = (Index("ix_job_event_job_id_id", "job_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    attempt: Mapped[int]
    type: Mapped[str] = mapped_column(String(32))
    body: Mapped[dict[str, Any]] = mapped_column(Json)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class JobCommand(Base):
    """An instruction to a running job, taken once by its process."""

    __tablename__ = "job_command"
    __table_args__ = (Index("ix_job_command_job_id_attempt", "job_id", "attempt"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    attempt: Mapped[int]
    type: Mapped[str] = mapped_column(String(64))
    body: Mapped[dict[str, Any]] = mapped_column(Json)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    taken_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class Worker(Base):
    """A worker process: where it runs, what it can run, how busy it is."""

    __tablename__ = "worker"

    id: Mapped[str] = mapped_column(String(200), primary_key=True)
    host: Mapped[str] = mapped_column(String(200))
    pid: Mapped[int]
    device: Mapped[str] = mapped_column(String(16))
    slots: Mapped[int]
    busy: Mapped[int]
    devices: Mapped[list[dict[str, Any]]] = mapped_column(Json)
    versions: Mapped[dict[str, Any]] = mapped_column(Json)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    heartbeat_at: Mapped[datetime] = mapped_column(UtcDateTime)
    stopped_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class EventClock(Base):
    """One row: the id of the newest event."""

    __tablename__ = "event_clock"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)


def take_ids(session: Session, count: int) -> int:
    """The first of `count` new event ids. Holds up every other writer until this transaction ends; 0 only does that."""
    bump = update(EventClock).values(value=EventClock.value + count).returning(EventClock.value)
    return session.execute(bump).scalar_one() - count + 1


def change(
    session: Session,
    job_id: str,
    attempt: int,
    events: Sequence[Event],
    /,
    *,
    states: Collection[JobState],
    **columns: Any,
) -> int:
    """Write events of a job and columns of its row, if it is in one of `states` with that attempt.

    Returns the id of the last event; raises Fenced, having written nothing that stays, when the job has moved on.
    """
    first = take_ids(session, len(events))
    last = first + len(events) - 1
    swap = (
        update(Job)
        .where(Job.id == job_id, Job.attempt == attempt, Job.state.in_(sorted(states)))
        .values(last_event_id=last, **columns)
        .execution_options(synchronize_session=False)
    )
    if session.execute(swap).rowcount != 1:  # type: ignore[attr-defined]
        raise Fenced(job_id, attempt)
    append(session, job_id, columns.get("attempt", attempt), first, events)
    return last


def append(session: Session, job_id: str, attempt: int, first: int, events: Sequence[Event]) -> None:
    """Add the rows of events whose ids, from `first`, were taken in this transaction."""
    at = now()
    session.add_all(
        JobEvent(id=first + i, job_id=job_id, attempt=attempt, type=type_, body=body, at=at)
        for i, (type_, body) in enumerate(events)
    )
    session.flush()


def status(state: JobState, attempt: int, *, reason: str = "", worker: str | None = None) -> Event:
    """The event that says a job entered a state."""
    return "job.status", {"state": state, "reason": reason, "attempt": attempt, "worker": worker}


def ended(state: JobState, attempt: int, reason: str = "") -> list[Event]:
    """The events of an end: nothing follows them but a retry."""
    return [status(state, attempt, reason=reason), ("end", {"state": state})]


def fresh_attempt(attempt: int) -> dict[str, Any]:
    """The columns of a job that waits for its next attempt."""
    return {
        "attempt": attempt,
        "state": "queued",
        "state_reason": "",
        "result": None,
        "progress": None,
        "latest_metrics": {},
        "worker": None,
        "heartbeat_at": None,
        "started_at": None,
        "finished_at": None,
        "sent_at": now(),
    }

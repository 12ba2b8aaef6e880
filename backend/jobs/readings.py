"""What a job's journal tells: its series, its log, its files, its events. All of it only reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.jobs.points import PointMemory
from backend.jobs.schemas import JobArtifact, JobEventItem, JobEventList, JobLogs, JobMetrics, LogLine
from workers.core.journal import Job, JobEvent

# Events read in one go while looking for log lines, so that a search over a long log comes back in pieces.
SCANNED_EVENTS = 400
LEVELS = ("debug", "info", "warning", "error")


def metrics(
    session: Session, memory: PointMemory, job: Job, attempt: int | None, max_points: int, after_id: int
) -> JobMetrics:
    """The series of an attempt (the newest where none is named), thinned evenly to `max_points`."""
    attempt = attempt or job.attempt
    if after_id:
        events = session.execute(_events(job, "job.metrics", after_id, attempt)).scalars()
        points = [point for event in events for point in event.body["points"]]
    else:
        points = memory.of(session, {job.id: attempt})[job.id]
    found = {
        "attempt": attempt,
        "points": thin(points, max_points),
        "total": len(points),
        "last_event_id": job.last_event_id,
    }
    return JobMetrics.model_validate(found)


def thin(points: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """At most `most` of the points, evenly spread, the first and the last always among them."""
    if len(points) <= most:
        return list(points)
    if most == 1:
        return [points[-1]]
    last = len(points) - 1
    return [points[round(i * last / (most - 1))] for i in range(most)]


def logs(session: Session, job: Job, *, after_id: int, limit: int, q: str, level: str) -> JobLogs:
    """Lines after an event, at or above a level, holding a text. A page ends with a whole event."""
    wanted = frozenset(LEVELS[LEVELS.index(level) :])
    items: list[LogLine] = []
    dropped, last = 0, after_id
    rows = session.execute(_events(job, "job.log", after_id).limit(SCANNED_EVENTS + 1)).scalars()
    for scanned, event in enumerate(rows):
        if scanned == SCANNED_EVENTS or len(items) >= limit:
            return JobLogs(items=items, dropped=dropped, next_after_id=last, more=True)
        items += _matching(event, q.casefold(), wanted)
        dropped += event.body["dropped"]
        last = event.id
    return JobLogs(items=items, dropped=dropped, next_after_id=last, more=False)


def _matching(event: JobEvent, q: str, levels: frozenset[str]) -> Iterator[LogLine]:
    for index, line in enumerate(event.body["lines"]):
        if line["level"] in levels and q in line["text"].casefold():
            yield LogLine(event_id=event.id, index=index, attempt=event.attempt, **line)


def artifacts(session: Session, job: Job) -> dict[str, tuple[JobArtifact, str]]:
    """The files of the newest attempt by name, each with its key in storage. The last of a name counts."""
    found = {}
    for event in session.execute(_events(job, "job.artifact", 0, job.attempt)).scalars():
        body = dict(event.body)
        key = body.pop("path")
        href = f"/api/v1/jobs/{job.id}/artifacts/{body['name']}"
        found[body["name"]] = (JobArtifact(**body, created_at=event.at, attempt=event.attempt, href=href), key)
    return found


def events(session: Session, job: Job, after_id: int, limit: int) -> JobEventList:
    """Events after an id, in order."""
    query = select(JobEvent).where(JobEvent.job_id == job.id, JobEvent.id > after_id).order_by(JobEvent.id)
    rows = session.execute(query.limit(limit + 1)).scalars().all()
    items = [as_item(event) for event in rows[:limit]]
    return JobEventList(items=items, next_after_id=items[-1].id if items else after_id, more=len(rows) > limit)


def as_item(event: JobEvent) -> JobEventItem:
    return JobEventItem(**{name: getattr(event, name) for name in JobEventItem.model_fields})


def _events(job: Job, type_: str, after_id: int, attempt: int | None = None) -> Any:
    query = select(JobEvent).where(JobEvent.job_id == job.id, JobEvent.type == type_, JobEvent.id > after_id)
    if attempt is not None:
        query = query.where(JobEvent.attempt == attempt)
    return query.order_by(JobEvent.id)

"""Series of many jobs at once, each thinned so that its peaks and dips stay, its true length told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.jobs.schemas import JobSeries, JobSeriesList
from workers.core.journal import Job, JobEvent

Points = list[tuple[int, float | None]]


def series(session: Session, job_ids: Sequence[str], names: Sequence[str], max_points: int) -> JobSeriesList:
    """The named series of the newest attempt of each job, in the order asked for; jobs that are gone are left out."""
    attempts = dict(session.execute(select(Job.id, Job.attempt).where(Job.id.in_(job_ids))).all())
    found = _points(session, attempts, names)
    return JobSeriesList(
        items=[
            _thinned(job_id, attempts[job_id], name, found[job_id, name], max_points)
            for job_id in dict.fromkeys(job_ids)
            for name in dict.fromkeys(names)
            if (job_id, name) in found
        ]
    )


def _points(session: Session, attempts: dict[str, int], names: Sequence[str]) -> dict[tuple[str, str], Points]:
    """Every value of the series by job and name, in the order of steps."""
    query = (
        select(JobEvent.job_id, JobEvent.attempt, JobEvent.body)
        .where(JobEvent.job_id.in_(attempts), JobEvent.type == "job.metrics")
        .order_by(JobEvent.job_id, JobEvent.id)
    )
    found: dict[tuple[str, str], Points] = {}
    for job_id, attempt, body in session.execute(query):
        if attempt != attempts[job_id]:
            continue
        for point in body["points"]:
            values = point["values"]
            for name in names:
                if name in values:
                    found.setdefault((job_id, name), []).append((point["step"], values[name]))
    return found


def _thinned(job_id: str, attempt: int, name: str, points: Points, most: int) -> JobSeries:
    kept = list(thin_keeping_extremes(points, most))
    return JobSeries(
        job_id=job_id,
        attempt=attempt,
        name=name,
        steps=[step for step, _ in kept],
        values=[value for _, value in kept],
        total=len(points),
    )


def thin_keeping_extremes(points: Points, most: int) -> Iterator[tuple[int, float | None]]:
    """At most `most` points, 2 or more: the first, the last, and of runs between them the lowest and the highest."""
    if len(points) <= most:
        yield from points
        return
    yield points[0]
    runs, inner = (most - 2) // 2, points[1:-1]
    for i in range(runs):
        yield from _extremes(inner[i * len(inner) // runs : (i + 1) * len(inner) // runs])
    yield points[-1]


def _extremes(run: Points) -> Iterable[tuple[int, float | None]]:
    numbers = [i for i, (_, value) in enumerate(run) if value is not None]
    if not numbers:
        return run[:1]
    places = {min(numbers, key=lambda i: run[i][1] or 0.0), max(numbers, key=lambda i: run[i][1] or 0.0)}
    return [run[i] for i in sorted(places)]

"""Series of many jobs at once, each thinned so that its peaks and dips stay, its true length told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.jobs.points import Point, PointMemory
from backend.jobs.schemas import JobSeries, JobSeriesList
from workers.core.journal import Job

Points = list[tuple[int, float | None]]


def series(
    session: Session, memory: PointMemory, job_ids: Sequence[str], names: Sequence[str], max_points: int
) -> JobSeriesList:
    """The named series of the newest attempt of each job, in the order asked for; jobs that are gone are left out."""
    attempts = dict(session.execute(select(Job.id, Job.attempt).where(Job.id.in_(job_ids))).all())
    points = memory.of(session, attempts)
    return JobSeriesList(
        items=[
            _thinned(job_id, attempts[job_id], name, found, max_points)
            for job_id in dict.fromkeys(job_ids)
            for name in dict.fromkeys(names)
            if (found := _named(points.get(job_id, []), name))
        ]
    )


def _named(points: list[Point], name: str) -> Points:
    return [(point["step"], values[name]) for point in points if name in (values := point["values"])]


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
    values = [value for _, value in run]
    numbers = [value for value in values if value is not None]
    if not numbers:
        return run[:1]
    places = {values.index(min(numbers)), values.index(max(numbers))}
    return [run[i] for i in sorted(places)]

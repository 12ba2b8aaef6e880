"""Points of jobs, kept between requests: a journal only grows, so of one that was read before only the rest is read.

That it is still the same one is seen by the newest event that was read: its id and its whole text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Text, and_, cast, or_, select
from sqlalchemy.orm import Session

from workers.core.journal import JobEvent

Point = dict[str, Any]
# The id of an event and its body as text.
Row = tuple[int, str]

# A value costs 70 to 80 bytes, and a point as much as four values beside its own: some 55 MB in all.
MOST_VALUES = 750_000
POINT_ALONE = 4


@dataclass(frozen=True)
class Known:
    """What was read of an attempt: every point up to its newest event, and that event as it stood."""

    attempt: int
    points: list[Point]
    values: int
    newest: Row


class PointMemory:
    """Points by job, those asked for last; of use to all threads, since what is known is replaced and never changed."""

    def __init__(self, most_values: int = MOST_VALUES) -> None:
        self._most = most_values
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = Lock()

    def of(self, session: Session, attempts: Mapping[str, int]) -> dict[str, list[Point]]:
        """All points of these attempts by job, as this transaction sees them; not to be changed by the caller."""
        known = self._recall(attempts)
        rows = _read(session, attempts, {job: one.newest[0] for job, one in known.items()})
        # A journal that does not go on where it was read to is another one, or older than what others have read since.
        for job in [job for job, one in known.items() if rows[job][:1] != [one.newest]]:
            del known[job]
            rows |= _read(session, {job: attempts[job]}, {})
        found = {}
        for job, attempt in attempts.items():
            before = known.get(job)
            if now := _continued(before, attempt, rows[job]):
                self._keep(job, now)
            found[job] = now.points if now else []
        return found

    def _recall(self, attempts: Mapping[str, int]) -> dict[str, Known]:
        with self._lock:
            kept = ((job, self._known.get(job)) for job in attempts)
            return {job: one for job, one in kept if one is not None and one.attempt == attempts[job]}

    def _keep(self, job: str, known: Known) -> None:
        with self._lock:
            self._known[job] = known
            self._known.move_to_end(job)
            total = sum(one.values for one in self._known.values())
            while total > self._most:
                total -= self._known.popitem(last=False)[1].values


def _continued(known: Known | None, attempt: int, rows: list[Row]) -> Known | None:
    """What is known with what `rows` add; the first of them is known where anything is."""
    if not rows or (known and len(rows) == 1):
        return known
    fresh = [point for _, body in rows[known is not None :] for point in from_json(body)["points"]]
    values = sum(POINT_ALONE + len(point["values"]) for point in fresh)
    if known is None:
        return Known(attempt, fresh, values, rows[-1])
    return Known(attempt, known.points + fresh, known.values + values, rows[-1])


def _read(session: Session, attempts: Mapping[str, int], since: Mapping[str, int]) -> dict[str, list[Row]]:
    """The events with points of each job in their order, from that with the id in `since` on.

    Bodies come as text: the database layer's own way of reading them takes several times as long.
    """
    found: dict[str, list[Row]] = {job: [] for job in attempts}
    for part in _parts(list(attempts)):
        wanted = or_(*(_of(job, attempts[job], since.get(job, 0)) for job in part))
        query = select(JobEvent.job_id, JobEvent.id, cast(JobEvent.body, Text)).where(wanted)
        for job, id_, body in session.execute(query):
            found[job].append((id_, body))
    for rows in found.values():
        rows.sort()
    return found


def _of(job: str, attempt: int, first: int) -> Any:
    mine = and_(JobEvent.job_id == job, JobEvent.id >= first)
    return and_(mine, JobEvent.type == "job.metrics", JobEvent.attempt == attempt)


def _parts(jobs: list[str], size: int = 50) -> Iterator[list[str]]:
    return (jobs[i : i + size] for i in range(0, len(jobs), size))

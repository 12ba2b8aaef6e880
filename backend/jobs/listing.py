"""Which jobs a list shows, and in which order; its pages neither repeat nor skip one, whatever is added meanwhile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from backend.errors import Refused
from workers.core.journal import Job

COUNTED_AT_MOST = 10_000
Sort = Literal["-created_at", "created_at", "name", "-name", "kind", "-kind", "state", "-state"]
# Ids begin with the time, so their order is that of creation.
_COLUMNS: dict[str, InstrumentedAttribute[str]] = {
    "created_at": Job.id,
    "name": Job.name,
    "kind": Job.kind,
    "state": Job.state,
}


@dataclass(frozen=True)
class JobFilter:
    """What jobs of a list have in common; empty means any."""

    states: Sequence[str] = ()
    kind: str | None = None
    q: str | None = None
    labels: Sequence[str] = ()

    def query(self) -> Select[Job]:
        return select(Job).where(*self._conditions())

    def _conditions(self) -> list[ColumnElement[bool]]:
        found: list[ColumnElement[bool]] = [_labelled(label) for label in self.labels]
        if self.states:
            found.append(Job.state.in_(list(self.states)))
        if self.kind:
            found.append(Job.kind == self.kind)
        if self.q:
            found.append(Job.name.icontains(self.q, autoescape=True) | Job.id.contains(self.q, autoescape=True))
        return found


def _labelled(label: str) -> ColumnElement[bool]:
    """`key=value`, or `key` for any value."""
    key, given, value = label.partition("=")
    found: ColumnElement[str] = Job.labels[key].as_string()
    return found == value if given else found.is_not(None)


def ordered(query: Select[Job], sort: Sort, after: str | None) -> Select[Job]:
    """The query in that order, from behind the job that a cursor stands for."""
    column, down = _COLUMNS[sort.removeprefix("-")], sort.startswith("-")
    if after is not None:
        query = query.where(_behind(column, down, *_place(after)))
    return query.order_by(*(c.desc() if down else c for c in dict.fromkeys((column, Job.id))))


def _behind(column: InstrumentedAttribute[str], down: bool, value: str, job_id: str) -> ColumnElement[bool]:
    beyond = column < value if down else column > value
    return or_(beyond, and_(column == value, Job.id < job_id if down else Job.id > job_id))


def place_of(job: Job, sort: Sort) -> str:
    """What a cursor carries: the job's value in the order, and its id."""
    return json.dumps([getattr(job, _COLUMNS[sort.removeprefix("-")].key), job.id])


def _place(after: str) -> tuple[str, str]:
    try:
        value, job_id = json.loads(after)
    except (TypeError, ValueError):
        raise Refused("The cursor is not one this list gave out; start without it.", code="bad_cursor") from None
    return str(value), str(job_id)


def count(session: Session, query: Select[Any]) -> int:
    """How many rows a query has, counted no further than COUNTED_AT_MOST."""
    rows = query.order_by(None).with_only_columns(Job.id).limit(COUNTED_AT_MOST).subquery()
    return session.scalar(select(func.count()).select_from(rows)) or 0

"""The list of datasets: by state, searched, a page at a time, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import and_, literal, or_, select, tuple_
from sqlalchemy.orm import Session

from backend.datasets.schemas import DatasetState
from backend.datasets.service import Row
from backend.datasets.table import Dataset
from backend.errors import Refused
from workers.core.journal import FINISHED, Job, UtcDateTime


def page(session: Session, *, q: str | None, state: DatasetState | None, after: str | None, limit: int) -> list[Row]:
    """At most `limit` datasets after the cursor, newest first; `q` is a part of a name or an id."""
    query = select(Dataset, Job).outerjoin(Job, Job.id == Dataset.job_id)
    if q:
        query = query.where(Dataset.name.icontains(q, autoescape=True) | (Dataset.id == q))
    if state:
        query = query.where(_in_state(state))
    if after is not None:
        query = query.where(tuple_(Dataset.created_at, Dataset.id) < _last(after))
    found = session.execute(query.order_by(Dataset.created_at.desc(), Dataset.id.desc()).limit(limit))
    return [(row, job) for row, job in found]


def cursor(row: Dataset) -> str:
    """What stands for a dataset in a cursor."""
    return f"{row.created_at.isoformat()} {row.id}"


def _last(after: str) -> Any:
    moment, _, dataset_id = after.partition(" ")
    try:
        return tuple_(literal(datetime.fromisoformat(moment), UtcDateTime()), literal(dataset_id))
    except ValueError:
        raise Refused("The cursor is of another list; start without it.", code="bad_cursor") from None


def _in_state(state: DatasetState) -> Any:
    over = or_(Job.id.is_(None), Job.state.in_(FINISHED))
    return {
        "ready": Dataset.info.is_not(None),
        "importing": and_(Dataset.info.is_(None), ~over),
        "failed": and_(Dataset.info.is_(None), over),
    }[state]

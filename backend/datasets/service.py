"""One dataset: its state, what the web says of it, who uses it, how it goes away."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from backend.datasets.schemas import (
    DatasetAction,
    DatasetBrief,
    DatasetDetail,
    DatasetItem,
    DatasetState,
    DatasetUse,
    DatasetUses,
)
from backend.datasets.table import Dataset
from backend.errors import Conflict, NotFound
from workers.core import dataset_store
from workers.core.dataset import DatasetInfo
from workers.core.journal import FINISHED, Job
from workers.core.storage import Storage

USES_LISTED = 50
Row = tuple[Dataset, Job | None]


def get(session: Session, dataset_id: str) -> Row:
    """A dataset with the job that made it; raises NotFound."""
    # In one statement: read one after the other, an import that ends in between looks failed.
    query = select(Dataset, Job).outerjoin(Job, Job.id == Dataset.job_id).where(Dataset.id == dataset_id)
    found = session.execute(query.execution_options(populate_existing=True)).one_or_none()
    if found is None:
        raise NotFound(f"There is no dataset {dataset_id!r}; it may have been deleted.", code="dataset_not_found")
    return found.Dataset, found.Job


def ready(row: Dataset, job: Job | None) -> tuple[Dataset, DatasetInfo]:
    """A dataset that can be looked into; Conflict while it is importing or when its import failed."""
    if row.info is None:
        state, reason = state_of(row, job)
        why = f": {reason}" if reason else ""
        raise Conflict(f"The dataset is not ready, it is {state}{why}.", code="dataset_not_ready")
    return row, _info(row.info, row.name)


def _info(stored: dict[str, Any], name: str) -> DatasetInfo:
    """Facts under the name that the dataset has now."""
    return DatasetInfo.model_validate(stored | {"name": name})


def state_of(row: Dataset, job: Job | None) -> tuple[DatasetState, str]:
    """Its state, and why where it failed: a row without facts is what its job is."""
    if row.info is not None:
        return "ready", ""
    if job is None:
        return "failed", "its import was deleted before it ended"
    if job.state in FINISHED:
        return "failed", job.state_reason or f"the import is {job.state}"
    return "importing", ""


def as_item(row: Dataset, job: Job | None) -> DatasetItem:
    brief = None if row.info is None else DatasetBrief.model_validate(_info(row.info, row.name))
    return DatasetItem(**_facts(row, job), info=brief)


def as_detail(row: Dataset, job: Job | None, storage: Storage) -> DatasetDetail:
    """With what lies beside the arrays: checks and notes."""
    checks = dataset_store.read_document(storage.files, row.id, "checks") if row.info else None
    notes = dataset_store.read_notes(storage.files, row.id) if row.info else ()
    return DatasetDetail(
        **_facts(row, job),
        info=None if row.info is None else _info(row.info, row.name),
        source=row.source,
        options=row.options,
        checks=checks or [],
        notes=list(notes),
    )


def _facts(row: Dataset, job: Job | None) -> dict[str, Any]:
    state, reason = state_of(row, job)
    return {
        "id": row.id,
        "name": row.name,
        "description": row.description,
        "state": state,
        "state_reason": reason,
        "source_type": row.source["type"],
        "job_id": row.job_id,
        "progress": job.progress if job is not None and state == "importing" else None,
        "actions": _actions(state, job),
        "created_at": row.created_at,
    }


def _actions(state: DatasetState, job: Job | None) -> list[DatasetAction]:
    if state == "importing":
        return ["cancel"]
    return ["delete", "retry"] if state == "failed" and job is not None else ["delete"]


def remove(session: Session, dataset_id: str) -> None:
    """Forget a dataset. Conflict while it is being imported or a job that has not ended names it."""
    row, job = get(session, dataset_id)
    if state_of(row, job)[0] == "importing":
        raise Conflict("The dataset is being imported; cancel the import first.", code="dataset_importing")
    busy = session.scalar(_users(dataset_id).where(Job.state.not_in(FINISHED)).limit(1))
    if busy is not None:
        raise Conflict(f"Job {busy.name!r} ({busy.id}) still needs the dataset.", code="dataset_in_use")
    session.delete(row)


def uses(session: Session, dataset_id: str) -> DatasetUses:
    """Jobs that name the dataset."""
    get(session, dataset_id)
    query = _users(dataset_id)
    total = session.scalar(query.order_by(None).with_only_columns(func.count())) or 0
    found = session.scalars(query.limit(USES_LISTED))
    return DatasetUses(
        items=[
            DatasetUse(job_id=j.id, kind=j.kind, name=j.name, state=j.state, created_at=j.created_at) for j in found
        ],
        total=total,
    )


def _users(dataset_id: str) -> Select[Job]:
    return select(Job).where(Job.spec["dataset"].as_string() == dataset_id).order_by(Job.id.desc())

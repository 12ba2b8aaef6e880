"""Everything the web does to datasets: the only place where it writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Select, and_, exists, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session

from backend.datasets.schemas import (
    BundledSource,
    DatasetAction,
    DatasetCreate,
    DatasetDetail,
    DatasetItem,
    DatasetState,
    DatasetUse,
    DatasetUses,
)  # fmt: skip
from backend.datasets.table import Dataset
from backend.errors import Conflict, NotFound, Refused, Unprocessable
from backend.jobs import service as jobs
from workers.core import dataset_store
from workers.core.database import read, write
from workers.core.dataset import DatasetInfo
from workers.core.journal import FINISHED, Job, UtcDateTime, now
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.datasets import bundled
from workers.datasets.checks import examine
from workers.datasets.summary import with_documents
from workers.systems.ingest.spec import SYSTEM, IngestSpec, UploadSource, check, new_dataset_id

USES_LISTED = 50
ADOPTED_AT_ONCE = 50
Row = tuple[Dataset, Job | None]


def create_bundled(session: Session, storage: Storage, body: DatasetCreate, source: BundledSource) -> Dataset:
    """A bundled dataset, ready at once. Unprocessable when there is none of that name."""
    if source.name not in bundled.CATALOG:
        message, hint = f"There is no bundled dataset {source.name!r}.", f"There are {', '.join(bundled.CATALOG)}."
        problem = Problem(pointer="/source/name", code="unknown_bundled", message=message, hint=hint)
        raise Unprocessable(f"{message} {hint}", code="unknown_bundled", problems=[problem])
    row = Dataset(
        id=new_dataset_id(), name=body.name, description=body.description or bundled.CATALOG[source.name].description,
        source=source.model_dump(), options={}, created_at=now(),
    )  # fmt: skip
    row.info = store_bundled(storage, row.id, source.name, body.name).model_dump(mode="json")
    session.add(row)
    return row


def store_bundled(storage: Storage, dataset_id: str, bundled_name: str, name: str) -> DatasetInfo:
    """Put a bundled dataset into storage, checked and summarised like every other."""
    data = bundled.load(bundled_name)
    return dataset_store.save(storage.files, dataset_id, with_documents(data, examine(data), name))


def create_import(session: Session, storage: Storage, body: DatasetCreate) -> tuple[Dataset, Job]:
    """A dataset and the job that will make it. Unprocessable when the source cannot be used."""
    assert not isinstance(body.source, BundledSource)
    spec = IngestSpec(
        name=f"Import {body.name}"[:120], dataset_name=body.name, source=body.source, options=body.options
    )
    problems = check(spec, lambda dataset_id: dataset_store.read_info(storage.files, dataset_id))
    if isinstance(body.source, UploadSource) and not storage.exists(f"uploads/{body.source.upload_id}"):
        problems.append(_no_upload(body.source.upload_id))
    if problems:
        raise Unprocessable("; ".join(p.message for p in problems), code="source_refused", problems=problems)
    job = jobs.create(session, spec, {}, SYSTEM.title)
    row = Dataset(
        id=spec.dataset_id, name=body.name, description=body.description, source=body.source.model_dump(mode="json"),
        options=body.options.model_dump(mode="json", exclude_defaults=True), job_id=job.id, created_at=now(),
    )  # fmt: skip
    session.add(row)
    return row, job


def _no_upload(upload_id: str) -> Problem:
    message = f"There is no upload {upload_id!r}; it may have expired."
    return Problem(pointer="/source/upload_id", code="upload_missing", message=message, hint="Upload the files again.")


def settle(engine: Engine, storage: Storage) -> None:
    """Copy the facts of imports that ended well into their rows, and give a row to those that jobs made on their own.

    Imports end in another process, which writes the dataset to storage and its outcome to the journal, not here.
    """
    with read(engine) as session:
        waiting = session.scalars(
            select(Dataset.id)
            .join(Job, Job.id == Dataset.job_id)
            .where(Dataset.info.is_(None), Job.state.in_(FINISHED))
        )
        facts = {i: info for i in waiting if (info := dataset_store.read_info(storage.files, i))}
        strays = [job for job in session.scalars(_unclaimed()) if storage.exists(_meta_of(job))]
    if facts or strays:
        with write(engine) as session:
            for dataset_id, info in facts.items():
                row = session.get(Dataset, dataset_id)
                if row is not None:
                    row.info = info.model_dump(mode="json")
            for job in strays:
                _adopt(session, storage, job)


def _unclaimed() -> Select[Job]:
    made = Job.result["dataset_id"].as_string()
    query = select(Job).where(Job.kind == SYSTEM.kind, Job.state == "succeeded", ~exists().where(Dataset.id == made))
    return query.order_by(Job.id.desc()).limit(ADOPTED_AT_ONCE)


def _meta_of(job: Job) -> str:
    return f"datasets/{job.spec['dataset_id']}/{dataset_store.META}"


def _adopt(session: Session, storage: Storage, job: Job) -> None:
    dataset_id = str(job.spec["dataset_id"])
    info = dataset_store.read_info(storage.files, dataset_id)
    if info is None or session.get(Dataset, dataset_id) is not None:
        return
    session.add(
        Dataset(
            id=dataset_id, name=info.name, description="", source=job.spec["source"], options=job.spec["options"],
            job_id=job.id, info=info.model_dump(mode="json"), created_at=job.created_at,
        )
    )  # fmt: skip


def get(session: Session, dataset_id: str) -> Row:
    """A dataset with the job that made it; raises NotFound."""
    row = session.get(Dataset, dataset_id)
    if row is None:
        raise NotFound(f"There is no dataset {dataset_id!r}; it may have been deleted.", code="dataset_not_found")
    return row, session.get(Job, row.job_id) if row.job_id else None


def ready(session: Session, dataset_id: str) -> tuple[Dataset, DatasetInfo]:
    """A dataset that can be looked into; Conflict while it is importing or when its import failed."""
    row, job = get(session, dataset_id)
    if row.info is None:
        state, reason = state_of(row, job)
        why = f": {reason}" if reason else ""
        raise Conflict(f"The dataset is not ready, it is {state}{why}.", code="dataset_not_ready")
    return row, DatasetInfo.model_validate(row.info).model_copy(update={"name": row.name})


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
    return DatasetItem(**_facts(row, job))


def as_detail(row: Dataset, job: Job | None, storage: Storage) -> DatasetDetail:
    """With what lies beside the arrays: checks and notes."""
    checks = dataset_store.read_document(storage.files, row.id, "checks") if row.info else None
    notes = dataset_store.read_notes(storage.files, row.id) if row.info else ()
    return DatasetDetail(
        **_facts(row, job), source=row.source, options=row.options, checks=checks or [], notes=list(notes)
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
        "info": None if row.info is None else {**row.info, "name": row.name},
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

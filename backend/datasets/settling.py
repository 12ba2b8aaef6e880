"""Imports end in another process; here their outcome reaches the rows of datasets."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine, Select, exists, select
from sqlalchemy.orm import Session

from backend.datasets.service import Row
from backend.datasets.table import Dataset
from workers.core import dataset_store
from workers.core.database import read, write
from workers.core.journal import FINISHED, Job, take_ids
from workers.core.storage import Storage
from workers.systems.ingest.spec import SYSTEM

ADOPTED_AT_ONCE = 50


def settled(session: Session, storage: Storage, look: Callable[[Session], list[Row]]) -> list[Row]:
    """What `look` reads in `session`, which only reads, once the imports among it that ended are settled.

    An import may end between settling and looking; its row, still without facts, would be taken for a failed one.
    """
    engine = session.get_bind().engine
    settle(engine, storage)
    found, known = look(session), set[str]()
    while late := {row.id for row, job in found if row.info is None and job and job.state == "succeeded"} - known:
        known |= late
        settle(engine, storage)
        session.rollback()  # SQLite reads what stood at the first look until the transaction ends.
        found = look(session)
    return found


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
            take_ids(session, 0)  # Two requests that look at once must not both add a row.
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

"""New datasets: from the installation at once, or as an import job."""

from __future__ import annotations

from sqlalchemy.orm import Session

from backend.datasets.bundles import store_bundled
from backend.datasets.schemas import BundledSource, DatasetCreate
from backend.datasets.table import Dataset
from backend.errors import Unprocessable
from backend.jobs import service as jobs
from workers.core import dataset_store
from workers.core.dataset import DatasetInfo
from workers.core.journal import Job, now
from workers.core.problems import Problem
from workers.core.storage import Storage
from workers.datasets import bundled
from workers.systems.ingest.spec import SYSTEM, IngestSpec, UploadSource, check, new_dataset_id


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
    row.info = _stored(storage, row.id, source.name, body.name).model_dump(mode="json")
    session.add(row)
    return row


def _stored(storage: Storage, dataset_id: str, bundled_name: str, name: str) -> DatasetInfo:
    try:
        return store_bundled(storage, dataset_id, bundled_name, name)
    except ModuleNotFoundError as error:
        message = f"{bundled_name} comes with {error.name}, which is not installed here. Choose another one."
        problem = Problem(pointer="/source/name", code="package_missing", message=message)
        raise Unprocessable(message, code="package_missing", problems=[problem]) from None


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

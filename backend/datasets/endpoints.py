"""Datasets and uploads over REST."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, File, Path, Query, Request, Response, UploadFile
from fastapi.responses import FileResponse
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.background import BackgroundTask

from backend.datasets import creating, export, hetero_export, listing, looking, service, uploads
from backend.datasets.schemas import (
    BundledChoice,
    BundledSource,
    DatasetChange,
    DatasetCreate,
    DatasetDetail,
    DatasetItem,
    DatasetList,
    DatasetNeighbourhood,
    DatasetSources,
    DatasetState,
    DatasetUses,
    FormatChoice,
    UploadItem,
)  # fmt: skip
from backend.datasets.settling import settled
from backend.db import SessionDep, after_commit
from backend.errors import errors
from backend.paging import Cursor, Limit, decode_cursor, encode_cursor
from backend.storage import StorageDep
from workers.core.dataset_store import delete as delete_dataset
from workers.core.journal import Job, now
from workers.core.storage import Storage
from workers.core.wakeup import wake
from workers.datasets import bundled
from workers.datasets.hetero_summary import GraphSchema
from workers.datasets.known import FORMATS
from workers.datasets.options import ImportOptions
from workers.datasets.summary import DatasetSummary
from workers.dispatch import send
from workers.systems.ingest.spec import BlockModel, Library, PowerLaw, Relations

router = APIRouter(tags=["datasets"])

DatasetId = Annotated[str, Path(max_length=40, pattern=r"^ds_[a-z0-9-]+$", examples=["ds_karate"])]
UploadId = Annotated[str, Path(max_length=40, pattern=r"^upl_[a-z0-9]+$", examples=["upl_01kbd0y4zv3m6t8r5w2q1x9c7h"])]
Search = Annotated[str | None, Query(max_length=120, pattern=r"^[^\x00]*$", description="Part of a name, or an id.")]
GENERATORS: dict[str, type[BaseModel]] = {
    "sbm": BlockModel, "power_law": PowerLaw, "library": Library, "relations": Relations,
}  # fmt: skip
NPZ: dict[int | str, dict[str, Any]] = {
    200: {"description": "An .npz, or a .zip of tables.", "content": {"application/zip": {}}}
}


@router.post(
    "/uploads",
    status_code=201,
    operation_id="uploads_create",
    responses=errors(507),
    max_body_size=uploads.MAX_UPLOAD_BYTES,
)
def uploads_create(
    files: Annotated[list[UploadFile], File(description="The files of one dataset, or one archive of them.")],
    storage: StorageDep,
    response: Response,
) -> UploadItem:
    """Send files. They wait for an import for a week."""
    uploads.prune(storage, now())
    upload_id = uploads.store(storage, files)
    response.headers["Location"] = f"/api/v1/uploads/{upload_id}"
    return uploads.describe(storage, upload_id)


@router.get("/uploads/{upload_id}", operation_id="uploads_get", responses=errors(404))
def uploads_get(upload_id: UploadId, storage: StorageDep) -> UploadItem:
    """What an upload holds, and the format it looks like."""
    return uploads.describe(storage, upload_id)


@router.delete("/uploads/{upload_id}", status_code=204, operation_id="uploads_delete", responses=errors(404))
def uploads_delete(upload_id: UploadId, storage: StorageDep) -> None:
    """Take an upload away; datasets made from it stay."""
    uploads.describe(storage, upload_id)
    storage.delete(f"uploads/{upload_id}")


@router.get("/dataset-sources", operation_id="datasets_sources")
def sources(request: Request) -> DatasetSources:
    """Where datasets can come from, and what each asks for."""
    return DatasetSources(
        bundled=[BundledChoice(name=n, title=b.title, description=b.description) for n, b in bundled.CATALOG.items()],
        formats=[FormatChoice(name=f.name, title=f.title, files=f.files) for f in FORMATS],
        generators={name: source.model_json_schema() for name, source in GENERATORS.items()},
        options=ImportOptions.model_json_schema(),
        folders=bool(request.app.state.settings.data_roots),
        max_upload_bytes=uploads.MAX_UPLOAD_BYTES,
    )


@router.get("/datasets", operation_id="datasets_list")
def list_(
    session: SessionDep,
    storage: StorageDep,
    q: Search = None,
    state: Annotated[DatasetState | None, Query(description="Only datasets in this state.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DatasetList:
    """Datasets, newest first."""
    page = partial(listing.page, q=q, state=state, after=decode_cursor(cursor), limit=limit + 1)
    found = settled(session, storage, page)
    return DatasetList(
        items=[service.as_item(*row) for row in found[:limit]],
        next_cursor=encode_cursor(listing.cursor(found[limit - 1][0])) if len(found) > limit else None,
    )


@router.post("/datasets", status_code=201, operation_id="datasets_create")
def create(
    body: DatasetCreate, session: SessionDep, storage: StorageDep, request: Request, response: Response
) -> DatasetItem:
    """Make a dataset. A bundled one is ready at once; any other is importing until its job has ended."""
    job = None
    if isinstance(body.source, BundledSource):
        row = creating.create_bundled(session, storage, body, body.source)
    else:
        row, job = creating.create_import(session, storage, body)
        _start_after(session, request, job)
    response.headers["Location"] = f"/api/v1/datasets/{row.id}"
    return service.as_item(row, job)


def _start_after(session: Session, request: Request, job: Job) -> None:
    """Send the import once it is stored, and wake who listens."""
    queued = (request.app.state.settings.broker_url, job.id, job.attempt, job.device)

    def start() -> None:
        send(*queued)
        wake(request.app.state.broker)

    after_commit(session, start)


def _found(session: Session, storage: Storage, dataset_id: str) -> service.Row:
    [found] = settled(session, storage, lambda reading: [service.get(reading, dataset_id)])
    return found


@router.get("/datasets/{dataset_id}", operation_id="datasets_get", responses=errors(404))
def get(dataset_id: DatasetId, session: SessionDep, storage: StorageDep) -> DatasetDetail:
    """One dataset, with how it was made and what was checked."""
    return service.as_detail(*_found(session, storage, dataset_id), storage)


@router.patch("/datasets/{dataset_id}", operation_id="datasets_update", responses=errors(404))
def update(dataset_id: DatasetId, body: DatasetChange, session: SessionDep) -> DatasetItem:
    """Rename or describe a dataset."""
    row, job = service.get(session, dataset_id)
    row.name = row.name if body.name is None else body.name
    row.description = row.description if body.description is None else body.description
    return service.as_item(row, job)


@router.delete("/datasets/{dataset_id}", status_code=204, operation_id="datasets_delete", responses=errors(404, 409))
def delete(dataset_id: DatasetId, session: SessionDep, storage: StorageDep) -> None:
    """Delete a dataset and its files. Not while it is being imported or a job that has not ended needs it."""
    service.remove(session, dataset_id)
    after_commit(session, lambda: delete_dataset(storage.files, dataset_id))


@router.get("/datasets/{dataset_id}/summary", operation_id="datasets_summary", responses=errors(404, 409))
def summary(dataset_id: DatasetId, session: SessionDep, storage: StorageDep) -> DatasetSummary:
    """Degrees, features and classes, worked out when the dataset was made."""
    row, _ = service.ready(*_found(session, storage, dataset_id))
    return looking.summary(storage, row.id)


@router.get("/datasets/{dataset_id}/schema", operation_id="datasets_schema", responses=errors(404, 409, 422))
def schema(dataset_id: DatasetId, session: SessionDep, storage: StorageDep) -> GraphSchema:
    """Types and relations of a heterogeneous dataset, with counts and degrees."""
    _, info = service.ready(*_found(session, storage, dataset_id))
    return looking.schema(storage, info)


@router.get("/datasets/{dataset_id}/neighbourhood", operation_id="datasets_neighbourhood", responses=errors(404, 409))
def neighbourhood(
    dataset_id: DatasetId,
    session: SessionDep,
    storage: StorageDep,
    vertex: Annotated[
        int | None, Query(ge=0, le=2**31 - 1, description="In the middle; None: one that draws well.")
    ] = None,
    hops: Annotated[int, Query(ge=1, le=3, description="How far to go.")] = 2,
    limit: Annotated[int, Query(ge=1, le=200, description="Most vertices.")] = 40,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="Another seed draws another sample.")] = 0,
) -> DatasetNeighbourhood:
    """A sampled piece of the graph, for a small drawing."""
    _, info = service.ready(*_found(session, storage, dataset_id))
    return looking.neighbourhood(storage, info, vertex, hops, limit, seed)


@router.get("/datasets/{dataset_id}/jobs", operation_id="datasets_jobs", responses=errors(404))
def jobs(dataset_id: DatasetId, session: SessionDep) -> DatasetUses:
    """Jobs that use the dataset."""
    return service.uses(session, dataset_id)


@router.get(
    "/datasets/{dataset_id}/export", operation_id="datasets_export", response_class=FileResponse,
    responses=NPZ | errors(404, 409),
)  # fmt: skip
def export_(dataset_id: DatasetId, session: SessionDep, storage: StorageDep) -> FileResponse:
    """The dataset as one .npz in the layout of the GNN benchmark; a heterogeneous one as a .zip of tables.

    Either can be imported again.
    """
    row, info = service.ready(*_found(session, storage, dataset_id))
    write, suffix = (export.write, ".npz") if info.heterogeneous is None else (hetero_export.write, ".zip")
    path = write(storage, row.id)
    return FileResponse(
        path, media_type="application/zip", filename=f"{row.name}{suffix}", background=BackgroundTask(path.unlink)
    )

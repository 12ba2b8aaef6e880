"""Models over REST."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from backend.db import SessionDep
from backend.errors import Unprocessable, errors
from backend.etags import NOT_MODIFIED, IfMatch, IfNoneMatch, matching_tags, quoted
from backend.models import listing, service
from backend.models.diff import compared
from backend.models.schemas import (
    ModelCreate,
    ModelDiff,
    ModelDraft,
    ModelDuplicate,
    ModelItem,
    ModelList,
    ModelRename,
    ModelSort,
    ModelValidation,
    ModelValidationCreate,
    ModelVersionDoc,
    ModelVersionItem,
    ModelVersionList,
    VersionCreate,
)
from backend.models.table import Model
from backend.models.validations import checked, chosen_dataset
from backend.paging import Cursor, Limit, decode_cursor, encode_cursor
from backend.storage import StorageDep
from workers.core.model import ModelDoc
from workers.core.problems import Problem
from workers.zoo.templates import TEMPLATES

router = APIRouter(tags=["models"])

ModelId = Annotated[str, Path(max_length=40, pattern="^mdl_", examples=["mdl_01kbd0y4zv3m6t8r5w2q1x9c7h"])]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the version, from 1.")]
Search = Annotated[str | None, Query(max_length=120, pattern=r"^[^\x00]*$", description="Part of a name, or an id.")]
State = Annotated[str, Query(pattern=r"^(draft|[1-9][0-9]{0,8})$", description="`draft`, or a version's number.")]
UNCHANGED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The newest version means the same already.", "model": ModelVersionItem}
}


@router.get("/models", operation_id="models_list")
def list_(
    session: SessionDep,
    q: Search = None,
    sort: Annotated[ModelSort, Query(description="`-` is newest first.")] = "-updated_at",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> ModelList:
    """Models, the last changed first."""
    found = listing.page(session, sort, q, decode_cursor(cursor), limit + 1)
    more = len(found) > limit
    return ModelList(
        items=[service.as_item(model) for model in found[:limit]],
        next_cursor=encode_cursor(listing.cursor(found[limit - 1], sort)) if more else None,
    )


@router.post("/models", status_code=201, operation_id="models_create")
def create(body: ModelCreate, session: SessionDep, response: Response) -> ModelItem:
    """Make a model: empty, from a template, or with a document. Documents with faults are kept; checks name them."""
    return _created(service.create(session, body.name, _first_doc(body), body.template), response)


def _first_doc(body: ModelCreate) -> ModelDoc:
    if body.template is None:
        return body.doc or ModelDoc()
    if body.doc is not None:
        message = "A model starts from a template or from a document, not from both."
        raise Unprocessable(message, problems=[Problem(pointer="/template", code="two_starts", message=message)])
    if body.template not in TEMPLATES:
        message, hint = f"There is no template {body.template!r}.", f"There are {', '.join(TEMPLATES)}."
        problems = [Problem(pointer="/template", code="unknown_template", message=message, hint=hint)]
        raise Unprocessable(f"{message} {hint}", problems=problems)
    return TEMPLATES[body.template].doc


def _created(model: Model, response: Response) -> ModelItem:
    response.headers["Location"] = f"/api/v1/models/{model.id}"
    response.headers["ETag"] = quoted(model.draft_etag)
    return service.as_item(model)


@router.get("/models/{model_id}", operation_id="models_get", responses=errors(404))
def get(model_id: ModelId, session: SessionDep) -> ModelItem:
    """One model, without its document."""
    return service.as_item(service.get(session, model_id))


@router.patch("/models/{model_id}", operation_id="models_rename", responses=errors(404))
def rename(model_id: ModelId, body: ModelRename, session: SessionDep) -> ModelItem:
    """Give a model another name."""
    return service.as_item(service.rename(session, model_id, body.name))


@router.delete("/models/{model_id}", status_code=204, operation_id="models_delete", responses=errors(404))
def delete(model_id: ModelId, session: SessionDep) -> None:
    """Forget a model, its draft and its versions. Jobs keep the documents they ran."""
    service.remove(session, model_id)


@router.post("/models/{model_id}/duplicate", status_code=201, operation_id="models_duplicate", responses=errors(404))
def duplicate(model_id: ModelId, body: ModelDuplicate, session: SessionDep, response: Response) -> ModelItem:
    """Make a new model with the same draft."""
    return _created(service.duplicate(session, model_id, body.name), response)


@router.get(
    "/models/{model_id}/draft", operation_id="models_draft_get", response_model=ModelDraft,
    responses={**NOT_MODIFIED, **errors(404)},
)  # fmt: skip
def draft_get(
    model_id: ModelId, session: SessionDep, response: Response, if_none_match: IfNoneMatch = None
) -> ModelDraft | Response:
    """The draft: the document as it is being edited. Its `doc` is also what an export is."""
    model = service.get(session, model_id)
    tag = quoted(model.draft_etag)
    if if_none_match and model.draft_etag in matching_tags(if_none_match):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return service.as_draft(model)


@router.put("/models/{model_id}/draft", operation_id="models_draft_put", responses=errors(404, 412, 428))
def draft_put(
    model_id: ModelId, body: ModelDoc, session: SessionDep, response: Response, if_match: IfMatch = None
) -> ModelDraft:
    """Save the draft. If-Match says which draft was edited: 412 if it is no longer the stored one, 428 without it."""
    model = service.save_draft(session, model_id, body, if_match)
    response.headers["ETag"] = quoted(model.draft_etag)
    return service.as_draft(model)


@router.get("/models/{model_id}/versions", operation_id="models_versions_list", responses=errors(404))
def versions_list(model_id: ModelId, session: SessionDep, limit: Limit = 50, cursor: Cursor = None) -> ModelVersionList:
    """Versions of a model, newest first."""
    after = decode_cursor(cursor)
    before = int(after) if after and after.isdecimal() else None
    found = service.versions(session, model_id, before, limit + 1)
    return ModelVersionList(
        items=[service.as_version(v) for v in found[:limit]],
        next_cursor=encode_cursor(str(found[limit - 1].number)) if len(found) > limit else None,
    )


@router.post(
    "/models/{model_id}/versions", status_code=201, operation_id="models_versions_create",
    responses=UNCHANGED | errors(404, 412, 428),
)  # fmt: skip
def versions_create(
    model_id: ModelId, body: VersionCreate, session: SessionDep, response: Response, if_match: IfMatch = None
) -> ModelVersionItem:
    """Keep the draft as a version. If-Match is the draft's ETag. Returns the newest version where nothing changed."""
    found, new = service.keep_version(session, model_id, body.note, if_match)
    response.status_code = 201 if new else 200
    response.headers["Location"] = f"/api/v1/models/{model_id}/versions/{found.number}"
    return service.as_version(found)


@router.get(
    "/models/{model_id}/versions/{number}", operation_id="models_versions_get", response_model=ModelVersionDoc,
    responses={**NOT_MODIFIED, **errors(404)},
)  # fmt: skip
def versions_get(
    model_id: ModelId, number: Number, session: SessionDep, response: Response, if_none_match: IfNoneMatch = None
) -> ModelVersionDoc | Response:
    """One version with its document. It never changes, so its ETag is its hash."""
    found = service.version(session, model_id, number)
    headers = {"ETag": quoted(found.content_hash), "Cache-Control": "private, max-age=31536000, immutable"}
    if if_none_match and found.content_hash in matching_tags(if_none_match):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return service.as_version_doc(found)


@router.post(
    "/models/{model_id}/versions/{number}/restore", operation_id="models_versions_restore",
    responses=errors(404, 412, 428),
)  # fmt: skip
def versions_restore(
    model_id: ModelId, number: Number, session: SessionDep, response: Response, if_match: IfMatch = None
) -> ModelDraft:
    """Make a version the draft again. A draft with unkept changes becomes a version first, so nothing is lost."""
    model = service.restore(session, model_id, number, if_match)
    response.headers["ETag"] = quoted(model.draft_etag)
    return service.as_draft(model)


@router.get("/models/{model_id}/diff", operation_id="models_diff", responses=errors(404))
def diff(model_id: ModelId, session: SessionDep, before: State = "1", after: State = "draft") -> ModelDiff:
    """What differs between two versions, or a version and the draft."""
    docs = (service.doc_of(session, model_id, state) for state in (before, after))
    return compared(before, after, *docs)


@router.post("/model-validations", operation_id="model_validations_create")
def validations_create(body: ModelValidationCreate, storage: StorageDep) -> ModelValidation:
    """Check a document, stored or not. Says every problem with its place, and what flows on each wire."""
    return checked(body.doc, chosen_dataset(storage, body.dataset_id))

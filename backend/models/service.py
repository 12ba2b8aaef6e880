"""Everything the web does to models: the only place where it reads and writes them."""

from __future__ import annotations

from functools import lru_cache

from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from ulid import ULID

from backend.errors import NotFound, PlatformError
from backend.etags import matching_tags, quoted, tag_of
from backend.models.schemas import ModelDraft, ModelItem, ModelVersionDoc, ModelVersionItem
from backend.models.table import Model, ModelVersion
from workers.core.journal import now
from workers.core.model import ModelDoc, canonical_json, content_hash
from workers.zoo.validate import validate

ANY = "*"
"""The If-Match that matches whatever is there: overwrite."""


class PreconditionRequired(PlatformError):
    """The request would change something without saying which state of it was seen."""

    status, code = 428, "if_match_required"


class PreconditionFailed(PlatformError):
    """Someone else changed it in the meantime."""

    status, code = 412, "stale"


def create(session: Session, name: str, doc: ModelDoc, template: str | None = None) -> Model:
    """A new model whose draft is `doc`, without versions."""
    at = now()
    model = Model(
        id=f"mdl_{str(ULID()).lower()}", name=name, template=template, newest_version=0, newest_hash=None,
        created_at=at, updated_at=at,
    )  # fmt: skip
    _set_draft(model, doc)
    session.add(model)
    return model


def get(session: Session, model_id: str, *, lock: bool = False) -> Model:
    """The model; raises NotFound. `lock` holds up other writers of the same model until the transaction ends."""
    model = session.get(Model, model_id, with_for_update=lock, populate_existing=lock)
    if model is None:
        raise NotFound(f"There is no model {model_id!r}; it may have been deleted.", code="model_not_found")
    return model


def get_matching(session: Session, model_id: str, if_match: str | None) -> Model:
    """The model, locked, if its draft is still the one the caller saw; raises what the API answers otherwise."""
    model = get(session, model_id, lock=True)
    if if_match is None:
        message = "Say which draft this change is for: send its ETag as If-Match."
        raise PreconditionRequired(message, headers={"ETag": quoted(model.draft_etag)}, current_etag=model.draft_etag)
    if if_match.strip() != ANY and model.draft_etag not in matching_tags(if_match):
        message = "The draft was changed elsewhere since it was read. Read it again, or keep yours as a new model."
        raise PreconditionFailed(
            message, headers={"ETag": quoted(model.draft_etag)}, current_etag=model.draft_etag,
            current=f"/api/v1/models/{model.id}/draft",
        )  # fmt: skip
    return model


def rename(session: Session, model_id: str, name: str) -> Model:
    model = get(session, model_id, lock=True)
    model.name, model.updated_at = name, now()
    return model


def remove(session: Session, model_id: str) -> None:
    """Forget a model, its draft and its versions. Jobs made from it keep the documents they ran."""
    get(session, model_id)
    session.execute(delete(ModelVersion).where(ModelVersion.model_id == model_id))
    session.execute(delete(Model).where(Model.id == model_id))


def save_draft(session: Session, model_id: str, doc: ModelDoc, if_match: str | None) -> Model:
    """Replace the draft the caller saw. An unchanged document leaves the model as it is."""
    model = get_matching(session, model_id, if_match)
    if tag_of(_text(doc).encode()) != model.draft_etag:
        _set_draft(model, doc)
        model.updated_at = now()
    return model


def keep_version(session: Session, model_id: str, note: str, if_match: str | None) -> tuple[ModelVersion, bool]:
    """The draft as a version, and whether it is new: a draft that means what the newest version means is that one."""
    model = get_matching(session, model_id, if_match)
    if model.newest_hash == model.draft_hash:
        return version(session, model_id, model.newest_version), False
    return _add_version(session, model, note), True


def restore(session: Session, model_id: str, number: int, if_match: str | None) -> Model:
    """Make an old version the draft again. A draft that differs from the newest version is kept as one first."""
    model = get_matching(session, model_id, if_match)
    old = version(session, model_id, number)
    if model.newest_version == 0 or version(session, model_id, model.newest_version).doc != model.draft:
        # Compared as documents: positions, groups and notes are no part of the hash, and would be lost.
        _add_version(session, model, f"Before version {number} was restored")
    _set_draft(model, ModelDoc.model_validate_json(old.doc))
    model.updated_at = now()
    return model


def duplicate(session: Session, model_id: str, name: str | None) -> Model:
    """A new model with the same draft; versions stay with the original."""
    original = get(session, model_id)
    copy = name or f"{original.name[:113].rstrip()} (copy)"
    return create(session, copy, ModelDoc.model_validate_json(original.draft), original.template)


def version(session: Session, model_id: str, number: int) -> ModelVersion:
    """One version; raises NotFound."""
    found = session.get(ModelVersion, (model_id, number))
    if found is None:
        model = get(session, model_id)
        known = f"versions 1 to {model.newest_version}" if model.newest_version else "no versions yet"
        raise NotFound(f"There is no version {number} of {model.name}; it has {known}.", code="version_not_found")
    return found


def doc_of(session: Session, model_id: str, state: str) -> ModelDoc:
    """The document of a version, or of the draft; raises NotFound."""
    text = get(session, model_id).draft if state == "draft" else version(session, model_id, int(state)).doc
    return ModelDoc.model_validate_json(text)


def versions(session: Session, model_id: str, before: int | None, limit: int) -> list[ModelVersion]:
    """Versions of a model, newest first; raises NotFound where there is no model."""
    get(session, model_id)
    query = select(ModelVersion).where(ModelVersion.model_id == model_id).order_by(ModelVersion.number.desc())
    return list(session.scalars((query.where(ModelVersion.number < before) if before else query).limit(limit)))


def as_item(model: Model) -> ModelItem:
    return ModelItem(
        id=model.id, name=model.name, template=model.template, nodes=model.draft_nodes, draft_etag=model.draft_etag,
        draft_hash=model.draft_hash, newest_version=model.newest_version,
        draft_differs=model.draft_hash != model.newest_hash, fault=_first_fault(model.draft),
        created_at=model.created_at, updated_at=model.updated_at,
    )  # fmt: skip


def as_draft(model: Model) -> ModelDraft:
    return ModelDraft(
        model_id=model.id, doc=ModelDoc.model_validate_json(model.draft), etag=model.draft_etag,
        content_hash=model.draft_hash, updated_at=model.updated_at,
    )  # fmt: skip


def as_version(found: ModelVersion) -> ModelVersionItem:
    return ModelVersionItem(
        model_id=found.model_id, number=found.number, note=found.note, content_hash=found.content_hash,
        created_at=found.created_at,
    )  # fmt: skip


def as_version_doc(found: ModelVersion) -> ModelVersionDoc:
    return ModelVersionDoc(**as_version(found).model_dump(), doc=ModelDoc.model_validate_json(found.doc))


@lru_cache(maxsize=256)
def _first_fault(text: str) -> str | None:
    """Message of the first error of a document. Lists show it, so each document is checked once."""
    problems = validate(ModelDoc.model_validate_json(text)).problems
    return next((p.message for p in problems if p.severity == "error"), None)


def _set_draft(model: Model, doc: ModelDoc) -> None:
    model.draft = _text(doc)
    model.draft_etag, model.draft_hash = tag_of(model.draft.encode()), content_hash(doc)
    model.draft_nodes = len(doc.nodes)


def _add_version(session: Session, model: Model, note: str) -> ModelVersion:
    model.newest_version, model.newest_hash = model.newest_version + 1, model.draft_hash
    added = ModelVersion(
        model_id=model.id, number=model.newest_version, note=note, doc=model.draft, content_hash=model.draft_hash,
        created_at=now(),
    )  # fmt: skip
    session.add(added)
    return added


def _text(doc: ModelDoc) -> str:
    return canonical_json(doc.model_dump(mode="json")).decode()

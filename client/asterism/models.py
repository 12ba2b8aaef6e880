"""Models: drafts, versions and what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from asterism.handle import Handle, pages
from asterism.schemas import (
    ModelDiff,
    ModelDoc,
    ModelDraft,
    ModelItem,
    ModelValidation,
    ModelVersionDoc,
    ModelVersionItem,
)
from asterism.transport import Transport

Doc = ModelDoc | Mapping[str, Any]


class Version(ModelVersionItem, Handle):
    """One version, as lists show it; `Model.version` reads its document."""


class Model(ModelItem, Handle):
    """One model. It remembers which draft it saw last, so that saving never overwrites what somebody else did."""

    def draft(self) -> ModelDraft:
        """The document as it is being edited."""
        return self._saw(self._api.get(f"{self._path}/draft"))

    def save(self, doc: Doc) -> ModelDraft:
        """Save the draft. Raises ApiError (412) where it was changed since this object saw it: look at `draft()`."""
        return self._saw(
            self._api.request("PUT", f"{self._path}/draft", json=doc_json(doc), headers=self._if_match).json()
        )

    def keep(self, note: str = "") -> Version:
        """Keep the draft as a version; gives the newest one where nothing changed since."""
        kept = self._api.post(f"{self._path}/versions", {"note": note}, headers=self._if_match)
        self.become(self._api.get(self._path))
        return Version.of(self._api, kept)

    def versions(self) -> Iterator[Version]:
        """Versions, newest first."""
        return pages(self._api, f"{self._path}/versions", Version)

    def version(self, number: int) -> ModelVersionDoc:
        """One version with its document."""
        return ModelVersionDoc.model_validate(self._api.get(f"{self._path}/versions/{number}"))

    def restore(self, number: int) -> ModelDraft:
        """Make a version the draft again; a draft with unkept changes becomes a version first."""
        return self._saw(self._api.post(f"{self._path}/versions/{number}/restore", headers=self._if_match))

    def diff(self, before: int | str = 1, after: int | str = "draft") -> ModelDiff:
        """What differs between two versions, or a version and the draft."""
        return ModelDiff.model_validate(self._api.get(f"{self._path}/diff", before=before, after=after))

    def rename(self, name: str) -> Self:
        """Give the model another name."""
        return self.become(self._api.request("PATCH", self._path, json={"name": name}).json())

    def duplicate(self, name: str | None = None) -> Model:
        """Make a new model with the same draft."""
        return Model.of(self._api, self._api.post(f"{self._path}/duplicate", {"name": name}))

    def delete(self) -> None:
        """Forget the model, its draft and its versions."""
        self._api.request("DELETE", self._path)

    def _saw(self, draft: dict[str, Any]) -> ModelDraft:
        found = ModelDraft.model_validate(draft)
        self.draft_etag, self.draft_hash = found.etag, found.content_hash
        return found

    @property
    def _if_match(self) -> dict[str, str]:
        return {"If-Match": f'"{self.draft_etag}"'}

    @property
    def _path(self) -> str:
        return f"/models/{self.id}"


class Models:
    """`a.models`."""

    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, name: str, *, template: str | None = None, doc: Doc | None = None) -> Model:
        """Make a model: empty, from a template, or with a document."""
        body = {"name": name, "template": template, "doc": None if doc is None else doc_json(doc)}
        return Model.of(self._api, self._api.post("/models", body))

    def get(self, model_id: str) -> Model:
        """One model."""
        return Model.of(self._api, self._api.get(f"/models/{model_id}"))

    def versions(self, model_id: str) -> Iterator[Version]:
        """Versions of a model, newest first."""
        return pages(self._api, f"/models/{model_id}/versions", Version)

    def check(self, doc: Doc, dataset: str | None = None) -> ModelValidation:
        """What is wrong with a document, and what flows on each wire."""
        body = {"doc": doc_json(doc), "dataset_id": dataset}
        return ModelValidation.model_validate(self._api.post("/model-validations", body))

    def list(self, *, q: str | None = None, sort: str = "-updated_at") -> Iterator[Model]:
        """Models, the last changed first."""
        return pages(self._api, "/models", Model, q=q, sort=sort)


def doc_json(doc: Doc) -> dict[str, Any]:
    """A document as the API takes it."""
    return doc.to_json() if isinstance(doc, ModelDoc) else dict(doc)

"""Datasets: importing, generating and looking at them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from asterism.base import Schema
from asterism.errors import AsterismError
from asterism.handle import Handle, pages
from asterism.schemas import DatasetItem, DatasetSummary, GraphSchema
from asterism.transport import Transport

LOOK_S = 0.3


class ImportFailed(AsterismError):
    """A dataset could not be made; the message says file, row and remedy."""


class Dataset(DatasetItem, Handle):
    """One dataset. A bundled one is ready at once, any other when its import has ended: `wait`."""

    def refresh(self) -> Self:
        """Look at the dataset again."""
        return self.become(self._api.get(self._path))

    def wait(self, timeout_s: float = 600.0) -> Self:
        """Wait until the dataset is ready. Raises ImportFailed, or TimeoutError."""
        until = time.monotonic() + timeout_s
        while self.refresh().state == "importing":
            if time.monotonic() > until:
                raise TimeoutError(f"{self.id} is still being imported after {timeout_s} s; it goes on")
            time.sleep(LOOK_S)
        if self.state == "failed":
            raise ImportFailed(f"{self.name}: {self.state_reason}")
        return self

    def summary(self) -> DatasetSummary:
        """Degrees, features and classes."""
        return DatasetSummary.model_validate(self._api.get(f"{self._path}/summary"))

    def graph_schema(self) -> GraphSchema:
        """Types and relations of a heterogeneous dataset, each with counts and degrees."""
        return GraphSchema.model_validate(self._api.get(f"{self._path}/schema"))

    def rename(self, name: str, description: str | None = None) -> Self:
        """Give the dataset another name, and another description where one is given."""
        body = {"name": name, "description": description}
        return self.become(self._api.request("PATCH", self._path, json=body).json())

    def download(self, to: str | Path = ".") -> Path:
        """Save the dataset as one .npz; `to` is a folder or the file to write."""
        target = Path(to)
        return self._api.save(f"{self._path}/export", target / f"{self.id}.npz" if target.is_dir() else target)

    def delete(self) -> None:
        """Delete the dataset and its files."""
        self._api.request("DELETE", self._path)

    @property
    def _path(self) -> str:
        return f"/datasets/{self.id}"


class Datasets:
    """`a.datasets`."""

    def __init__(self, api: Transport) -> None:
        self._api = api

    def import_files(self, name: str, *files: str | Path, description: str = "", **options: Any) -> Dataset:
        """Upload the files of one dataset, or one archive of them, and import them.

        Keywords are import options: `format="edge_list", split="random"`.
        """
        with ExitStack() as opened:
            parts = [("files", (Path(f).name, opened.enter_context(Path(f).open("rb")))) for f in files]
            upload = self._api.post("/uploads", files=parts)
        return self._create(name, {"type": "upload", "upload_id": upload["id"]}, description, options)

    def import_folder(self, name: str, path: str, *, description: str = "", **options: Any) -> Dataset:
        """Import a folder of the server's machine, below one of its ASTERISM_DATA_ROOTS."""
        return self._create(name, {"type": "folder", "path": path}, description, options)

    def import_bundled(self, bundled: str, *, name: str | None = None, description: str = "") -> Dataset:
        """Make a dataset of a graph that comes with the installation."""
        return self._create(name or bundled, {"type": "bundled", "name": bundled}, description, {})

    def generate(self, name: str, generator: Schema | Mapping[str, Any], *, description: str = "") -> Dataset:
        """Make a graph from a seed: `BlockModel(n=1000)`, or `{"type": "sbm", "n": 1000}`."""
        made = generator.to_json() if isinstance(generator, Schema) else dict(generator)
        return self._create(name, {"type": "generator", "generator": made}, description, {})

    def get(self, dataset_id: str) -> Dataset:
        """One dataset."""
        return Dataset.of(self._api, self._api.get(f"/datasets/{dataset_id}"))

    def list(self, *, q: str | None = None, state: str | None = None) -> Iterator[Dataset]:
        """Datasets, newest first."""
        return pages(self._api, "/datasets", Dataset, q=q, state=state)

    def _create(self, name: str, source: dict[str, Any], description: str, options: dict[str, Any]) -> Dataset:
        body = {"name": name, "description": description, "source": source, "options": options}
        return Dataset.of(self._api, self._api.post("/datasets", body))

"""What a running system may say and hear. Systems know this protocol and nothing of databases, brokers or the web."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from workers.core.dataset import GraphData
from workers.core.errors import WrongGraph
from workers.core.hetero import HeteroData


class JobCancelled(Exception):
    """The user asked this job to stop; raised out of `Channel.checkpoint`."""


@dataclass(frozen=True)
class Command:
    """An instruction sent to a running job, for example a resize."""

    type: str
    body: dict[str, Any]


class Channel(Protocol):
    """A system's only way to the outside."""

    def progress(self, done: int, total: int | None, unit: str) -> None:
        """Say how far the job is; `total` is None while it is unknown. The ETA is worked out from the pace."""

    def metric(self, step: int, **values: float) -> None:
        """Add one point to each named series. Non-finite values are allowed and drawn as gaps."""

    def log(self, text: str, level: str = "info") -> None:
        """Add a line to the job's log. Levels: debug, info, warning, error."""

    def artifact(self, name: str, content: bytes | Path, media_type: str = "application/octet-stream") -> None:
        """Store a file with the job. The same name replaces the earlier content."""

    def checkpoint(self) -> None:
        """Call at least once a second: raises JobCancelled when the job was cancelled."""

    def next_command(self) -> Command | None:
        """The oldest command not yet taken, or None."""

    def load_dataset(self, dataset_id: str) -> GraphData:
        """Load a stored dataset; KeyError naming the id when it is not there, WrongGraph when it is heterogeneous."""

    def load_hetero(self, dataset_id: str) -> HeteroData:
        """Load a stored heterogeneous dataset; raises as `load_dataset` does."""

    def save_dataset(self, dataset_id: str, data: GraphData | HeteroData) -> None:
        """Store a dataset whole or not at all: it becomes visible only once complete."""

    def open_upload(self, upload_id: str) -> Path:
        """A local folder holding the files of one upload, read-only for the system."""


@dataclass
class MemoryChannel:
    """A channel that remembers: for tests, `make demo` and use as a library."""

    datasets: dict[str, GraphData | HeteroData] = field(default_factory=dict)
    uploads: dict[str, Path] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    metrics: list[tuple[int, dict[str, float]]] = field(default_factory=list)
    logs: list[tuple[str, str]] = field(default_factory=list)
    artifacts: dict[str, bytes] = field(default_factory=dict)
    progresses: list[tuple[int, int | None, str]] = field(default_factory=list)
    cancelled: bool = False

    def progress(self, done: int, total: int | None, unit: str) -> None:
        self.progresses.append((done, total, unit))

    def metric(self, step: int, **values: float) -> None:
        self.metrics.append((step, values))

    def log(self, text: str, level: str = "info") -> None:
        self.logs.append((level, text))

    def artifact(self, name: str, content: bytes | Path, media_type: str = "application/octet-stream") -> None:
        del media_type  # Only the pages need it.
        self.artifacts[name] = content if isinstance(content, bytes) else content.read_bytes()

    def checkpoint(self) -> None:
        if self.cancelled:
            raise JobCancelled

    def next_command(self) -> Command | None:
        return self.commands.pop(0) if self.commands else None

    def load_dataset(self, dataset_id: str) -> GraphData:
        data = self.datasets[dataset_id]
        if isinstance(data, GraphData):
            return data
        raise WrongGraph(data.name, "heterogeneous", "one type of vertices and edges")

    def load_hetero(self, dataset_id: str) -> HeteroData:
        data = self.datasets[dataset_id]
        if isinstance(data, HeteroData):
            return data
        raise WrongGraph(data.name, "of one type", "types of vertices and relations")

    def save_dataset(self, dataset_id: str, data: GraphData | HeteroData) -> None:
        self.datasets[dataset_id] = data

    def open_upload(self, upload_id: str) -> Path:
        return self.uploads[upload_id]

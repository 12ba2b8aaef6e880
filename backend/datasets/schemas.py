"""Datasets as the web sees them. Output schemas have no defaults: every key is always there."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from backend.jobs.schemas import JobProgress
from workers.core.dataset import DatasetFacts, DatasetInfo, EdgeSplit, Goal
from workers.core.journal import JobState
from workers.datasets.checks import Check
from workers.datasets.options import ImportOptions
from workers.systems.ingest.spec import FolderSource, GeneratorSource, UploadSource

# Shown in lists: no line breaks or control characters, no blank ones.
DatasetName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$"),
    Field(examples=["pages"]),
]
Description = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]
DatasetState = Literal["importing", "ready", "failed"]
DatasetAction = Literal["delete", "cancel", "retry"]


class BundledSource(BaseModel):
    """A graph that comes with the installation."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["bundled"] = "bundled"
    name: str = Field(max_length=64, description="One of GET /dataset-sources.", examples=["karate"])


DatasetSource = Annotated[BundledSource | GeneratorSource | UploadSource | FolderSource, Field(discriminator="type")]


class DatasetCreate(BaseModel):
    """A dataset to make. Bundled ones are ready at once; all others are imported by a job."""

    model_config = ConfigDict(extra="forbid")

    name: DatasetName
    description: Description = ""
    source: DatasetSource = Field(description="Where the graph comes from.")
    options: ImportOptions = Field(default_factory=ImportOptions, description="How files become a graph.")


class DatasetChange(BaseModel):
    """What may change about a dataset: how it is called."""

    model_config = ConfigDict(extra="forbid")

    name: DatasetName | None = None
    description: Description | None = None


class HeterogeneousCounts(BaseModel):
    """How many types and relations a heterogeneous graph has; which they are, one dataset alone tells."""

    model_config = ConfigDict(from_attributes=True)

    type_count: int
    relation_count: int
    target: str | None = Field(description="The type whose vertices are labelled")
    timed: bool = Field(description="Whether edges have times")
    edge_split: EdgeSplit | None = Field(description="None where edges themselves are not split")


class DatasetBrief(DatasetFacts):
    """The facts of one dataset among others."""

    model_config = ConfigDict(from_attributes=True)

    heterogeneous: HeterogeneousCounts | None = Field(description="None for a graph of one type and relation")
    goals: tuple[Goal, ...] = Field(description="What can be learnt from it.")


class DatasetRow(BaseModel):
    """What is said of a dataset wherever it is met."""

    id: str
    name: str
    description: str
    state: DatasetState
    state_reason: str = Field(description="Why the import failed; empty otherwise.")
    source_type: str = Field(description="bundled, generator, upload or folder.")
    job_id: str | None = Field(description="The import that makes it; None where there was none.")
    progress: JobProgress | None = Field(description="Of a running import.")
    actions: list[DatasetAction] = Field(description="What may be done now; cancel and retry are those of the job.")
    created_at: datetime


class DatasetItem(DatasetRow):
    """One dataset."""

    info: DatasetBrief | None = Field(description="Its facts, once it is ready.")


class DatasetDetail(DatasetRow):
    """One dataset with how it was made and what was looked at."""

    info: DatasetInfo | None = Field(description="Its facts, once it is ready, with every type and relation.")
    source: dict[str, Any] = Field(description="As it was asked for.")
    options: dict[str, Any] = Field(description="As they were asked for.")
    checks: list[Check] = Field(description="Checks at the door, as they ran.")
    notes: list[str] = Field(description="What the importer remarked.")


class DatasetList(BaseModel):
    """One page of datasets, newest first."""

    items: list[DatasetItem]
    next_cursor: str | None = Field(description="Where the next page begins; None on the last.")


class NeighbourhoodVertex(BaseModel):
    """One vertex of a drawing."""

    id: int
    name: str | None = Field(description="None where vertices have no names.")
    label: str | None = Field(description="Its class; None where it has none.")
    class_index: int | None
    degree: int = Field(description="Arcs that arrive.")
    hop: int = Field(description="Steps from the vertex in the middle.")
    type_index: int | None = Field(description="Its type among those of a heterogeneous graph.")


class NeighbourhoodEdge(BaseModel):
    """One edge of a drawing; without direction where the graph has none."""

    source: int
    target: int
    relation: int | None = Field(description="Its relation among those of a heterogeneous graph.")


class DatasetNeighbourhood(BaseModel):
    """A sampled piece of the graph around one vertex, small enough to draw. Same question, same answer."""

    vertex: int
    hops: int
    seed: int
    directed: bool
    vertices: list[NeighbourhoodVertex]
    edges: list[NeighbourhoodEdge]
    left_out: int = Field(description="Neighbours that were met but not taken, to stay within the limit.")


class DatasetUse(BaseModel):
    """A job that names the dataset."""

    job_id: str
    kind: str
    name: str
    state: JobState
    created_at: datetime


class DatasetUses(BaseModel):
    """Jobs that name the dataset, newest first; `total` counts them all."""

    items: list[DatasetUse]
    total: int


class BundledChoice(BaseModel):
    """A graph that comes with the installation."""

    name: str
    title: str
    description: str


class FormatChoice(BaseModel):
    """A format of files that are read."""

    name: str
    title: str
    files: str


class DatasetSources(BaseModel):
    """Where datasets can come from, with the JSON schemas of what each asks for."""

    bundled: list[BundledChoice]
    formats: list[FormatChoice]
    generators: dict[str, Any] = Field(description="JSON schema by type of generator.")
    options: dict[str, Any] = Field(description="JSON schema of the import options.")
    folders: bool = Field(description="Whether folders on the server may be imported (ASTERISM_DATA_ROOTS).")
    max_upload_bytes: int


class UploadedFile(BaseModel):
    """One file of an upload."""

    name: str
    size_bytes: int


class UploadedTable(BaseModel):
    """A table among the files, so that its columns can be chosen."""

    file: str
    columns: list[str] = Field(description="At most the first 200.")
    named: bool = Field(description="Whether the file names its columns; else they are numbered.")


class UploadItem(BaseModel):
    """Files that were sent, waiting to be imported."""

    id: str
    files: list[UploadedFile]
    size_bytes: int
    format: str | None = Field(description="The format their names speak for; None when it cannot be told.")
    format_title: str | None
    tables: list[UploadedTable]
    problem: str | None = Field(description="What would stop an import, as far as it can be told without one.")

"""What an import takes and gives. Pure: the API validates with it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from ulid import ULID

from workers.core.problems import Problem
from workers.core.settings import settings
from workers.core.spec import Result, Spec
from workers.core.system import FindDataset, System
from workers.datasets import roots
from workers.datasets.errors import FolderRefused
from workers.datasets.options import ImportOptions

MOST_CELLS = 250_000_000


def new_dataset_id() -> str:
    return f"ds_{str(ULID()).lower()}"


class _Source(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class UploadSource(_Source):
    """Files that were uploaded: one format's files, or one .zip or .tar.gz of them."""

    type: Literal["upload"] = "upload"
    upload_id: str = Field(
        pattern=r"^upl_[a-z0-9]{1,32}$", description="The upload.", examples=["upl_01kbd0y4zv3m6t8r5w2q1x9c7h"]
    )


class FolderSource(_Source):
    """A folder on the server, under one of the roots that its settings allow."""

    type: Literal["folder"] = "folder"
    path: str = Field(
        min_length=1, max_length=1000, description="Absolute path of the folder.", examples=["/srv/graphs/cora"]
    )


class BlockModel(_Source):
    """A stochastic block model with word-like features, as in a citation graph."""

    type: Literal["sbm"] = "sbm"
    n: int = Field(default=2708, ge=2, le=2_000_000, description="Vertices.")
    classes: int = Field(default=7, ge=2, le=1000, description="Classes.")
    mean_degree: float = Field(default=3.9, gt=0, le=1000, description="Mean number of neighbours.")
    homophily: float = Field(default=0.81, ge=0, le=1, description="Share of edges that stay inside a class.")
    features: int = Field(default=1433, ge=0, le=100_000, description="Words; 0 gives no features.")
    words_per_vertex: int = Field(default=18, ge=1, le=1000, description="Mean number of words of a vertex.")
    feature_signal: float = Field(default=0.21, ge=0, le=1, description="Share of words drawn from the class's own.")
    labels_per_class: int = Field(default=20, ge=1, le=100_000, description="Training labels of each class.")
    val: int = Field(default=500, ge=0, le=1_000_000, description="Validation vertices.")
    test: int = Field(default=1000, ge=0, le=1_000_000, description="Test vertices.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Same seed, same graph.")


class PowerLaw(_Source):
    """Degrees with a heavy tail and dense features around a centre per class."""

    type: Literal["power_law"] = "power_law"
    n: int = Field(default=10_000, ge=2, le=2_000_000, description="Vertices.")
    edges: int = Field(default=80_000, ge=0, le=50_000_000, description="Edges drawn; repeats are kept once.")
    exponent: float = Field(default=2.2, gt=1.5, le=10, description="Degree d is as frequent as d to minus this.")
    classes: int = Field(default=8, ge=2, le=1000, description="Classes.")
    homophily: float = Field(default=0.5, ge=0, le=1, description="Share of edges that stay inside a class.")
    features: int = Field(default=64, ge=0, le=1024, description="Features; 0 gives none.")
    separation: float = Field(default=0.25, ge=0, le=100, description="Distance of class centres over the noise.")
    directed: bool = Field(default=False, description="Whether edges have a direction.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Same seed, same graph.")

    @model_validator(mode="after")
    def _fits_into_memory(self) -> Self:
        if self.n * self.features > MOST_CELLS:
            raise ValueError(f"{self.n:,} vertices of {self.features:,} features are more than {MOST_CELLS:,} numbers")
        return self


class Motifs(_Source):
    """Many small graphs, told apart by which motif hangs on a random tree."""

    type: Literal["motifs"] = "motifs"
    graphs: int = Field(default=600, ge=30, le=100_000, description="Graphs.")
    min_vertices: int = Field(default=12, ge=7, le=1000, description="Vertices of the smallest graph.")
    max_vertices: int = Field(default=28, ge=7, le=1000, description="Vertices of the largest graph.")
    extra_edges: int = Field(default=2, ge=0, le=1000, description="Edges joined at random, which hide the motif.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Same seed, same graphs.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min_vertices > self.max_vertices:
            raise ValueError(f"min_vertices {self.min_vertices} is above max_vertices {self.max_vertices}")
        return self


class Library(_Source):
    """A heterogeneous graph of papers, authors, venues and fields; a paper's area is to be told."""

    type: Literal["library"] = "library"
    papers: int = Field(default=900, ge=20, le=2_000_000, description="Papers.")
    authors: int = Field(default=500, ge=4, le=2_000_000, description="Authors.")
    venues: int = Field(default=16, ge=1, le=100_000, description="Venues.")
    fields: int = Field(default=40, ge=1, le=100_000, description="Fields.")
    authors_per_paper: float = Field(default=2.5, ge=1, le=100, description="Mean number of authors of a paper.")
    citations_per_paper: float = Field(default=3.0, ge=0, le=100, description="Mean number of papers that one cites.")
    homophily: float = Field(default=0.75, ge=0, le=1, description="Share of edges that join two of one area.")
    feature_signal: float = Field(default=0.15, ge=0, le=1, description="Share of words about the paper's area.")
    labels_per_class: int = Field(default=20, ge=1, le=100_000, description="Training labels of each area.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Same seed, same graph.")


class Relations(_Source):
    """A heterogeneous graph of any number of types and relations, joined at random."""

    type: Literal["relations"] = "relations"
    types: int = Field(default=5, ge=1, le=1000, description="Types of vertices.")
    relations: int = Field(default=20, ge=1, le=10_000, description="Relations.")
    vertices: int = Field(default=10_000, ge=1, le=2_000_000, description="Vertices, the same number of each type.")
    edges: int = Field(default=100_000, ge=0, le=50_000_000, description="Edges, the same number of each relation.")
    features: int = Field(default=32, ge=0, le=1024, description="Features; 0 gives none.")
    classes: int = Field(default=4, ge=2, le=1000, description="Classes of the first type.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Same seed, same graph.")

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.vertices < self.types:
            raise ValueError(f"{self.vertices:,} vertices are not enough for {self.types:,} types")
        if self.vertices * self.features > MOST_CELLS:
            raise ValueError(f"{self.vertices:,} vertices of {self.features:,} features are more than {MOST_CELLS:,}")
        return self


Generator = Annotated[BlockModel | PowerLaw | Motifs | Library | Relations, Field(discriminator="type")]


class GeneratorSource(_Source):
    """A graph made from a seed."""

    type: Literal["generator"] = "generator"
    generator: Generator = Field(description="What to make.")


IngestSource = Annotated[UploadSource | FolderSource | GeneratorSource, Field(discriminator="type")]


class IngestSpec(Spec):
    """Import a graph from files, or make one, as a dataset to train on."""

    kind: Literal["ingest"] = "ingest"
    dataset_id: str = Field(
        default_factory=new_dataset_id,
        pattern=r"^ds_[a-z0-9-]{1,37}$",
        description="Id of the dataset to make; it must be new.",
        json_schema_extra={"x-hidden": True},
    )
    dataset_name: str = Field(
        min_length=1,
        max_length=120,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="Name of the dataset.",
        examples=["pages"],
    )
    source: IngestSource = Field(description="Where the graph comes from.")
    options: ImportOptions = Field(default_factory=ImportOptions, description="How files become a graph.")


class IngestResult(Result):
    """The dataset that was made."""

    kind: Literal["ingest"] = "ingest"
    dataset_id: str
    vertices: int
    arcs: int
    features: int
    classes: int
    graphs: int
    checks_passed: int
    checks_noted: int
    read_s: float = Field(description="Seconds to read, tidy and check.")
    summarise_s: float
    store_s: float


def check(spec: IngestSpec, find_dataset: FindDataset) -> list[Problem]:
    """The id must be free, and a folder must be one that may be read."""
    problems = []
    if find_dataset(spec.dataset_id) is not None:
        problems.append(
            _problem(
                "/dataset_id",
                "dataset_exists",
                f"There is a dataset {spec.dataset_id} already.",
                "Datasets never change; import it as a new one.",
            )
        )
    if isinstance(spec.source, FolderSource):
        try:
            roots.resolve(spec.source.path, settings().data_roots)
        except FolderRefused as error:
            problems.append(_problem("/source/path", "folder_refused", f"{error.what}.", error.remedy))
    return problems


def _problem(pointer: str, code: str, message: str, hint: str) -> Problem:
    return Problem(pointer=pointer, code=code, message=message, hint=hint)


SYSTEM = System(
    kind="ingest",
    title="Import",
    description="Import a graph from files, or make one from a seed, as a dataset to train on.",
    spec=IngestSpec,
    result=IngestResult,
    check=check,
)

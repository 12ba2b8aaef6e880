"""Catalogues as the web sees them: read from the tables of the workers, nothing is said twice."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.models.schemas import DatasetId, DocProblem, Work
from workers.compiler.choices import Memory
from workers.compiler.ops import Group as OpGroup
from workers.compiler.signature import Per
from workers.core.model import ModelDoc, Name, Setting
from workers.zoo.signature import Group as LayerGroup
from workers.zoo.signature import PortKind

JsonSchema = dict[str, Any]


class SystemItem(BaseModel):
    """One kind of job."""

    kind: str
    title: str
    description: str
    devices: list[str] = Field(description="Kinds of device it runs on.")
    spec_schema: JsonSchema = Field(description="JSON schema of what it takes; x- keys are hints for forms.")
    result_schema: JsonSchema = Field(description="JSON schema of what it gives.")


class SystemList(BaseModel):
    """Every kind of job this server can queue."""

    items: list[SystemItem]


class OpItem(BaseModel):
    """One operation of the compiler's intermediate representation."""

    name: str
    group: OpGroup
    operands: list[str]
    variadic: bool
    public: bool = Field(description="Whether a vertex program may use it; the others are made by passes.")
    doc: str = Field(description="The formula.")
    rule: str = Field(description="What rows and shapes it takes and gives.")
    example: str | None = Field(description="Text of a vertex program that writes it; None where only passes do.")


class WordItem(BaseModel):
    """A word of the language that is no op by its own name: made of several, or about edges."""

    word: str
    doc: str = Field(description="Its formula or meaning.")
    example: str


class OpList(BaseModel):
    """The compiler's op table, and the other words a vertex program may use."""

    items: list[OpItem]
    words: list[WordItem]


class LayerPort(BaseModel):
    """A place to wire to."""

    name: str
    kind: PortKind
    doc: str
    expects: str = Field(examples=["vertex feature [N, d]"])
    optional: bool
    many: bool = Field(description="Takes any number of wires, in the order of the document.")


class LayerNeeds(BaseModel):
    """What the graph is given before the layer runs."""

    self_loops: bool = Field(description="Exactly one loop at each vertex.")
    norm: bool = Field(description="A vertex feature 1 / sqrt(in-degree).")


class LayerWidth(BaseModel):
    """How the width of a result follows from what arrives; a page that works it out shows shapes while one types."""

    of: Literal["port", "setting", "dataset"] = Field(
        description="Where it is read: at an input port (a known width wins over a symbol), a setting, the dataset."
    )
    name: str = Field(
        description="Of the port or the setting; of the dataset `features`, `edge_features` or `classes`."
    )
    side_by_side: bool = Field(description="The widths of all wires of the port are added up.")
    times: str | None = Field(description="Setting that multiplies the width.")
    unless: tuple[str, str] | None = Field(description="Setting and its value for which nothing is multiplied.")


class LayerItem(BaseModel):
    """One block of the canvas."""

    type: str
    title: str
    group: LayerGroup
    doc: str
    formula: str
    tags: list[str] = Field(description="Other words to find it by.")
    inputs: list[LayerPort]
    outputs: list[LayerPort]
    params: dict[str, JsonSchema] = Field(
        description="JSON schema of each setting. Hints: x-dim a width, x-advanced folds away, x-zero what 0 means."
    )
    open_params: bool = Field(description="Takes settings beyond these: the constants of its vertex program.")
    needs: LayerNeeds
    widths: dict[str, LayerWidth] | None = Field(
        description="Width of each result by port; null where only a validation can tell. Kind `any` is what arrives."
    )
    program: str | None = Field(description="Name of the vertex program it runs.")
    program_source: str | None = Field(description="Text of that program.")


class LayerList(BaseModel):
    """The palette."""

    items: list[LayerItem]


class TemplateItem(BaseModel):
    """A model to start from."""

    name: str
    title: str
    kind: str = Field(description="Kind of job that trains it.")
    description: str
    paper: str = Field(description="Where the model and its settings come from.")
    doc: ModelDoc
    task: dict[str, Any] = Field(description="What a training job of it learns.")
    training: dict[str, Any] = Field(description="Settings of a training job that suit it.")
    dataset: str = Field(description="Name of the bundled dataset to try it on.")
    dataset_id: str = Field(description="Its id. `vertices` is None while it is not there.")
    dataset_title: str
    vertices: int | None
    arcs: int | None
    parameters: int | None = Field(description="Numbers to train on that dataset.")
    work: Work | None = Field(description="What an epoch on that dataset takes.")
    train_s: float | None = Field(description="About how long all epochs take; early stopping may end sooner.")


class TemplateList(BaseModel):
    """Models to start from, in the order to show them."""

    items: list[TemplateItem]


class ProgramCompile(BaseModel):
    """A vertex program to look into."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(
        max_length=20_000, examples=['def mean_of(v: Vertex(h="in")):\n    return mean(nb.h for nb in v.innbs)']
    )
    bindings: dict[Name, Setting] = Field(
        default_factory=dict, max_length=100, description="Values of its sizes and constants.", examples=[{"in": 64}]
    )
    disabled: list[Name] = Field(default_factory=list, max_length=32, description="Passes to leave out.")
    memory: Memory = Field(default="balanced", description="How much may be kept for the backward pass.")


class LayerCompile(BaseModel):
    """A node of a document whose vertex program to look into."""

    model_config = ConfigDict(extra="forbid")

    doc: ModelDoc
    node_id: Name = Field(examples=["gat1"])
    dataset_id: DatasetId | None = Field(default=None, description="Fixes the sizes; without it some are assumed.")
    disabled: list[Name] = Field(default_factory=list, max_length=32, description="Passes to leave out.")
    memory: Memory = Field(default="balanced", description="How much may be kept for the backward pass.")


class LayerOwn(BaseModel):
    """A node of a document whose layer is to become a vertex program of the model's own."""

    model_config = ConfigDict(extra="forbid")

    doc: ModelDoc
    node_id: Name = Field(examples=["gat1"])
    dataset_id: DatasetId | None = Field(default=None, description="Fixes sizes where a setting depends on them.")


class OwnedLayer(BaseModel):
    """The document with that node as a vertex program: same text, settings, wires and result."""

    doc: ModelDoc
    program: str = Field(description="Name of the new program.")


class SourceSpan(BaseModel):
    """A place in a text: lines and columns from 1, the end column is the first one outside."""

    line: int
    column: int
    end_line: int = Field(description="0 where only the beginning is known.")
    end_column: int


class CompiledFor(BaseModel):
    """The graph that a program was compiled for: the dataset's, or one of a usual size."""

    vertices: int
    edges: int


class OpCounts(BaseModel):
    """How much there is to do in a program. Bytes are those of float32 on the graph that the compilation names."""

    ops: dict[str, int] = Field(description="Computed values by op.")
    on_edges: int = Field(description="Of these, computed once an edge.")
    launches: int = Field(description="Kernels and products started; before fusion, every operation.")
    moved: int = Field(description="Bytes read and written.")
    saved: int = Field(description="Bytes kept for the backward pass, leaves left out.")
    allocated: int = Field(description="Bytes of new tensors.")


class CompiledStage(BaseModel):
    """The program after one pass."""

    name: str
    ir: str
    places: list[int] = Field(description="As places_before.")
    before: OpCounts
    after: OpCounts
    changed: bool


class CompiledKernel(BaseModel):
    """One step of a direction: a generated kernel, or a product left to the BLAS, which has no source."""

    name: str
    direction: Literal["forward", "backward"]
    side: str = Field(description="Whose rows it visits: dst, src, map (no edges) or dense.")
    source: str = Field(description="In C++, for the CPU.")
    triton: str = Field(description="In Triton, for a GPU.")
    fused_from: list[str] = Field(description="Operations in it.")
    values: list[int] = Field(description="Their numbers in `after`; the n-th is called vn in the sources.")
    lines: list[int] = Field(description="Lines of the program they come from.")


class ProgramDeclarationParameter(BaseModel):
    """A tensor a program trains."""

    name: str
    shape: str
    init: str
    per: Per = Field(description="Of what it has one slice each; empty where one serves all.")


class ProgramDeclaration(BaseModel):
    """What a program declares before its body."""

    name: str
    doc: str
    features: dict[str, str] = Field(description="Shapes of vertex features, as written.")
    edge_features: dict[str, str]
    parameters: list[ProgramDeclarationParameter]
    constants: dict[str, bool | int | float | str | None] = Field(
        description="With their defaults; None must be given."
    )
    sizes: list[str] = Field(description="Free sizes that must be given.")


class RepeatedWork(BaseModel):
    """Operations of one kind, forward and backward."""

    op: str
    per: Literal["relation", "type", "graph"] = Field(description="What a loop runs them once each of.")
    looped: int = Field(description="Launches of a loop; 0 where it has the rows at hand.")
    stitched: int = Field(description="Launches over the whole graph.")


class RelationSavings(BaseModel):
    """Launches of a program over relations, forward and backward: as a loop, stitched, and as it runs."""

    relations: int
    types: int
    looped: int = Field(description="Every operation by itself, once for each relation or type it is about.")
    stitched: int = Field(description="Every operation once, over the edges of all relations.")
    fused: int = Field(description="Kernels and products that run; as many whatever the number of relations.")
    bundled: dict[str, int] = Field(description="Products that serve all relations or types at once, by op.")
    by_relation: list[str] = Field(description="Operations of the program that a loop would repeat.")
    work: list[RepeatedWork] = Field(description="What adds up to `looped` and `stitched`.")


class ProgramCompilation(BaseModel):
    """A vertex program before and after every pass, and its kernels forward and backward."""

    declares: ProgramDeclaration | None = Field(description="None where the declarations cannot be read.")
    problems: list[DocProblem]
    before: str = Field(description="The intermediate representation as read.")
    places_before: list[int] = Field(description="For each value, the number of its span in `spans`; -1 for none.")
    stages: list[CompiledStage]
    after: str = Field(description="After all passes, with gradients.")
    places_after: list[int] = Field(description="As places_before.")
    spans: list[SourceSpan] = Field(description="Places in the source that values come from.")
    kernels: list[CompiledKernel]
    relations: RelationSavings | None = Field(description="What stitching saves; None for a program of one relation.")
    switches: list[str] = Field(description="Passes that can be left out.")
    graph: CompiledFor = Field(description="Size of the graph that bytes are counted for.")


class LayerCompilation(ProgramCompilation):
    """The program a node runs, at its place in the model."""

    node_id: str
    source: str
    bindings: dict[str, bool | int | float | str]
    assumed: bool = Field(description="Whether sizes that no dataset fixes had to be assumed.")


class MeasuredKernel(BaseModel):
    """One kernel of a profile: `name` and `phase` are `name` and `direction` of a compiled one."""

    name: str
    phase: Literal["forward", "backward"]
    node_id: str | None
    calls: float = Field(description="An epoch.")
    time_s: float = Field(description="All calls of an epoch together.")


class MeasuredProgram(BaseModel):
    """The vertex program a node ran."""

    node_id: str
    text: str


class KernelTimes(BaseModel):
    """What the last profile of a model says of its kernels."""

    job_id: str
    version: int | None = Field(description="Version of the model that ran.")
    finished_at: datetime | None
    epochs: int = Field(description="How many epochs were measured.")
    epoch_s: float
    machine: str
    kernels: list[MeasuredKernel]
    programs: list[MeasuredProgram]


class LastProfile(BaseModel):
    """The last profile of a model, if it was ever profiled."""

    measured: KernelTimes | None

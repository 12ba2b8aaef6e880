"""Catalogues as the web sees them: read from the tables of the workers, nothing is said twice."""

from typing import Any

from pydantic import BaseModel, Field

from backend.models.schemas import Work
from workers.compiler.ops import Group as OpGroup
from workers.core.model import ModelDoc
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
    doc: str


class OpList(BaseModel):
    """The compiler's op table."""

    items: list[OpItem]


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
    program: str | None = Field(description="Name of the vertex program it runs.")
    program_source: str | None = Field(description="Text of that program.")


class LayerList(BaseModel):
    """The palette."""

    items: list[LayerItem]


class TemplateItem(BaseModel):
    """A model to start from."""

    name: str
    title: str
    description: str
    paper: str = Field(description="Where the model and its settings come from.")
    doc: ModelDoc
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

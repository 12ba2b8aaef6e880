"""Models as the web sees them. Output schemas have no defaults: every key is always there."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from workers.core.dataset import Goal
from workers.core.model import ModelDoc, Wire
from workers.zoo.compare import Change
from workers.zoo.signature import PortKind

# Names are shown in lists: no line breaks or control characters, no blank ones.
OneLine = r"^[^\x00-\x1f\x7f]*$"
ModelName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=120, pattern=OneLine),
    Field(examples=["gat-pages"]),
]
Note = Annotated[str, StringConstraints(max_length=500, pattern=r"^[^\x00]*$")]
DatasetId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
TemplateName = Annotated[str, StringConstraints(max_length=64)]
ModelSort = Literal["-updated_at", "-created_at", "name"]


class ModelCreate(BaseModel):
    """A new model: empty, from a template, or with a document (an import)."""

    model_config = ConfigDict(extra="forbid")

    name: ModelName
    doc: ModelDoc | None = Field(default=None, description="The document to start with; unknown layers are kept.")
    template: TemplateName | None = Field(default=None, description="A template to start from.", examples=["gat"])


class ModelRename(BaseModel):
    """A model's new name."""

    model_config = ConfigDict(extra="forbid")

    name: ModelName


class ModelItem(BaseModel):
    """One model, without its document."""

    id: str
    name: str
    template: str | None = Field(description="The template it was made from.")
    nodes: int = Field(description="Number of nodes in the draft.")
    draft_etag: str = Field(description="ETag of the draft, to send as If-Match with the next change.")
    draft_hash: str = Field(description="sha256 of what the draft means, positions left out.")
    newest_version: int = Field(description="0 while there is no version.")
    draft_differs: bool = Field(description="Whether the draft means something else than the newest version.")
    fault: str | None = Field(description="First error of the draft, checked without a dataset; None for none.")
    created_at: datetime
    updated_at: datetime


class ModelList(BaseModel):
    """One page of models."""

    items: list[ModelItem]
    next_cursor: str | None = Field(description="Where the next page begins; None on the last.")


class ModelDraft(BaseModel):
    """The draft of a model. Send `etag` as If-Match when saving."""

    model_id: str
    doc: ModelDoc
    etag: str
    content_hash: str = Field(description="sha256 of what the draft means, positions left out.")
    updated_at: datetime


class VersionCreate(BaseModel):
    """Keep the draft as a version."""

    model_config = ConfigDict(extra="forbid")

    note: Note = Field(default="", description="What is new.", examples=["8 heads instead of 4"])


class ModelVersionItem(BaseModel):
    """One version, without its document."""

    model_id: str
    number: int = Field(description="Counted from 1 in each model.")
    note: str
    content_hash: str = Field(description="sha256 of what the document means, positions left out.")
    created_at: datetime


class ModelVersionDoc(ModelVersionItem):
    """One version with its document. Never changes."""

    doc: ModelDoc


class ModelVersionList(BaseModel):
    """One page of versions, newest first."""

    items: list[ModelVersionItem]
    next_cursor: str | None = Field(description="Where the next page begins; None on the last.")


class ParamChange(BaseModel):
    """A setting before and after; None where there was none."""

    before: bool | int | float | str | None
    after: bool | int | float | str | None


class NodeDifference(BaseModel):
    """A node that came, went or is set differently."""

    id: str
    change: Change
    type_before: str | None
    type_after: str | None
    params: dict[str, ParamChange]


class WireDifference(BaseModel):
    """A wire that came or went."""

    change: Change
    wire: Wire


class ProgramDifference(BaseModel):
    """A vertex program that came, went or reads differently."""

    name: str
    change: Change
    diff: str = Field(description="Unified diff of its text.")


class GroupDifference(BaseModel):
    """A group that came, went, or has another title or other members."""

    id: str
    change: Change
    title_before: str | None
    title_after: str | None
    joined: list[str] = Field(description="Ids of members it did not have before.")
    left: list[str] = Field(description="Ids of members it no longer has.")


class NoteDifference(BaseModel):
    """A note that came, went or reads differently."""

    id: str
    change: Change
    text_before: str | None
    text_after: str | None


class ModelDiff(BaseModel):
    """What differs between two states of a model. Positions are no difference, nor are groups that are only folded."""

    before: str = Field(examples=["1"])
    after: str = Field(examples=["draft"])
    same: bool
    nodes: list[NodeDifference]
    wires: list[WireDifference]
    programs: list[ProgramDifference]
    groups: list[GroupDifference]
    notes: list[NoteDifference]


class ModelDuplicate(BaseModel):
    """Name of the copy."""

    model_config = ConfigDict(extra="forbid")

    name: ModelName | None = Field(default=None, description="By default the model's name with `copy` added.")


class ModelValidationCreate(BaseModel):
    """A document to check, and the dataset to check it for."""

    model_config = ConfigDict(extra="forbid")

    doc: ModelDoc
    dataset_id: DatasetId | None = Field(default=None, description="Fixes the sizes F, K and C.")


class PortType(BaseModel):
    """What flows through a port."""

    kind: PortKind
    shape: list[int | str] = Field(description="Sizes of one row; symbols (F, K, C) where no dataset fixes them.")
    text: str = Field(description="The same to read.", examples=["vertex feature [N, 64]"])


class DocProblem(BaseModel):
    """One thing that is wrong with a document."""

    pointer: str = Field(description="JSON pointer into the document, nodes by id: /nodes/gat1/params/heads.")
    code: str
    message: str
    hint: str
    node_id: str | None
    port: str | None
    line: int | None
    column: int | None
    severity: Literal["error", "warning"]


class Work(BaseModel):
    """What one training epoch takes, counted from the shapes; the model was not run."""

    flops: int = Field(description="Floating point operations, forward and backward.")
    activation_bytes: int = Field(description="Bytes of vertex values kept for the backward pass, float32.")
    parameter_bytes: int = Field(description="Bytes of parameters, gradients and Adam's two moments, float32.")
    epoch_s: float = Field(description="About how long it takes here, from rates measured on this machine's CPU.")


class ModelValidation(BaseModel):
    """What is wrong with a document, and what flows where."""

    ok: bool = Field(description="Whether it can be trained: no problem is an error.")
    problems: list[DocProblem]
    types: dict[str, dict[str, PortType]] = Field(description="By node id and output port, where they are known.")
    order: list[str] = Field(description="Ids of the sound nodes in an order to run them.")
    used: list[str] = Field(description="Ids of the nodes that lead to the output, in the document's order.")
    goal: Goal | None = Field(description="What the output is for; None while that is not known.")
    over_relations: bool = Field(description="Whether a layer works over types and relations of a heterogeneous graph.")
    parameters: int | None = Field(description="Numbers to train; None while a size is unknown or an error stands.")
    work: Work | None = Field(description="None while a size is unknown or an error stands.")

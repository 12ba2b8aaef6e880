"""Text and drawings, as the web sees them. Output schemas have no defaults: every key is always there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.models.schemas import DocProblem
from workers.compiler.program_graph.edit import ProgramEdit
from workers.compiler.program_graph.graph import ProgramNode, ProgramWire, TextSpan
from workers.core.model import ModelDoc, Name, Setting

EXAMPLE = 'def mean_of(v: Vertex(h="in")):\n    return mean(nb.h for nb in v.innbs)'
Source = Annotated[str, Field(max_length=20_000, examples=[EXAMPLE])]
Bindings = Annotated[
    dict[Name, Setting],
    Field(
        max_length=100, description="Values of its sizes and constants; shapes need every size.", examples=[{"in": 64}]
    ),
]


class ProgramGraphCreate(BaseModel):
    """A vertex program to draw."""

    model_config = ConfigDict(extra="forbid")

    source: Source
    bindings: Bindings = {}


class ProgramEditCreate(ProgramGraphCreate):
    """Edits of a program's drawing, carried out on its text one after another."""

    edits: list[ProgramEdit] = Field(min_length=1, max_length=50)


class ProgramGraph(BaseModel):
    """A vertex program as a graph. Without nodes the text could not be read: keep the last good drawing."""

    source: str = Field(description="The text this is the graph of.")
    name: str
    doc: str
    nodes: list[ProgramNode] = Field(description="In the order of the text: operands before what reads them.")
    wires: list[ProgramWire]
    problems: list[DocProblem] = Field(description="With line, column and, in node_id, the node they are at.")
    focus: str | None = Field(description="The node that the last edit was about.")


class ProgramOp(BaseModel):
    """One operation a vertex program can write."""

    op: str
    group: str
    operands: list[str] = Field(description="What must be given.")
    options: dict[str, str] = Field(description="What may be given, with defaults as they are written.")
    variadic: bool = Field(description="Takes any number of operands.")
    listed: bool = Field(description="Reads a list of neighbour values.")
    ir: str | None = Field(description="The row of the op table it becomes, where it is one.")
    doc: str


class ProgramOpList(BaseModel):
    """Everything that can be put into a vertex program."""

    items: list[ProgramOp]


class CodeConversionCreate(BaseModel):
    """A model to write as text, or a text to read as a model."""

    model_config = ConfigDict(extra="forbid")

    to: Literal["code", "document"] = Field(description="What is wanted.")
    doc: ModelDoc = Field(description="To code: the document. To document: the one the text was made from.")
    code: str | None = Field(
        default=None, max_length=400_000, description="The text to read; to code, the text to bring up to date."
    )


class CodePlace(BaseModel):
    """Where something of the document stands in the text."""

    what: Literal["node", "group", "note", "program"]
    id: str
    span: TextSpan


class CodeConversion(BaseModel):
    """A text and the document it says."""

    code: str
    doc: ModelDoc | None = Field(description="None where the text has a fault: the last good document stands.")
    places: list[CodePlace] = Field(
        description="Statements of nodes, groups and notes; what the cell of a program holds."
    )
    problems: list[DocProblem] = Field(description="Faults of the text, with line, column and the node they are about.")

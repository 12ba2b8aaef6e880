"""The graph of a vertex program as pages draw it: what is computed, from what, where, and at which place of the text.

A node is one call or operator of the text, a declared input, or the point where a choice or a loop joins values. Ids
come from names (`v.z`, `alpha`, and `alpha/0` for its first operand), so an edit elsewhere leaves them as they are.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.compiler.signature import Per

Place = Literal["source", "edge", "destination", "vertex", "parameter", "scalar"]
"""Whose value it is. `source` and `destination` are the ends of an edge, as a comprehension sees them."""
Lane = Literal["input", "vertex", "edge", "aggregation", "result"]
Kind = Literal["feature", "parameter", "constant", "op", "call", "aggregate", "choice", "loop", "result", "opaque"]
ArgumentKind = Literal["wire", "literal"]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class TextSpan(Frozen):
    """A stretch of the text. Lines and columns count characters from 1; the end column is the first one outside."""

    line: int
    column: int
    end_line: int
    end_column: int


class ProgramValue(Frozen):
    """What a node gives: whose value, and the sizes of one row where they are known."""

    place: Place
    shape: list[int] | None = Field(description="Sizes of one row; None where they are not known.")
    declared: str | None = Field(description="The shape as the signature writes it, such as `in, heads * out`.")
    listed: bool = Field(description="Whether it is a list with one entry a neighbour or a relation.")
    per: Per = Field(description="Of what a parameter has one slice each; empty where one serves all.")


class ProgramArgument(Frozen):
    """One operand. A wire comes from `node`; a literal is `text` and can be typed over."""

    name: str = Field(description="What the operation calls it.", examples=["slope"])
    kind: ArgumentKind
    node: str | None
    place: Place = Field(description="From where the operation sees the value; the colour and shape of the port.")
    text: str = Field(description="The operand as it is written.")
    span: TextSpan | None = Field(description="Where it is written; None where a default holds or nothing stands.")
    editable: bool = Field(description="Whether `set_argument` and `rewire` may change it.")


class ProgramNode(Frozen):
    """One thing that is computed or given."""

    id: str
    kind: Kind
    lane: Lane
    stage: int = Field(description="Aggregations on the longest way here: lanes repeat for each stage.")
    op: str = Field(description="Operation of the language: matmul, add, leaky_relu, sum, the name of a function …")
    label: str = Field(description="What to write on the node, such as `@` or `sum`.")
    name: str | None = Field(description="The name the text gives its value: `v.z`, `alpha`.")
    value: ProgramValue
    arguments: list[ProgramArgument]
    span: TextSpan
    statement: TextSpan = Field(description="The statement it stands in.")
    blocks: list[str] = Field(description="Loops and conditions around it, outermost first: `for _ in range(hops)`.")
    can: list[str] = Field(description="Edits that apply to it, such as rename, delete.")


class ProgramWire(Frozen):
    """A value on its way to an operand."""

    source: str
    target: str
    argument: int
    place: Place
    back: bool = Field(description="Whether it carries a value to the next round of a loop.")


class ProgramSketch(Frozen):
    """All that can be drawn of a text: empty where it is not Python."""

    name: str
    doc: str
    nodes: list[ProgramNode]
    wires: list[ProgramWire]

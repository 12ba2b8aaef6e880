"""Edits of a program's graph. Each is an edit of its text: everything it does not touch stays as it was written."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from workers.compiler.program_graph.graph import Place

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
Expression = Annotated[str, Field(min_length=1, max_length=2000)]
NodeId = Annotated[str, Field(max_length=200)]


class _Edit(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Operand(_Edit):
    """What an operation reads: the value of a node, seen from a place, or an expression written out."""

    node: NodeId | None = None
    place: Place | None = Field(default=None, description="source: of the neighbour. By default as it is kept.")
    text: Expression | None = None


class AddOp(_Edit):
    """A new statement: a name for what the operation makes of its operands. Nothing reads it yet."""

    edit: Literal["add_op"]
    op: Annotated[str, Field(max_length=64, examples=["relu"])]
    operands: list[Operand] = Field(max_length=20)
    name: str | None = Field(
        default=None, max_length=66, description="`y` or `v.y`; one is made up where none is given."
    )


class InsertOp(_Edit):
    """Puts an operation around an operand: `x` becomes `relu(x)`."""

    edit: Literal["insert_op"]
    node: NodeId
    argument: int = Field(ge=0)
    op: Annotated[str, Field(max_length=64)]
    operands: list[Operand] = Field(default=[], max_length=20, description="Those after the first.")


class SetArgument(_Edit):
    """Types over an operand."""

    edit: Literal["set_argument"]
    node: NodeId
    argument: int = Field(ge=0)
    text: Expression


class RemoveArgument(_Edit):
    """Leaves out an optional operand, or one of many."""

    edit: Literal["remove_argument"]
    node: NodeId
    argument: int = Field(ge=0)


class Rewire(_Edit):
    """Reads another value. One that has no name gets one."""

    edit: Literal["rewire"]
    node: NodeId
    argument: int = Field(ge=0)
    operand: Operand


class SetOp(_Edit):
    """Another operation on the same operands: `relu` becomes `elu`, `+` becomes `*`, `sum` becomes `mean`."""

    edit: Literal["set_op"]
    node: NodeId
    op: Annotated[str, Field(max_length=64)]


class Delete(_Edit):
    """Takes an operation away. What read it reads its first operand; a declaration goes when nothing reads it."""

    edit: Literal["delete"]
    node: NodeId


class Rename(_Edit):
    """Another name, wherever the old one stands."""

    edit: Literal["rename"]
    node: NodeId
    name: Identifier


class NameValue(_Edit):
    """Gives an operand that is written in place a name, on a line of its own before its statement."""

    edit: Literal["name_value"]
    node: NodeId
    name: str = Field(max_length=66, description="`y` or `v.y`.")


class Declare(_Edit):
    """Adds to the signature, or changes what stands there under this name."""

    edit: Literal["declare"]
    what: Literal["feature", "edge_feature", "parameter", "constant"]
    name: Identifier
    shape: str | None = Field(default=None, max_length=200, description="Of features and parameters.")
    init: str | None = Field(default=None, max_length=32, description="How a parameter starts; None by its shape.")
    default: int | float | bool | Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="Of a constant."
    )


ProgramEdit = Annotated[
    AddOp | InsertOp | SetArgument | RemoveArgument | Rewire | SetOp | Delete | Rename | NameValue | Declare,
    Field(discriminator="edit"),
]

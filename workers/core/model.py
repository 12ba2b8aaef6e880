"""The documents a user authors: a model (layers wired together) and the vertex programs its layers run.

The document is the source of truth. Positions on the canvas live apart in `layout`, groups and notes in lists of their
own, so moving a node, drawing a box around some or writing a note changes no code and no content hash.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
)

SCHEMA_VERSION = 1
LARGEST_EXACT = 2**53
"""Whole numbers up to here are the same in every language that reads the document."""


LONGEST_TEXT = 8000
"""Letters of a setting: enough to name a few hundred relations."""
SettingText = Annotated[str, Field(max_length=LONGEST_TEXT)]
Name = Annotated[str, Field(max_length=64)]
ItemId = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
"""Nodes, groups and notes share one space of ids, for `layout` and groups name all three."""
Scalar = int | float | bool | str


def _setting(value: Any, check: ValidatorFunctionWrapHandler) -> Scalar:
    """One message for all the ways a value is no setting, and one form for one number.

    2.0 and 2 are one value: browsers write both as 2, and the same model must keep the same hash.
    """
    try:
        found: Scalar = check(value)
    except ValidationError:
        message = f"a setting is a finite number, true or false, or a text of at most {LONGEST_TEXT:,} characters"
        raise ValueError(message) from None
    if isinstance(found, float) and found.is_integer() and abs(found) <= LARGEST_EXACT:
        return int(found)
    return found


ExactInt = Annotated[int, Field(ge=-LARGEST_EXACT, le=LARGEST_EXACT)]
Setting = Annotated[ExactInt | FiniteFloat | bool | SettingText, WrapValidator(_setting)]


EXAMPLE: dict[str, Any] = {
    "nodes": [
        {"id": "input", "type": "input"},
        {"id": "gcn", "type": "gcn", "params": {"out_features": 0}},
        {"id": "output", "type": "output"},
    ],
    "wires": [
        {"source": {"node": "input", "port": "h"}, "target": {"node": "gcn", "port": "x"}},
        {"source": {"node": "gcn", "port": "y"}, "target": {"node": "output", "port": "x"}},
    ],
}
"""A whole model, as small as can be; the API's description shows it."""


class Endpoint(BaseModel):
    """One port of one node."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    node: str = Field(max_length=64)
    port: str = Field(max_length=64)


class Wire(BaseModel):
    """A value flowing from an output port to an input port."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Endpoint
    target: Endpoint


class Node(BaseModel):
    """A block of the canvas. `type` names a layer of the zoo; `params` are that layer's parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: ItemId
    type: str = Field(max_length=64)
    params: dict[Name, Setting] = Field(default_factory=dict, max_length=64)
    title: str = Field(default="", max_length=80)


class VertexProgram(BaseModel):
    """A user's vertex function in the closed Python subset; a layer of type `program` runs it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    source: str = Field(max_length=20_000)


class Group(BaseModel):
    """A box around nodes, notes and other groups. Only the canvas knows it: what runs does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: ItemId
    title: str = Field(default="", max_length=80)
    members: tuple[Name, ...] = Field(default=(), max_length=2000, description="Ids of nodes, notes and groups.")
    collapsed: bool = Field(default=False, description="Drawn as one block, with the ports of the wires that cross it.")


class Note(BaseModel):
    """A comment on the canvas. Plain text; its place is in `layout`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: ItemId
    text: str = Field(default="", max_length=4000)
    width: int = Field(default=208, ge=96, le=1600)
    height: int = Field(default=96, ge=48, le=1600)


class Position(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    x: FiniteFloat
    y: FiniteFloat


class ModelDoc(BaseModel):
    """A model: layers as nodes, wires between their ports, and the vertex programs it brings along."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": [EXAMPLE]})

    schema_version: int = SCHEMA_VERSION
    nodes: tuple[Node, ...] = Field(default=(), max_length=2000)
    wires: tuple[Wire, ...] = Field(default=(), max_length=4000)
    programs: tuple[VertexProgram, ...] = Field(default=(), max_length=100)
    groups: tuple[Group, ...] = Field(default=(), max_length=500)
    notes: tuple[Note, ...] = Field(default=(), max_length=500)
    layout: dict[Name, Position] = Field(default_factory=dict, max_length=4000)
    code: str = Field(
        default="",
        max_length=400_000,
        description="The model's text as its author left it, comments and all; empty where nobody wrote in it.",
    )

    @field_validator("schema_version")
    @classmethod
    def _readable(cls, version: int) -> int:
        if version != SCHEMA_VERSION:
            raise ValueError(f"this Asterism reads documents of schema_version {SCHEMA_VERSION}, got {version}")
        return version


CANVAS_ONLY = {"layout", "groups", "notes", "code"}
"""Fields of a document that say how it is drawn or written, not what it computes."""


def canonical_json(value: Any) -> bytes:
    """Same value, same bytes: keys sorted, no blanks, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def content_hash(doc: ModelDoc) -> str:
    """sha256 over what the model means; what only the canvas knows is left out."""
    return hashlib.sha256(canonical_json(doc.model_dump(mode="json", exclude=CANVAS_ONLY))).hexdigest()

"""What a job takes and gives: the base of every system's contract. Pure pydantic."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

DeviceKind = Literal["cpu", "gpu"]


class Spec(BaseModel):
    """What a job is asked to do. Subclasses fix `kind` to a literal and add their own fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    name: str = Field(
        default="", max_length=120, description="Label shown in lists.", json_schema_extra={"x-advanced": True}
    )
    device: DeviceKind = Field(default="cpu", description="Kind of device the job needs; decides its queue.")
    max_attempts: int = Field(
        default=1,
        ge=1,
        le=10,
        description="Runs again by itself after its worker was lost, up to this many attempts.",
        json_schema_extra={"x-advanced": True},
    )


class Result(BaseModel):
    """What a job gives back. Fields carry no defaults but for `kind`, so generated clients know they are there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str

"""One thing that is wrong with a document, said the same way in the API, on the canvas and in a job's log."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field


class Problem(BaseModel):
    """What is wrong, where, and what to do about it."""

    model_config = ConfigDict(frozen=True)

    pointer: str = Field(description="JSON pointer into the document, such as /nodes/n3/params/heads.")
    code: str = Field(description="Stable name of the rule that was broken.")
    message: str = Field(description="What is wrong, with the values in it.")
    hint: str = Field(default="", description="What to do about it.")
    node_id: str | None = Field(default=None, description="Node of the canvas the problem belongs to.")
    port: str | None = Field(default=None, description="Port of that node.")
    line: int | None = Field(default=None, description="Line of the source text, from 1.")
    column: int | None = Field(default=None, description="Column of the source text, from 1.")
    severity: str = Field(default="error", description="error stops a run, warning does not.")


@dataclass
class DocumentError(ValueError):
    """A document cannot be used: carries every problem found, not only the first."""

    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        return "; ".join(p.message + (f" {p.hint}" if p.hint else "") for p in self.problems)

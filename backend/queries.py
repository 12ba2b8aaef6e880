"""A query parameter nobody declared is refused: a typing error must not silently list everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import Request
from pydantic import BaseModel

from backend.errors import Refused
from workers.core.problems import Problem


def refuse_unknown_parameters(request: Request) -> None:
    """A dependency of every route; raises Refused naming the first unknown parameter and the known ones."""
    known = frozenset(_names_of(request.scope["route"].dependant))
    unknown = sorted(set(request.query_params) - known)
    if unknown:
        hint = f"Known: {', '.join(sorted(known))}." if known else "There are none here."
        message = f"There is no query parameter {unknown[0][:80]!r}."
        problems = [
            Problem(pointer=f"?{name[:80]}", code="unknown_parameter", message=message, hint=hint)
            for name in unknown[:1]
        ]
        raise Refused(f"{message} {hint}", code="unknown_parameter", problems=problems)


def _names_of(dependant: Any) -> Iterator[str]:
    """The parameters of an endpoint and of everything it depends on."""
    for field in dependant.query_params:
        yield from _names(field)
    for needed in dependant.dependencies:
        yield from _names_of(needed)


def _names(field: Any) -> list[str]:
    annotation = field.field_info.annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [f.alias or name for name, f in annotation.model_fields.items()]
    return [field.alias]

"""Every error the API answers, as RFC 9457 `application/problem+json`.

PlatformError(message, status, code)   raised by features; subclass it and say so in the endpoint's `responses`
├── NotFound                           404: there is nothing of that id
├── Conflict                           409: not in the state it is in now
├── Refused                            400, 403: the request itself is not acceptable
└── Unprocessable                      422: well formed, but wrong; carries every problem with its pointer
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, ProgrammingError
from starlette.exceptions import HTTPException

from workers.catalog import systems
from workers.core.logs import bound
from workers.core.problems import DocumentError, Problem

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger(__name__)


class ProblemItem(BaseModel):
    """One thing that is wrong, and where."""

    model_config = ConfigDict(title="ProblemItem")

    pointer: str = Field(description="JSON pointer into the request's body, or `?name` for a query parameter.")
    code: str
    message: str
    hint: str
    node_id: str | None
    port: str | None
    line: int | None
    column: int | None


class ProblemDetails(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(title="ProblemDetails", extra="allow")

    type: str = Field(description="Stable address of this kind of problem.")
    title: str
    status: int
    detail: str
    instance: str
    code: str
    request_id: str
    errors: list[ProblemItem]


class PlatformError(Exception):
    """The request cannot be answered as asked. The message says why and what to do."""

    status = 500
    code = "internal_error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: int | None = None,
        problems: Iterable[Problem] = (),
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(message)
        self.status = status or self.status
        self.code = code or self.code
        self.problems = tuple(problems)
        self.headers = dict(headers or {})
        self.members = members


class NotFound(PlatformError):
    """There is nothing of that id."""

    status, code = 404, "not_found"


class Conflict(PlatformError):
    """It is not in a state that allows this."""

    status, code = 409, "conflict"


class Refused(PlatformError):
    """The request is not acceptable as it is."""

    status, code = 400, "bad_request"


class Unprocessable(PlatformError):
    """Well formed, but wrong."""

    status, code = 422, "invalid"


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses=` of an endpoint that answers these errors: `errors(404, 409)`."""
    return {status: {"description": HTTPStatus(status).phrase} for status in statuses}


def problem_response(error: PlatformError, path: str) -> JSONResponse:
    """The error as a response; used by the handlers and by middleware, which no handler reaches."""
    body = {
        "type": f"/docs/problems/{error.code.replace('_', '-')}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": str(error),
        "instance": path,
        "code": error.code,
        "request_id": bound("request_id"),
        "errors": [p.model_dump(exclude={"severity"}) for p in error.problems],
        **error.members,
    }
    return JSONResponse(body, error.status, error.headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Let every error of the app be answered as problem+json."""
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)


async def _platform(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, PlatformError)
    return problem_response(exc, request.url.path)


async def _http(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, HTTPException)
    code = HTTPStatus(exc.status_code).name.lower()
    error = PlatformError(str(exc.detail), code=code, status=exc.status_code, headers=exc.headers)
    return problem_response(error, request.url.path)


async def _document(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, DocumentError)
    return problem_response(Unprocessable(str(exc), problems=exc.problems), request.url.path)


async def _validation(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RequestValidationError)
    problems = [_problem(e) for e in exc.errors()]
    broken = any(e["type"] == "json_invalid" for e in exc.errors())
    message = problems[0].message if len(problems) == 1 else f"{len(problems)} fields are wrong."
    error = (
        Refused(message, code="invalid_json", problems=problems)
        if broken
        else Unprocessable(message, problems=problems)
    )
    return problem_response(error, request.url.path)


async def _database(request: Request, exc: Exception) -> JSONResponse:
    if isinstance(exc, IntegrityError | DataError | ProgrammingError):
        raise exc  # The database answers well enough; the mistake is ours.
    log.error("database unavailable", exc_info=exc)
    error = PlatformError(
        "The database does not answer. Try again in a moment.",
        code="database_unavailable",
        status=503,
        headers={"Retry-After": "2"},
    )
    return problem_response(error, request.url.path)


HANDLERS = {
    PlatformError: _platform,
    HTTPException: _http,
    DocumentError: _document,
    RequestValidationError: _validation,
    DatabaseError: _database,
}


def _problem(error: Mapping[str, Any]) -> Problem:
    """A pydantic error as ours. Tags of a union, which pydantic puts into the location, are left out of the pointer."""
    where, *full = error["loc"]
    path = _without_tags(full)
    given = error.get("input")
    if where == "query":
        pointer = "?" + ".".join(map(str, path))
    elif where == "body":
        pointer = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
    else:
        pointer = f"{where}:{'.'.join(map(str, path))}"
    shown = f" (got {given!r})" if isinstance(given, str | int | float | bool) and len(repr(given)) <= 60 else ""
    label = ".".join(map(str, path)) or "the body"
    return Problem(pointer=pointer, code=error["type"], message=f"{label}: {error['msg']}{shown}")


def _without_tags(path: list[Any]) -> list[Any]:
    return [p for i, p in enumerate(path) if not (i and path[i - 1] == "spec" and p in systems())]

"""The API's description. `python -m backend.openapi` prints it for the client generator."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from backend.errors import MEDIA_TYPE, ProblemDetails
from backend.events.schemas import PAYLOADS

# Errors that any operation of a method may answer, beside those its endpoint names.
ALWAYS = {
    400: "Not acceptable as it is, for example an unknown query parameter.",
    403: "Host or origin not allowed.",
    503: "The database does not answer.",
}
WITH_INPUT = {422: "Well formed, but wrong."}
WITH_BODY = {
    409: "A request with this Idempotency-Key is still running, or the state does not allow it.",
    413: "The body is too large.",
    422: "Well formed, but wrong.",
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Repeating a request with the same key gives the first answer again instead of doing it twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[\\x21-\\x7e]+$"},
}
ERROR_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}


def install(app: FastAPI) -> None:
    """Let the app describe itself as below."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def describe(app: FastAPI) -> dict[str, Any]:
    """FastAPI's document with our errors in place of its own, and names for what clients switch on."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        routes=app.routes,
        separate_input_output_schemas=False,
        description="Build, train and scale graph neural networks. Errors are RFC 9457 problem details.",
    )
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    models: tuple[type[BaseModel], ...] = (ProblemDetails, *PAYLOADS.values())
    for model in models:
        _add_schema(schemas, model)
    for method, operation in _operations(document):
        _add_errors(method, operation)
        if method == "post":
            operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
    _name_unions(schemas)
    return document


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in document["paths"].values():
        yield from path.items()


def _add_errors(method: str, operation: dict[str, Any]) -> None:
    takes_input = bool(operation.get("parameters")) or "requestBody" in operation
    common = ALWAYS | (WITH_INPUT if takes_input else {}) | (WITH_BODY if method in ("post", "put", "patch") else {})
    responses: dict[str, Any] = operation["responses"]
    if not takes_input:
        responses.pop("422", None)
    for status, description in common.items():
        own = responses.get(str(status), {})
        kept = own.get("description") not in (None, "Validation Error", HTTPStatus(status).phrase)
        responses[str(status)] = {"description": own["description"] if kept else description}
    for name, response in responses.items():
        if name.isdigit() and int(name) >= 400:
            response["content"] = ERROR_CONTENT


def _add_schema(schemas: dict[str, Any], model: type[BaseModel]) -> None:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schema.pop("$defs", {}))
    schemas[model.__name__] = schema


def _name_unions(schemas: dict[str, Any]) -> None:
    """Give the unions of specs and of results a name, which the generator of clients would otherwise not have."""
    for name, (holder, field) in {"AnySpec": ("JobItem", "spec"), "AnyResult": ("JobItem", "result")}.items():
        if holder not in schemas:
            continue
        described = schemas[holder]["properties"][field]
        union = described["anyOf"][0] if "anyOf" in described else described
        schemas[name] = {k: union[k] for k in ("oneOf", "discriminator", "$ref") if k in union}
        reference = {"$ref": f"#/components/schemas/{name}"}
        if "anyOf" in described:
            described["anyOf"][0] = reference
        else:
            for owner in ("JobItem", "JobCreate"):
                own = schemas[owner]["properties"][field]
                schemas[owner]["properties"][field] = reference | {k: own[k] for k in ("description",) if k in own}


if __name__ == "__main__":
    from backend.main import create_app

    json.dump(create_app().openapi(), sys.stdout, indent=2)
    sys.stdout.write("\n")

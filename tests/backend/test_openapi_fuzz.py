"""Requests made up from the API's own description: none breaks the server or gets an answer not described."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CheckContext, not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.servers.api import serve

EXAMPLES = int(os.environ.get("ASTERISM_FUZZ_EXAMPLES", "12"))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path, valkey_server: str) -> Iterator[str]:
    home = tmp_path_factory.mktemp("fuzz")
    database = home / "asterism.db"
    database.write_bytes(migrated_sqlite.read_bytes())
    with serve(home, f"sqlite:///{database}", valkey_server) as url:
        yield url


def errors_are_problems(_context: CheckContext, response: Any, _case: Any) -> None:
    """Every error is problem+json and tells its status and request."""
    if response.status_code < 400:
        return
    assert response.headers["content-type"] == ["application/problem+json"], response.headers
    body = response.json()
    assert body["status"] == response.status_code
    assert body["request_id"]
    assert response.headers["x-request-id"] == [body["request_id"]]


CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    errors_are_problems,
)
# A stream of events never ends; its own tests read it.
ENDLESS = {"events_stream"}


def probe(operation: Any, mode: GenerationMode) -> str:
    """Send made-up requests of one kind to one operation; what was wrong with the first that surprised, or nothing."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def surprises_nobody(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, timeout=30)

    try:
        surprises_nobody()
    except Unsatisfiable:
        return ""
    except Exception as surprise:  # noqa: BLE001 - every kind of surprise is collected, so one run shows them all
        return f"{operation.label} ({mode.value}): {surprise!r:.3000}"
    return ""


def test_no_made_up_request_surprises(address: str) -> None:
    schema = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    probed = [o for o in operations if o.definition.raw["operationId"] not in ENDLESS]
    assert len(probed) >= 15
    surprises = [text for o in probed for mode in GenerationMode if (text := probe(o, mode))]
    assert not surprises, "\n\n".join(surprises)

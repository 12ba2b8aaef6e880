"""Requests made up from the API's own description: none breaks the server or gets an answer not described."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
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
from tests.servers.databases import environment, run_part
from tests.servers.postgres import create_database
from tests.workers.jobs import add_job
from workers.core.database import make_engine

EXAMPLES = int(os.environ.get("ASTERISM_FUZZ_EXAMPLES", "6"))


@dataclass(frozen=True)
class Site:
    """A served API, and path parameters that lead to something there."""

    address: str
    existing: dict[str, Any]


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, valkey_server: str
) -> Iterator[Site]:
    """An API with the bundled datasets, a model and a job, on SQLite and on PostgreSQL."""
    home = tmp_path_factory.mktemp("fuzz")
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_sqlite"), home / "asterism.db")
        url = f"sqlite:///{home}/asterism.db"
    else:
        url = create_database(request.getfixturevalue("migrated_postgres"), f"fuzz_{uuid4().hex}", "migrated")
    run_part("seed", environment(home, database_url=url, broker_url=valkey_server))
    with serve(home, url, valkey_server) as address:
        yield Site(address, things(address, url))


def things(address: str, url: str) -> dict[str, Any]:
    """Make one of each thing; its path parameters."""
    engine = make_engine(url)
    spec = {"kind": "seastar", "model": {}, "dataset": "ds_karate"}
    job = add_job(engine, state="succeeded", kind="seastar", spec=spec)
    engine.dispose()
    with httpx.Client(base_url=f"{address}/api/v1", timeout=30) as client:
        model = client.post("/models", json={"name": "fuzzed"}).json()["id"]
        upload = client.post("/uploads", files={"files": ("a.csv", b"source,target\n0,1\n")}).json()["id"]
    return {
        "job_id": job.id,
        "model_id": model,
        "number": 1,
        "upload_id": upload,
        "dataset_id": "ds_karate",
        "name": "gat",
    }


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


def probe(operation: Any, mode: GenerationMode, **fixed: Any) -> str:
    """Send made-up requests of one kind to one operation; what was wrong with the first that surprised, or nothing."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode, **fixed))
    def surprises_nobody(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, timeout=30)

    try:
        surprises_nobody()
    except Unsatisfiable:
        return ""
    except Exception as surprise:  # noqa: BLE001 - every kind of surprise is collected, so one run shows them all
        return f"{operation.label} ({mode.value}{' ' + str(fixed) if fixed else ''}): {surprise!r:.3000}"
    return ""


def kinds(operation: Any, existing: dict[str, Any]) -> Iterator[tuple[GenerationMode, dict[str, Any]]]:
    """Well-formed and ill-formed requests; those with a path also at things that exist."""
    yield GenerationMode.NEGATIVE, {}
    names = [
        parameter["name"] for parameter in operation.definition.raw.get("parameters", ()) if parameter["in"] == "path"
    ]
    if names:
        yield GenerationMode.POSITIVE, {"path_parameters": {name: existing[name] for name in names}}
    yield GenerationMode.POSITIVE, {}


def test_no_made_up_request_surprises(site: Site) -> None:
    schema = schemathesis.openapi.from_url(f"{site.address}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    probed = [o for o in operations if o.definition.raw["operationId"] not in ENDLESS]
    assert len(probed) >= 15
    probed.sort(key=lambda o: o.method == "delete")
    surprises = [text for o in probed for mode, fixed in kinds(o, site.existing) if (text := probe(o, mode, **fixed))]
    assert not surprises, "\n\n".join(surprises)

"""A running installation with the bundled datasets and the toy system, one for all pages; no module leaves it a job."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers.databases import run_part
from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey
from tests.workers import toy

GOING_ON = "queued,starting,running,cancelling"


@pytest.fixture(scope="session")
def installation(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """What is there after the first `make run`, and the toy system, on a broker that no other test empties."""
    home = tmp_path_factory.mktemp("site")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    with (
        valkey() as broker,
        running(home, f"sqlite:///{home}/asterism.db", broker, extra_systems=toy.EXTRA_SYSTEMS) as stack,
    ):
        run_part("seed", stack.env)
        yield stack


@pytest.fixture(scope="module")
def site(installation: Stack) -> Iterator[Stack]:
    """That installation; what a module left running is cancelled at its end, so that the next one's jobs start."""
    yield installation
    with installation.client() as client:
        jobs = client.get("/api/v1/jobs", params={"state": GOING_ON, "limit": 100}).raise_for_status().json()["items"]
        for job in jobs:
            client.post(f"/api/v1/jobs/{job['id']}/cancel")
        for job in jobs:
            toy.wait_for(client, job["id"])


@pytest.fixture
def client(site: Stack) -> Iterator[httpx.Client]:
    with site.client() as client:
        yield client

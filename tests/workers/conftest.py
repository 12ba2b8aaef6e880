"""The whole stack with the toy system, and with times short enough to watch the watchdog."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
import redis

from tests.servers.postgres import create_database, drop_database
from tests.servers.stack import Stack, running
from tests.workers.toy import EXTRA_SYSTEMS

SHORT_TIMES: dict[str, object] = {
    "heartbeat_s": 0.3,
    "lost_after_s": 2.5,
    "resend_after_s": 2,
    "sweep_s": 0.3,
    "kill_after_s": 1.5,
}
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.services)]


@pytest.fixture
def toy_stack(tmp_path: Path, database_url: str, broker_url: str) -> Iterator[Stack]:
    """API and one CPU worker of the test's own that know the toy system. On SQLite and on PostgreSQL."""
    with running(tmp_path, database_url, broker_url, extra_systems=EXTRA_SYSTEMS, **SHORT_TIMES) as stack:
        yield stack


@pytest.fixture
def client(toy_stack: Stack) -> Iterator[httpx.Client]:
    with toy_stack.client() as client:
        yield client


@pytest.fixture(scope="module", params=BOTH)
def shared_stack(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, valkey_server: str
) -> Iterator[Stack]:
    """The same, but one for all tests of a module: for those that stop and kill nothing but their own jobs."""
    home = tmp_path_factory.mktemp("shared-stack")
    with redis.Redis.from_url(valkey_server) as broker:
        broker.flushall()
    with (
        _database(request, str(request.param), home) as url,
        running(home, url, valkey_server, extra_systems=EXTRA_SYSTEMS, **SHORT_TIMES) as stack,
    ):
        yield stack


@pytest.fixture
def shared(shared_stack: Stack) -> Iterator[httpx.Client]:
    with shared_stack.client() as client:
        yield client


@contextmanager
def _database(request: pytest.FixtureRequest, kind: str, home: Path) -> Iterator[str]:
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_sqlite"), home / "asterism.db")
        yield f"sqlite:///{home}/asterism.db"
        return
    server, name = request.getfixturevalue("migrated_postgres"), f"test_{uuid4().hex}"
    yield create_database(server, name, "migrated")
    drop_database(server, name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where toy jobs leave marks."""
    marks = tmp_path / "marks"
    marks.mkdir()
    return marks

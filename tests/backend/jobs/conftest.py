"""The API as a process that knows the toy system; no worker runs, so jobs stay as tests put them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import Engine

from tests.servers.postgres import create_database, drop_database
from tests.servers.stack import Stack
from tests.workers.toy import EXTRA_SYSTEMS
from workers.core.database import make_engine


@dataclass(frozen=True)
class Site:
    """An API, and the database under it."""

    client: httpx.Client
    engine: Engine
    stack: Stack


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("site") / "asterism.db"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), file)
        yield f"sqlite:///{file}"
        return
    server, name = request.getfixturevalue("migrated_postgres"), f"test_{uuid4().hex}"
    yield create_database(server, name, "migrated")
    drop_database(server, name)


@pytest.fixture(scope="module")
def site(url: str, tmp_path_factory: pytest.TempPathFactory, valkey_server: str) -> Iterator[Site]:
    """On SQLite and on PostgreSQL, one for all tests of a module."""
    settings: dict[str, object] = {"extra_systems": EXTRA_SYSTEMS, "max_replay": 50, "resend_after_s": 3600}
    stack = Stack(tmp_path_factory.mktemp("home"), url, valkey_server, settings)
    engine = make_engine(url)
    try:
        stack.start_api()
        with stack.client() as client:
            yield Site(client, engine, stack)
    finally:
        stack.stop()
        engine.dispose()

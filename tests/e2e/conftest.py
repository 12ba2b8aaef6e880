"""A running installation with the bundled datasets and the toy system, one for each module."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import redis

from tests.servers.databases import run_part
from tests.servers.stack import Stack, running
from tests.workers.toy import EXTRA_SYSTEMS


@pytest.fixture(scope="module")
def site(migrated_sqlite: Path, valkey_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running installation as after the first `make run`, that also knows the toy system."""
    home = tmp_path_factory.mktemp("site")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    with redis.Redis.from_url(valkey_server) as broker:
        broker.flushall()
    with running(home, f"sqlite:///{home}/asterism.db", valkey_server, extra_systems=EXTRA_SYSTEMS) as stack:
        run_part("seed", stack.env)
        yield stack


@pytest.fixture
def client(site: Stack) -> Iterator[httpx.Client]:
    with site.client() as client:
        yield client

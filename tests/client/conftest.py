"""A client on a running installation that replays no more than five missed events."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

import asterism
from tests.servers.databases import run_part
from tests.servers.stack import Stack, running
from tests.workers.toy import EXTRA_SYSTEMS


@pytest.fixture(scope="module")
def site(migrated_sqlite: Path, valkey_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running installation with the bundled datasets and the toy system."""
    home = tmp_path_factory.mktemp("site")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    with redis.Redis.from_url(valkey_server) as broker:
        broker.flushall()
    settings: dict[str, object] = {"extra_systems": EXTRA_SYSTEMS, "max_replay": 5}
    with running(home, f"sqlite:///{home}/asterism.db", valkey_server, **settings) as stack:
        run_part("seed", stack.env)
        yield stack


@pytest.fixture
def a(site: Stack) -> Iterator[asterism.Asterism]:
    with asterism.connect(site.url) as a:
        yield a

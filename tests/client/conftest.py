"""A client on a running installation that replays no more than five missed events; one for all tests here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import asterism
from tests.servers.databases import run_part
from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey
from tests.workers.toy import EXTRA_SYSTEMS


@pytest.fixture(scope="session")
def site(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running installation with the bundled datasets and the toy system, on a broker that no other test empties."""
    home = tmp_path_factory.mktemp("site")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    settings: dict[str, object] = {"extra_systems": EXTRA_SYSTEMS, "max_replay": 5}
    with valkey() as broker, running(home, f"sqlite:///{home}/asterism.db", broker, **settings) as stack:
        run_part("seed", stack.env)
        yield stack


@pytest.fixture
def a(site: Stack) -> Iterator[asterism.Asterism]:
    with asterism.connect(site.url) as a:
        yield a

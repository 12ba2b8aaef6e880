"""Several processes may migrate the same empty database at once, as when workers and API start together."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import entrypoints
import pytest
from sqlalchemy import select

from tests.servers.databases import ROOT, environment
from tests.servers.postgres import create_database, drop_database
from workers.core.database import make_engine, read
from workers.core.journal import EventClock


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables; for SQLite not even its folder is there."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/folder/to/make/asterism.db"
        return
    server, name = request.getfixturevalue("postgres_server"), f"empty_{uuid4().hex}"
    yield create_database(server, name)
    drop_database(server, name)


def test_several_processes_may_migrate_at_once(empty_url: str, tmp_path: Path) -> None:
    command = entrypoints.command("migrate", sys.executable)
    env = environment(tmp_path, database_url=empty_url)
    started = [
        subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True)
        for _ in range(3)
    ]
    ended = [(p.communicate(timeout=120)[1], p.returncode) for p in started]
    assert [code for _, code in ended] == [0, 0, 0], ended
    engine = make_engine(empty_url)
    with read(engine) as session:
        assert session.scalars(select(EventClock.value)).all() == [0]
    engine.dispose()

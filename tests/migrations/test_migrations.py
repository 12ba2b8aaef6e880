"""The migrations make the tables that the code has, go both ways, and hang on one another in one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from migrations.upgrade import alembic_config, upgrade
from tests.servers.databases import ROOT
from workers.core.database import Base, make_engine

VERSIONS = sorted((ROOT / "migrations" / "versions").glob("*.py"))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


def test_tables_are_what_the_migrations_make(engine: Engine) -> None:
    # Running a migration loads every table into the metadata, as env.py does it for an installation.
    upgrade(str(engine.url.render_as_string(hide_password=False)))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_migration_can_be_taken_back_and_made_again(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    before = set(inspect(engine).get_table_names())
    with engine.execution_options(asterism_writes=True).connect() as connection:
        config = alembic_config(url)
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        connection.commit()
    assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
    upgrade(url)
    assert set(inspect(engine).get_table_names()) == before


def test_running_them_again_changes_nothing(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    before = set(inspect(engine).get_table_names())
    upgrade(url)
    assert set(inspect(engine).get_table_names()) == before


def test_migrations_hang_on_one_another_in_one_line() -> None:
    script = ScriptDirectory.from_config(alembic_config("sqlite://"))
    assert len(script.get_heads()) == 1
    assert len(list(script.walk_revisions())) == len(VERSIONS)


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_migration_stands_on_its_own_and_waits_for_no_lock(path: Path) -> None:
    text = path.read_text()
    assert "import backend" not in text, "tables change again, what a migration did does not"
    assert "from backend" not in text
    assert text.count("lock_timeout()") == 2, "in upgrade and in downgrade"

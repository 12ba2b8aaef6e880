"""Bring a database up to date, from code."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from workers.core.database import make_engine

_ADVISORY_LOCK = 7_302_115


def alembic_config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Run every migration the database has not seen. Safe to call from several processes at once."""
    engine = make_engine(url)
    try:
        _upgrade(engine, url)
    finally:
        engine.dispose()


def _upgrade(engine: Engine, url: str) -> None:
    with engine.execution_options(asterism_writes=True).connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _ADVISORY_LOCK})
        config = alembic_config(url)
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
        connection.commit()

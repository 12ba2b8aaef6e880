"""How alembic sees our tables: every module called `table` or `journal`, so a new table needs no line here."""

from __future__ import annotations

import importlib
import pkgutil

from alembic import context
from sqlalchemy import Connection

import backend
import workers.core.journal
from workers.core.database import Base, make_engine
from workers.core.settings import settings


def import_tables() -> None:
    """Import every `backend/<feature>/table.py`, so that the metadata knows all tables."""
    for feature in pkgutil.iter_modules(backend.__path__):
        if feature.ispkg and importlib.util.find_spec(f"backend.{feature.name}.table"):
            importlib.import_module(f"backend.{feature.name}.table")


def run() -> None:
    import_tables()
    connection = context.config.attributes.get("connection")
    if connection is not None:
        migrate(connection)
        return
    with make_engine(context.config.attributes.get("url") or settings().database_url).connect() as connection:
        migrate(connection)
        connection.commit()


def migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()


assert workers.core.journal.Job.metadata is Base.metadata
run()

"""Engines and transactions, the same on SQLite and PostgreSQL.

A transaction says beforehand whether it will write: SQLite then takes its one write lock at the start (BEGIN IMMEDIATE)
and waits for it, where a reader that turns writer half-way would fail at once with "database is locked".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase, Session

BUSY_TIMEOUT_MS = 20_000
NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
_WRITES = "asterism_writes"
_PRAGMAS = (f"busy_timeout={BUSY_TIMEOUT_MS}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")


class Base(DeclarativeBase):
    """The base of every table; constraints get their names by convention, so migrations can drop them."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)


def make_engine(url: str, *, pool_size: int = 5) -> Engine:
    """An engine for `url`; a SQLite file's folder is made when missing. Raises OSError when it cannot be written."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(
            parsed.set(drivername="postgresql+psycopg"), pool_size=pool_size, max_overflow=40, pool_pre_ping=True
        )
    Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, pool_size=pool_size, max_overflow=40, connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # The driver would otherwise begin by itself, late and as a reader.
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def writing_session(engine: Engine) -> Session:
    """A session whose transactions write. The caller commits or closes."""
    return Session(engine.execution_options(**{_WRITES: True}), expire_on_commit=False)


def reading_session(engine: Engine) -> Session:
    """A session that only reads. The caller closes."""
    return Session(engine, expire_on_commit=False)


@contextmanager
def write(engine: Engine) -> Iterator[Session]:
    """One writing transaction: committed at the end of the block, rolled back when it raises."""
    with writing_session(engine) as session, session.begin():
        yield session


@contextmanager
def read(engine: Engine) -> Iterator[Session]:
    """One reading transaction."""
    with reading_session(engine) as session:
        yield session

"""Database sessions for endpoints: one request is one transaction, committed before the answer leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from workers.core.database import reading_session, writing_session

_AFTER_COMMIT = "after_commit"
_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def engine_of(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


def after_commit(session: Session, deed: Callable[[], object]) -> None:
    """Do something once this request's transaction is safely in: wake listeners, send a job."""
    session.info.setdefault(_AFTER_COMMIT, []).append(deed)


def _session(request: Request) -> Iterator[Session]:
    if request.method in _READING_METHODS:
        with reading_session(engine_of(request)) as session:
            yield session
        return
    with writing_session(engine_of(request)) as session:
        yield session
        session.commit()
    for deed in session.info.pop(_AFTER_COMMIT, []):
        deed()


SessionDep = Annotated[Session, Depends(_session, scope="function")]
EngineDep = Annotated[Engine, Depends(engine_of)]

"""Whether what the platform stands on is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import redis
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

from backend.cluster import service
from backend.cluster.schemas import Component, Health
from workers.core.database import read
from workers.core.journal import EventClock

Check = Callable[[FastAPI], str]


def _database(app: FastAPI) -> str:
    with read(app.state.engine) as session:
        return f"{session.bind.dialect.name}, {session.query(EventClock).one().value} events"  # type: ignore[union-attr]


def _broker(app: FastAPI) -> str:
    app.state.broker.ping()
    return "answers"


def _storage(app: FastAPI) -> str:
    app.state.storage.exists("datasets")
    return "answers"


def _workers(app: FastAPI) -> str:
    with read(app.state.engine) as session:
        online = [w for w in service.workers(session, app.state.settings.lost_after_s) if w.state == "online"]
    if not online:
        raise OSError("No worker is online: jobs wait. Start one with `python -m workers --device cpu`.")
    return f"{len(online)} online, {sum(w.slots for w in online)} slots"


# Name, check, and whether the API can answer at all without it.
CHECKS: tuple[tuple[str, Check, bool], ...] = (
    ("database", _database, True),
    ("broker", _broker, False),
    ("storage", _storage, True),
    ("workers", _workers, False),
)


def health(app: FastAPI) -> Health:
    components = list(_components(app))
    vital = {name for name, _, is_vital in CHECKS if is_vital}
    down = [c for c in components if not c.ok]
    status = "ok" if not down else "down" if any(c.name in vital for c in down) else "degraded"
    return Health(status=status, version=app.version, components=components)


def _components(app: FastAPI) -> Iterator[Component]:
    for name, check, _ in CHECKS:
        try:
            yield Component(name=name, ok=True, detail=check(app))
        except (SQLAlchemyError, redis.RedisError, OSError) as error:
            yield Component(name=name, ok=False, detail=str(error).splitlines()[0][:300])

"""Structured logs: one JSON object a line, carrying the ids of the request and job it belongs to."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message", "data"}
_ids: ContextVar[MappingProxyType[str, str]] = ContextVar("log_ids", default=MappingProxyType({}))


def bound(name: str) -> str:
    """The id bound to the work at hand, or an empty text."""
    return _ids.get().get(name, "")


@contextmanager
def bind(**ids: str) -> Iterator[None]:
    """Add ids, such as request_id or job_id, to every line logged inside the block."""
    token = _ids.set(MappingProxyType({**_ids.get(), **ids}))
    try:
        yield
    finally:
        _ids.reset(token)


class JsonFormatter(logging.Formatter):
    """at, level, logger, message, the bound ids, and what was passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_ids.get(),
        }
        entry |= {k: v for k, v in vars(record).items() if k not in _STANDARD}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def log_as_json(level: str) -> None:
    """Send every logger's records to stderr as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)

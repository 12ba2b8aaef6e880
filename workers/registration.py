"""A worker's entry in the database: where it runs, what it offers, how busy it is, and that it lives."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from workers import devices
from workers.core.database import write
from workers.core.journal import Worker, now
from workers.host import Host

log = logging.getLogger(__name__)


@contextmanager
def registered(host: Host, device: str, slots: int, found: list[dict[str, Any]]) -> Iterator[None]:
    """Be known as a worker inside the block."""
    entry = Worker(
        id=host.name,
        host=socket.gethostname(),
        pid=os.getpid(),
        device=device,
        slots=slots,
        busy=0,
        devices=found,
        versions=devices.versions(),
        started_at=now(),
        heartbeat_at=now(),
    )
    with write(host.engine) as session:
        session.add(entry)
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(host, stop), name="registration", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=10)
        _say(host, busy=0, stopped_at=now())


def _beat(host: Host, stop: threading.Event) -> None:
    while not stop.wait(host.config.heartbeat_s):
        _say(host, busy=host.busy)


def _say(host: Host, **columns: Any) -> None:
    try:
        with write(host.engine) as session:
            session.execute(update(Worker).where(Worker.id == host.name).values(heartbeat_at=now(), **columns))
    except OperationalError as error:
        log.warning("the database does not take the heartbeat", extra={"error": str(error)})

"""Runs the watchdog beside the API."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from workers.core.settings import Settings
from workers.core.wakeup import wake
from workers.watchdog import Watchdog

log = logging.getLogger(__name__)


@contextmanager
def sweeping(engine: Engine, broker: redis.Redis, settings: Settings) -> Iterator[None]:
    """Sweep every few seconds on a thread inside the block."""
    stop = threading.Event()
    watchdog = Watchdog(engine, settings)

    def loop() -> None:
        while not stop.wait(settings.sweep_s):
            try:
                if watchdog.sweep():
                    wake(broker)
            except SQLAlchemyError as error:
                log.warning("the watchdog could not look", extra={"error": str(error)})

    thread = threading.Thread(target=loop, name="watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=10)

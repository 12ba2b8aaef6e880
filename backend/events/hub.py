"""Knows when the journal has grown, and wakes the streams that wait for it.

One task per API process looks at the event clock whenever the broker brings a wake-up, and twice a second without one.
Streams then read the journal themselves, each from its own last id: since ids come in commit order, nothing is
missed between replay and live tail, and nothing comes twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import redis.asyncio
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from workers.core.database import read
from workers.core.journal import EventClock
from workers.core.settings import Settings
from workers.core.wakeup import CHANNEL

POLL_S = 0.5
RECONNECT_S = 2.0
log = logging.getLogger(__name__)


class EventHub:
    """`head` is the newest event id known; `wait_beyond` returns when it moves or the hub closes."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine, self.broker_url = engine, settings.broker_url
        self.head = 0
        self.closing = False
        self._hint = asyncio.Event()
        self._moved = asyncio.Condition()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Follow the journal inside the block."""
        self._hint, self._moved, self.closing = asyncio.Event(), asyncio.Condition(), False
        clock, broker = asyncio.create_task(self._follow_clock()), asyncio.create_task(self._follow_broker())
        try:
            yield
        finally:
            self.closing = True
            self._hint.set()
            broker.cancel()
            # The clock is read on a thread, which a cancelled task would leave behind with a connection of its own.
            await asyncio.gather(clock, broker, return_exceptions=True)
            await self._tell()

    def close(self) -> None:
        """Have every stream end within half a second. May be called from a signal handler."""
        self.closing = True

    async def wait_beyond(self, seen: int, timeout_s: float) -> None:
        """Wait until there are events after `seen`, the hub closes, or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s), self._moved:
                await self._moved.wait_for(lambda: self.closing or self.head > seen)

    async def newest(self) -> int:
        """The newest event id, read now."""
        self.head = max(self.head, await run_in_threadpool(self.read_clock))
        return self.head

    async def _follow_clock(self) -> None:
        while not self.closing:
            self._hint.clear()
            before = self.head
            try:
                if await self.newest() > before:
                    await self._tell()
            except SQLAlchemyError as error:
                log.warning("the event clock cannot be read", extra={"error": str(error)})
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._hint.wait()
        await self._tell()

    async def _follow_broker(self) -> None:
        while True:
            try:
                async with redis.asyncio.Redis.from_url(self.broker_url, socket_connect_timeout=2) as broker:
                    await self._hear(broker)
            except (redis.RedisError, OSError):
                await asyncio.sleep(RECONNECT_S)

    async def _hear(self, broker: redis.asyncio.Redis) -> None:
        async with broker.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            async for _ in channel.listen():
                self._hint.set()

    async def _tell(self) -> None:
        async with self._moved:
            self._moved.notify_all()

    def read_clock(self) -> int:
        with read(self.engine) as session:
            return session.scalars(select(EventClock.value)).one()

"""Tell listeners that the journal has grown. Only a hint: whoever misses it finds the events by polling."""

from __future__ import annotations

import contextlib

import redis

CHANNEL = "asterism:events"


def connect(broker_url: str) -> redis.Redis:
    """A connection for wake-ups, made on first use; it gives up quickly, since nothing depends on it."""
    return redis.Redis.from_url(broker_url, socket_connect_timeout=1, socket_timeout=1)


def wake(broker: redis.Redis) -> None:
    """Wake every listener; nothing happens when the broker cannot be had."""
    with contextlib.suppress(redis.RedisError, OSError):
        broker.publish(CHANNEL, b"")

"""A Valkey server of the test run's own, the same one that `make run` embeds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from broker import Valkey
from processes import spawn, stop, wait_for_port


@contextmanager
def valkey() -> Iterator[str]:
    """Run a server; yields its URL."""
    server = Valkey()
    process = spawn(server.argv, stdin=server.config)
    try:
        assert wait_for_port(server.port, process, timeout_s=10), "Valkey did not start"
        yield server.url
    finally:
        stop(process, grace_s=5)

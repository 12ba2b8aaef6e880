"""The API ends when it is told to, also with event streams open."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.servers.stack import Stack


@pytest.mark.services
def test_open_streams_do_not_hold_up_the_end(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    stack = Stack(tmp_path, sqlite_url, broker_url)
    try:
        api = stack.start_api()
        with stack.client() as client, client.stream("GET", "/api/v1/events?topics=jobs") as stream:
            lines = stream.iter_lines()
            assert next(lines) == ": connected"
            api.send_signal(signal.SIGTERM)
            assert list(lines)[-1] == "", "the stream was ended whole, not cut off"
            assert api.wait(60) in (0, -signal.SIGTERM)
    finally:
        stack.stop()

"""The API in the test's own process: the real app behind a real server, on a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from processes import free_port

from tests.servers.databases import environment


@contextmanager
def serve(home: Path, database_url: str, broker_url: str, **variables: object) -> Iterator[str]:
    """Serve the app over a migrated database; yields its address. `variables` are settings by name."""
    # Imported here: tests that need no server must not wait for the app to load.
    from backend.main import create_app
    from backend.settings import read_settings

    port = free_port()
    env = environment(home, port=port, database_url=database_url, broker_url=broker_url, **variables)
    app = create_app(read_settings(env))
    server = uvicorn.Server(
        uvicorn.Config(
            app, host="127.0.0.1", port=port, log_level="warning", lifespan="on", timeout_graceful_shutdown=5
        )
    )
    thread = threading.Thread(target=server.run, name="api", daemon=True)
    thread.start()
    try:
        wait_started(server, thread)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive(), "the API did not stop"


def wait_started(server: uvicorn.Server, thread: threading.Thread, timeout_s: float = 120) -> None:
    until = time.monotonic() + timeout_s
    while not server.started:
        assert thread.is_alive(), "the API did not start"
        assert time.monotonic() < until, f"the API did not start within {timeout_s} s"
        time.sleep(0.01)

"""The installation that is measured: real servers, the built pages, and what has to be in the database first."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize
from sqlalchemy import update

from tests.benchmarks.web.documents import large_model
from tests.servers.browser import chromium
from tests.servers.databases import migrate, run_part
from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey
from tests.workers import toy
from workers.core.database import make_engine, write
from workers.core.journal import Event, Job, append, now, take_ids

VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
PROBE = Path(__file__).with_name("probe.js").read_text()
WAIT_MS = 120_000


@dataclass(frozen=True)
class Site:
    """A running installation and the browser that looks at it."""

    stack: Stack
    browser: Browser

    @contextmanager
    def page(self, slower: float = 1) -> Iterator[Page]:
        """A page of a fresh profile, so nothing is cached; `slower` divides the speed of its CPU."""
        context = self.browser.new_context(viewport=VIEWPORT)
        context.add_init_script(PROBE)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        if slower != 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        try:
            yield page
        finally:
            context.close()

    def model(self, layers: int, wires: int, towers: int) -> str:
        """Store a large model; returns the path of its page."""
        return self.store(f"{layers} layers", large_model(layers, wires, towers))

    def store(self, name: str, doc: dict[str, Any]) -> str:
        """Store a model; returns the path of its page."""
        body = {"name": name, "doc": doc}
        with self.stack.client() as api:
            made: dict[str, Any] = api.post("/api/v1/models", json=body).raise_for_status().json()
        return f"/models/{made['id']}"


@contextmanager
def site() -> Iterator[Site]:
    """API, worker, SQLite and Valkey as processes, as after the first `make run`, with the toy system of the tests."""
    home = Path(tempfile.mkdtemp(prefix="asterism-bench-"))
    url = f"sqlite:///{home}/asterism.db"
    try:
        migrate(url, home)
        # No process is made ready for a next job: its start would take a CPU while the page of this one is measured.
        with valkey() as broker, running(home, url, broker, extra_systems=toy.EXTRA_SYSTEMS) as stack:
            run_part("seed", stack.env)
            with chromium() as browser:
                yield Site(stack, browser)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def write_events(stack: Stack, job_id: str, events: Sequence[Event]) -> None:
    """Put events into the journal of a job that has none of their kind, as its process would have written them."""
    engine = make_engine(stack.database_url)
    try:
        with write(engine) as session:
            first = take_ids(session, len(events))
            append(session, job_id, 1, first, events)
            session.execute(update(Job).where(Job.id == job_id).values(last_event_id=first + len(events) - 1))
    finally:
        engine.dispose()


def points(first: int, count: int, series: int, batch: int = 100) -> list[Event]:
    """Events of `count` points from step `first`, each of `series` series."""
    at = now().isoformat()
    steps = [
        {"step": step, "at": at, "values": {f"s{k}": ((step * (k + 3)) % 997) / 997 + k for k in range(series)}}
        for step in range(first, first + count)
    ]
    return [("job.metrics", {"points": steps[i : i + batch]}) for i in range(0, count, batch)]


def lines(count: int, batch: int = 500) -> list[Event]:
    """Events of `count` log lines; every tenth thousandth is a warning."""
    at = now().isoformat()
    texts = [
        {"at": at, "level": "info" if i % 10_000 else "warning", "text": f"line {i} of {count}: loss {1 / i:.6f}"}
        for i in range(1, count + 1)
    ]
    return [("job.log", {"lines": texts[i : i + batch], "dropped": 0}) for i in range(0, count, batch)]

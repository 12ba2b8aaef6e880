"""A page that missed more events than the server replays is told so once, and loads everything anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import redis
from playwright.sync_api import Page

from tests.e2e.line import line_to
from tests.e2e.test_live import open_table, steps, wait_for_step
from tests.servers.stack import Stack, running
from tests.workers import toy

pytestmark = [pytest.mark.browser, pytest.mark.services]

REPLAYED = 10


@pytest.fixture(scope="module")
def forgetful(migrated_sqlite: Path, valkey_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """An installation that replays no more than ten missed events."""
    home = tmp_path_factory.mktemp("forgetful")
    shutil.copy(migrated_sqlite, home / "asterism.db")
    with redis.Redis.from_url(valkey_server) as broker:
        broker.flushall()
    settings: dict[str, object] = {"extra_systems": toy.EXTRA_SYSTEMS, "max_replay": REPLAYED}
    with running(home, f"sqlite:///{home}/asterism.db", valkey_server, **settings) as stack:
        yield stack


def test_p2_after_the_buffer_expired_one_resync_and_a_refetch(forgetful: Stack, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with line_to(forgetful.port) as line, httpx.Client(base_url=forgetful.url) as client:
        job_id = toy.start(client, steps=200, step_s=0.1)
        table = open_table(page.context, line.url, job_id)
        table.on("request", lambda request: asked.append(request.url))
        wait_for_step(table, 10, 60)
        line.cut()
        last = toy.events(client, job_id)[-1]["id"]
        toy.until(lambda: sum(e["id"] > last for e in toy.events(client, job_id)) > 2 * REPLAYED)
        asked.clear()
        line.mend()
        toy.wait_for(client, job_id, timeout_s=90)
        wait_for_step(table, 200, 30)
        assert steps(table) == list(range(1, 201))
        assert [url for url in asked if "/metrics" in url], "the series was loaded anew"
        assert line.carried.count(b"event: resync") == 1

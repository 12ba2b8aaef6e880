"""The servers that other tests stand on do start, answer and go away."""

from __future__ import annotations

import psycopg
import pytest
import redis
from playwright.sync_api import Page


@pytest.mark.services
def test_postgres_answers(postgres_server: str) -> None:
    with psycopg.connect(f"{postgres_server.replace('+psycopg', '')}/postgres") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.services
def test_valkey_answers_and_starts_empty(broker_url: str) -> None:
    with redis.Redis.from_url(broker_url) as client:
        assert client.ping()
        assert client.dbsize() == 0


@pytest.mark.browser
def test_a_page_opens(page: Page) -> None:
    page.goto("data:text/html,<h1>here</h1>")
    assert page.get_by_role("heading").inner_text() == "here"

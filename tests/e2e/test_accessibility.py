"""The shell's pages without a mouse and under axe, in both themes and at a phone's width."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import serious
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.browser, pytest.mark.services]

PATHS = ("/", "/jobs", "/compare", "/jobs/new", "/jobs/new?kind=toy", "/jobs/new?kind=seastar&template=gat", "/cluster")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(site: Stack, page: Page, client: httpx.Client, theme: Any) -> None:
    job_id = toy.start(client, steps=5)
    toy.wait_for(client, job_id)
    page.emulate_media(color_scheme=theme)
    tabs = ("overview", "metrics", "logs", "artifacts", "events")
    for path in (*PATHS, *(f"/jobs/{job_id}?tab={tab}" for tab in tabs)):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_timeout(400)
        assert serious(page) == [], path


def test_no_page_is_wider_than_a_phone(site: Stack, page: Page, client: httpx.Client) -> None:
    job_id = toy.start(client, steps=5)
    toy.wait_for(client, job_id)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in (*PATHS, f"/jobs/{job_id}", f"/jobs/{job_id}?tab=logs"):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_the_keyboard_is_enough_to_find_a_page_and_start_a_job(site: Stack, page: Page) -> None:
    page.goto(site.url)
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    page.keyboard.press("Control+K")
    expect(page.get_by_placeholder("Search or run a command")).to_be_focused()
    page.keyboard.type("cluster")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Cluster")).to_be_visible()
    page.goto(f"{site.url}/jobs/new?kind=toy")
    page.get_by_role("textbox", name="Steps").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=60_000)

"""The shell's pages without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.servers.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.services]


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

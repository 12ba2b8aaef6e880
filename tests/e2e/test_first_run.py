"""A newcomer's first minutes: from Home to where the time of a trained model went."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.servers.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.services]

CLICKS = 5
SECONDS = 120.0
FIRST_POINT_S = 4.0
MINUTES_MS = 240_000


@dataclass
class Hand:
    """Counts what the user has to click."""

    page: Page
    clicks: int = 0

    def click(self, role: str, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]
        self.clicks += 1


def first_point(client: httpx.Client, job_id: str) -> float:
    """Seconds from the job's creation to its first stored point."""
    created = client.get(f"/api/v1/jobs/{job_id}").json()["created_at"]
    points = client.get(f"/api/v1/jobs/{job_id}/metrics").json()["points"]
    return (moment(points[0]["at"]) - moment(created)) if points else float("inf")


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def test_home_to_the_profile_of_a_trained_gat(site: Stack, page: Page, client: httpx.Client) -> None:
    hand, opened = Hand(page), time.monotonic()
    page.goto(site.url)
    hand.click("link", "Train GAT now")
    expect(page.get_by_role("textbox", name="Epochs")).not_to_have_value("")
    hand.click("button", "Start")
    started = time.monotonic()
    page.wait_for_url(re.compile(r"/jobs/job_"))
    expect(page.get_by_role("img", name=re.compile("Loss of .* at epoch"))).to_be_visible(timeout=MINUTES_MS)
    drawn = time.monotonic() - started
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=MINUTES_MS)
    trained = time.monotonic() - started
    hand.click("link", "See where time went")
    expect(page.get_by_role("heading", name="Kernels")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("gat1"))).not_to_have_count(0)
    expect(page.get_by_label(re.compile("^Source of")).first).to_contain_text("asterism_kernel")
    total = time.monotonic() - opened
    stored = first_point(client, page.url.split("/jobs/")[1].split("?")[0])
    print(f"\nfirst run: {hand.clicks} clicks and {total:.1f} s (wanted: {SECONDS:.0f} s at most) to the profile.")
    print(f"After Start: first point stored {stored:.1f} s, drawn {drawn:.1f} s (wanted: {FIRST_POINT_S:.0f} s at most")
    print(f"where kernels are cached), trained {trained:.1f} s.")
    assert hand.clicks <= CLICKS

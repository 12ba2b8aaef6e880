"""Pages follow a job as it happens, in many tabs, over broken lines and restarts: each event once and in order."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import staying_local
from tests.e2e.line import Line, line_to
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.browser, pytest.mark.services]

TABS = 8
CUT_S = 20.0
DOWN_S = 5.0
SOON_MS = 60_000


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One browser profile: its tabs share one connection to the API."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    with staying_local(context):
        yield context


@pytest.fixture
def line(site: Stack) -> Iterator[Line]:
    with line_to(site.port) as line:
        yield line


def open_table(context: BrowserContext, url: str, job_id: str) -> Page:
    """The job's metrics with the points of its first chart as a table."""
    page = context.new_page()
    page.goto(f"{url}/jobs/{job_id}?tab=metrics")
    page.get_by_role("button", name="Loss: view as table").click(timeout=SOON_MS)
    return page


def steps(page: Page) -> list[int]:
    """The steps the page holds, oldest first."""
    cells = page.locator("table tbody tr td:first-child").all_inner_texts()
    return [int(cell) for cell in reversed(cells)]


def wait_for_step(page: Page, step: int, timeout_s: float) -> None:
    toy.until(lambda: max(steps(page), default=0) >= step, timeout_s, lambda: steps(page)[-3:])


def newest_step(client: httpx.Client, job_id: str) -> int:
    points = client.get(f"/api/v1/jobs/{job_id}/metrics", params={"max_points": 20_000}).json()["points"]
    return int(points[-1]["step"]) if points else 0


def shown_progress(page: Page) -> int:
    """How many steps the head of the job's page says are done."""
    text = page.locator(".job-standing b").first.inner_text()
    return int(text.replace(",", ""))


def test_p1_eight_tabs_over_http_1_1_are_all_live(site: Stack, client: httpx.Client, context: BrowserContext) -> None:
    job_id = toy.start(client, steps=3000, step_s=0.1)
    tabs = [context.new_page() for _ in range(TABS)]
    for tab in tabs:
        tab.goto(f"{site.url}/jobs/{job_id}")
        expect(tab.get_by_text("of 3,000")).to_be_visible(timeout=60_000)
    goal = newest_step(client, job_id) + 20
    for tab in tabs:
        toy.until(lambda tab=tab: shown_progress(tab) >= goal, 30, lambda tab=tab: shown_progress(tab))  # type: ignore[misc]
        expect(tab.get_by_role("status").filter(has_text="Live")).to_be_visible()
    held = [shown_progress(tab) for tab in tabs]
    print(f"\n{TABS} tabs are at steps {min(held)} to {max(held)}")
    client.post(f"/api/v1/jobs/{job_id}/cancel")
    for tab in tabs:
        expect(tab.get_by_text("Cancelled").first).to_be_visible(timeout=SOON_MS)


def test_d1_a_running_job_moves_on_the_page_without_a_reload(
    site: Stack, client: httpx.Client, context: BrowserContext
) -> None:
    job_id = toy.start(client, steps=3000, step_s=0.1)
    page = open_table(context, site.url, job_id)
    wait_for_step(page, 20, 60)
    lags = []
    for _ in range(5):
        newest = newest_step(client, job_id)
        began = time.monotonic()
        wait_for_step(page, newest, 30)
        lags.append(time.monotonic() - began)
    assert toy.get(client, job_id)["state"] == "running", "the page moved while the job ran"
    client.post(f"/api/v1/jobs/{job_id}/cancel")
    print(f"\nfrom journal to page: at most {max(lags):.1f} s behind in {len(lags)} looks (wanted: 1 s at most)")


def test_p2_a_line_cut_for_20_s_leaves_neither_gap_nor_duplicate(
    site: Stack, client: httpx.Client, context: BrowserContext, line: Line
) -> None:
    job_id = toy.start(client, steps=300, step_s=0.1)
    page = open_table(context, line.url, job_id)
    wait_for_step(page, 10, 60)
    line.cut()
    before = max(steps(page))
    expect(page.get_by_text(re.compile("Reconnecting|Offline")).first).to_be_visible(timeout=SOON_MS)
    time.sleep(CUT_S)
    assert max(steps(page)) <= before + 10
    line.mend()
    mended = time.monotonic()
    wait_for_step(page, newest_step(client, job_id), 30)
    print(f"\nthe page had caught up {time.monotonic() - mended:.1f} s after the line was mended")
    toy.wait_for(client, job_id, timeout_s=90)
    wait_for_step(page, 300, 30)
    assert steps(page) == list(range(1, 301))
    page.get_by_role("link", name="Logs").click()
    expect(page.get_by_text("300 lines")).to_be_visible(timeout=SOON_MS)


def test_a_restarted_api_is_picked_up_again(site: Stack, client: httpx.Client, context: BrowserContext) -> None:
    job_id = toy.start(client, steps=200, step_s=0.1)
    page = open_table(context, site.url, job_id)
    wait_for_step(page, 10, 60)
    site.stop_api()
    time.sleep(DOWN_S)
    site.start_api()
    with site.client() as fresh:
        toy.wait_for(fresh, job_id, timeout_s=90)
    wait_for_step(page, 200, 30)
    assert steps(page) == list(range(1, 201))
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=SOON_MS)


def test_cancelling_goes_through_to_cancelled(site: Stack, client: httpx.Client, page: Page) -> None:
    job_id = toy.start(client, mode="sleep", steps=1000, step_s=0.1)
    page.goto(f"{site.url}/jobs/{job_id}")
    expect(page.get_by_text("Running").first).to_be_visible(timeout=SOON_MS)
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("Cancelled").first).to_be_visible(timeout=10_000)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_failed_job_says_why_before_anything_else(site: Stack, client: httpx.Client, page: Page) -> None:
    job_id = toy.start(client, mode="blame")
    page.goto(f"{site.url}/jobs/{job_id}")
    expect(page.get_by_role("alert")).to_contain_text("features.csv, row 7", timeout=SOON_MS)

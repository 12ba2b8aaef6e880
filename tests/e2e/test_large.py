"""Models of 500 and 800 layers, a log of 100,000 lines: counted here, timed by `make bench-web`."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.benchmarks.web.documents import large_model
from tests.benchmarks.web.site import lines, write_events
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.services, pytest.mark.browser]

LINES = 100_000
MB = 2**20
SOON_MS = 60_000
# Which layers change between two pictures, while one of them is dragged.
WATCH = """() => {
    const all = document.querySelector('.react-flow__nodes');
    window.__most = 0;
    let touched = new Set();
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            const node = target.nodeType === 1 ? target.closest('.react-flow__node') : null;
            if (node) touched.add(node);
        }
    }).observe(all, { subtree: true, childList: true, attributes: true });
    const frame = () => {
        window.__most = Math.max(window.__most, touched.size);
        touched = new Set();
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""


def open_model(site: Stack, page: Page, layers: int, wires: int, towers: int) -> None:
    with site.client() as api:
        body = {"name": f"{layers} layers", "doc": large_model(layers, wires, towers)}
        made: dict[str, Any] = api.post("/api/v1/models", json=body).raise_for_status().json()
    page.goto(f"{site.url}/models/{made['id']}")
    expect(page.locator(".react-flow__node .layer").first).to_be_visible(timeout=SOON_MS)
    page.wait_for_timeout(1500)


def test_e20_dragging_one_layer_of_500_changes_at_most_three(site: Stack, page: Page) -> None:
    open_model(site, page, 500, 700, 16)
    assert page.locator(".react-flow__node").count() > 400, "the model is not all in view"
    layer = page.locator('[data-id="gcn_8_8"]')
    box = layer.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8, steps=2)
    page.evaluate(WATCH)
    page.mouse.move(x + 40, y + 30, steps=12)
    page.mouse.up()
    moved = layer.bounding_box()
    assert moved
    assert moved["x"] > box["x"] + 20
    assert 1 <= page.evaluate("() => window.__most") <= 3


def test_e21_800_layers_take_at_most_15000_elements_and_250_mb(site: Stack, page: Page) -> None:
    open_model(site, page, 800, 1120, 20)
    assert page.evaluate("() => document.querySelectorAll('*').length") <= 15_000
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    assert session.send("Runtime.getHeapUsage")["usedSize"] <= 250 * MB


def test_d10_a_log_of_100000_lines_is_read_searched_and_not_pulled_away(
    site: Stack, client: httpx.Client, page: Page
) -> None:
    job = toy.start(client, steps=0)
    toy.wait_for(client, job)
    write_events(site, job, lines(LINES))
    page.goto(f"{site.url}/jobs/{job}?tab=logs")
    expect(page.get_by_text(f"{LINES:,} lines")).to_be_visible(timeout=SOON_MS)
    expect(page.get_by_text(f"line {LINES} of {LINES}")).to_be_visible()
    assert page.locator(".log-line").count() < 200
    follow = page.get_by_label("Follow")
    expect(follow).to_be_checked()
    page.locator(".log-lines").hover()
    page.mouse.wheel(0, -5000)
    expect(follow).not_to_be_checked()
    page.get_by_label("Search the log").fill("line 43210 of")
    expect(page.get_by_text("1 match")).to_be_visible()
    expect(page.locator(".log-line")).to_have_count(1)

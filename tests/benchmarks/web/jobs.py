"""A job's page with much to show: 20 charts of 10,000 points, live at 10 points a second; 100,000 log lines."""

from __future__ import annotations

import time

from playwright.sync_api import CDPSession, Page

from tests.benchmarks.web.budgets import Figures
from tests.benchmarks.web.canvas import MB, heap, mean_frame_while
from tests.benchmarks.web.site import Site, lines, points, write_events
from tests.workers import toy

SERIES, POINTS, LINES = 20, 10_000, 100_000
WATCHED_S = 8

# Counts how often each chart is drawn: a chart clears its canvas once a picture.
COUNT_DRAWS = """() => {
    const clear = CanvasRenderingContext2D.prototype.clearRect;
    window.__draws = new Map();
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        window.__draws.set(this.canvas, (window.__draws.get(this.canvas) ?? 0) + 1);
        return clear.apply(this, box);
    };
}"""


def round_(site: Site) -> Figures:
    with site.stack.client() as api:
        job = toy.start(api, mode="sleep", steps=100_000, step_s=0.1, series=SERIES, first=POINTS + 1)
        toy.wait_for(api, job, "running")
        write_events(site.stack, job, points(1, POINTS, SERIES))
        try:
            return _watch(site, job)
        finally:
            api.post(f"/api/v1/jobs/{job}/cancel")


def _watch(site: Site, job: str) -> Figures:
    with site.page() as page:
        page.goto(f"{site.stack.url}/jobs/{job}?tab=metrics", wait_until="commit")
        drawn = """() => new Promise((resolve) => {
            const find = (name) => document.querySelector(name);
            const there = () => find('.u-wrap canvas') && !find('.time-series-waiting');
            const shown = () => requestAnimationFrame(() => resolve(performance.now()));
            const look = () => (there() ? shown() : setTimeout(look, 5));
            look();
        })"""
        found: Figures = {"charts": float(page.evaluate(drawn))}
        page.wait_for_timeout(2500)
        page.evaluate(COUNT_DRAWS)
        cdp = page.context.new_cdp_session(page)
        cdp.send("Performance.enable")
        before, began = busy_s(cdp), time.monotonic()
        page.wait_for_timeout(WATCHED_S * 1000)
        took = time.monotonic() - began
        found["busy"] = 100 * (busy_s(cdp) - before) / took
        draws: list[int] = page.evaluate("() => [...window.__draws.values()]")
        assert draws, "no chart was drawn while the job ran"
        found["rate"] = max(draws) / took
    return found


def busy_s(cdp: CDPSession) -> float:
    """Seconds the page's main thread has worked so far."""
    metrics = {m["name"]: m["value"] for m in cdp.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def logs_round(site: Site) -> Figures:
    with site.stack.client() as api:
        job = toy.start(api, steps=0)
        toy.wait_for(api, job)
    write_events(site.stack, job, lines(LINES))
    with site.page() as page:
        page.goto(f"{site.stack.url}/jobs/{job}?tab=logs")
        page.get_by_text(f"{LINES:,} lines").wait_for()
        page.wait_for_timeout(500)
        found = {"log scroll": 1000 / mean_frame_while(page, lambda: scroll(page))}
        found["log heap"] = heap(page.context.new_cdp_session(page)) / MB
        page.get_by_label("Search the log").click()
        found["log search"] = searched(page)
    return found


def scroll(page: Page) -> None:
    page.mouse.move(700, 600)
    for i in range(60):
        page.mouse.wheel(0, -4000 if i % 20 < 15 else 4000)
        page.wait_for_timeout(8)


def searched(page: Page) -> float:
    """The slowest keystroke of a search, from key to picture."""
    page.evaluate("() => { window.__still = window.__probe.follow('keydown'); }")
    page.keyboard.type("line 4321 ", delay=150)
    page.wait_for_timeout(500)
    page.evaluate("() => window.__still()")
    return float(max(page.evaluate("() => window.__probe.paints")))

"""Many runs at once and one that runs: lists and comparisons of a thousand (D5), from the worker to the pixel (D1)."""

from __future__ import annotations

from datetime import datetime

from playwright.sync_api import Page

from tests.benchmarks.web.budgets import Figures, percentile
from tests.benchmarks.web.site import Site
from tests.servers.many_jobs import seed_jobs
from tests.workers import toy
from workers.core.database import make_engine

RUNS, SERIES, STEPS, COMPARED = 1000, 200, 30, 100
WATCHED_S = 6
# Milliseconds from the address to the first picture in which `ready` holds.
DRAWN = """(selector) => new Promise((resolve) => {
    const shown = () => requestAnimationFrame(() => resolve(performance.now()));
    const look = () => (document.querySelector(selector) ? shown() : setTimeout(look, 5));
    look();
})"""
# A chart says the step it has drawn in its label: when each was there first, by the clock of the worker.
NOTE_STEPS = """() => {
    window.__drawn = [];
    const chart = document.querySelector('.time-series');
    new MutationObserver(() => {
        const step = Number(/at step (\\d+)/.exec(chart.getAttribute('aria-label') ?? '')?.[1]);
        if (step) window.__drawn.push([step, Date.now()]);
    }).observe(chart, { attributes: true, attributeFilter: ['aria-label'] });
}"""


def round_(site: Site) -> Figures:
    ids = many(site)
    with site.page() as page:
        found = {"list": opened(page, f"{site.stack.url}/jobs?q=sweep", "table tbody .job-link, table tbody tr a")}
        address = f"{site.stack.url}/compare?jobs={','.join(ids[:COMPARED])}"
        found["compare"] = opened(page, address, ".compare .u-wrap canvas")
    return found | {"lag": lag(site)}


def many(site: Site) -> list[str]:
    """The ids of a thousand finished jobs, made once for an installation."""
    with site.stack.client() as api:
        items = api.get("/api/v1/jobs", params={"q": "sweep", "limit": 100}).raise_for_status().json()["items"]
    if items:
        return [job["id"] for job in items]
    engine = make_engine(site.stack.database_url)
    try:
        return seed_jobs(engine, RUNS, SERIES, STEPS)
    finally:
        engine.dispose()


def opened(page: Page, address: str, selector: str) -> float:
    page.goto(address, wait_until="commit")
    return float(page.evaluate(DRAWN, selector))


def lag(site: Site) -> float:
    """95th percentile of the time from a point in the worker to its picture, of those drawn as the newest."""
    with site.stack.client() as api:
        job = toy.start(api, mode="sleep", steps=100_000, step_s=0.1)
        toy.wait_for(api, job, "running")
        try:
            with site.page() as page:
                page.goto(f"{site.stack.url}/jobs/{job}?tab=metrics")
                page.locator(".u-wrap canvas").first.wait_for()
                page.evaluate(NOTE_STEPS)
                page.wait_for_timeout(WATCHED_S * 1000)
                drawn: list[tuple[int, float]] = page.evaluate("() => window.__drawn")
            points = api.get(f"/api/v1/jobs/{job}/metrics", params={"max_points": 20_000}).json()["points"]
        finally:
            api.post(f"/api/v1/jobs/{job}/cancel")
    made = {p["step"]: 1000 * datetime.fromisoformat(p["at"]).timestamp() for p in points}
    return percentile([at - made[step] for step, at in drawn if step in made], 0.95)

"""Largest paint, layout shift, interaction to next paint and long tasks of pages as a person goes through them."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Page

from tests.benchmarks.web.budgets import Figures, percentile
from tests.benchmarks.web.site import Site

SLOWER = 4
SETTLE_MS = 1500


def pages(site: Site) -> Mapping[str, str]:
    with site.stack.client() as api:
        model = api.post("/api/v1/models", json={"name": "gat", "template": "gat"}).raise_for_status().json()
    return {"Home": "/", "Jobs": "/jobs", "Editor": f"/models/{model['id']}"}


def round_(site: Site) -> Figures:
    found: Figures = {}
    addresses = pages(site)
    for name, path in addresses.items():
        found[f"lcp {name}"], found[f"cls {name}"] = loaded(site, path)
        found[f"slow lcp {name}"], _ = loaded(site, path, SLOWER)
    with site.page() as page:
        page.goto(f"{site.stack.url}/")
        page.wait_for_timeout(SETTLE_MS)
        page.evaluate("() => { window.__probe.long = []; window.__probe.inputs = []; }")
        walk(page)
        inputs: list[list[float]] = page.evaluate("() => window.__probe.inputs")
        tasks: list[list[float]] = page.evaluate("() => window.__probe.long")
    slowest: dict[float, float] = {}
    for interaction, length in inputs:
        slowest[interaction] = max(length, slowest.get(interaction, 0))
    found["inp"] = percentile(slowest.values(), 0.75) if slowest else 0
    found["long"] = max((length for _, length in tasks), default=0)
    return found


def loaded(site: Site, path: str, slower: float = 1) -> tuple[float, float]:
    with site.page(slower) as page:
        page.goto(f"{site.stack.url}{path}")
        page.locator("h1, h2, .react-flow__node").first.wait_for()
        page.wait_for_timeout(SETTLE_MS * slower)
        return page.evaluate("() => window.__probe.lcp"), page.evaluate("() => window.__probe.cls")


def walk(page: Page) -> None:
    """From page to page by the rail, a search, the palette, a template opened and edited."""
    for name in ("Models", "Templates", "Datasets", "Jobs"):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_timeout(500)
    page.keyboard.press("Control+k")
    page.keyboard.type("models", delay=40)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.wait_for_timeout(700)
    page.locator('a[href^="/models/mdl_"]').first.click()
    page.locator('[data-id="gat1"] .layer-head').first.click()
    page.wait_for_timeout(300)
    page.get_by_label("Out features", exact=True).click()
    page.keyboard.type("12", delay=60)
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    page.keyboard.press("Control+z")
    page.wait_for_timeout(500)

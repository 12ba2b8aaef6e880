"""A two-layer GCN is built and trained by keyboard alone, and by touch alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import serious
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.browser, pytest.mark.services]

LAYERS = ("input", "gcn", "activation", "gcn", "output")
CHAIN = {"input.h>gcn.x", "gcn.y>activation.x", "activation.y>gcn_2.x", "gcn_2.y>output.x"}
SAVED = '.save-note[data-save="saved"]'
TOUCH_PX = 44
# Width and height in which an element takes a touch: its own, or those of what it lays over itself.
REACH = """e => {
    const over = getComputedStyle(e, '::before'), beyond = over.position === 'absolute' ? -parseFloat(over.top) : 0;
    return [e.offsetWidth + 2 * Math.max(0, beyond), e.offsetHeight + 2 * Math.max(0, beyond)];
}"""


def wires(client: httpx.Client, model_id: str) -> set[str]:
    doc = client.get(f"/api/v1/models/{model_id}/draft").raise_for_status().json()["doc"]
    return {".".join(w["source"].values()) + ">" + ".".join(w["target"].values()) for w in doc["wires"]}


def width_of(client: httpx.Client, model_id: str, node_id: str) -> Any:
    doc = client.get(f"/api/v1/models/{model_id}/draft").raise_for_status().json()["doc"]
    return next(n for n in doc["nodes"] if n["id"] == node_id)["params"]["out_features"]


def empty_model(client: httpx.Client) -> str:
    return str(client.post("/api/v1/models", json={"name": "by hand"}).raise_for_status().json()["id"])


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(150):
        page.keyboard.press("Tab")
        focused = page.evaluate("(document.activeElement.ariaLabel || document.activeElement.textContent || '').trim()")
        if focused == name:
            return
    raise AssertionError(f"no Tab leads to {name}")


def trained_by(client: httpx.Client, page: Page) -> dict[str, Any]:
    """The job the page shows, ended."""
    page.wait_for_url(re.compile(r"/jobs/job_"))
    return dict(toy.wait_for(client, page.url.split("/jobs/")[1].split("?")[0], timeout_s=200))


def test_e17_a_two_layer_gcn_is_built_and_trained_with_the_keyboard_alone(
    site: Stack, page: Page, client: httpx.Client
) -> None:
    model_id = empty_model(client)
    page.goto(f"{site.url}/models/{model_id}?dataset=ds_karate")
    expect(page.get_by_label("Model canvas")).to_be_visible()
    for name in LAYERS:
        page.keyboard.press("/")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        if name == "gcn":
            first = page.locator('[data-id="gcn_2"]').count() == 0
            expect(page.get_by_label("Out features", exact=True)).to_be_visible()
            page.keyboard.press("Enter")
            expect(page.get_by_label("Out features", exact=True)).to_be_focused()
            page.keyboard.press("Control+A")
            page.keyboard.type("8" if first else "0")  # 0: as many as there are classes
            page.keyboard.press("Tab")
    expect(page.locator(SAVED)).to_be_visible(timeout=15_000)
    assert wires(client, model_id) == CHAIN
    assert width_of(client, model_id, "gcn") == 8
    assert serious(page) == []
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()
    tab_to(page, "Train")
    page.keyboard.press("Enter")
    epochs = page.get_by_role("textbox", name="Epochs")
    expect(epochs).to_be_visible()
    tab_to(page, "Start")
    page.keyboard.press("Enter")
    assert trained_by(client, page)["state"] == "succeeded"


@pytest.fixture
def tablet(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1180, "height": 820}, has_touch=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_e26_a_two_layer_gcn_is_built_and_trained_by_touch_alone(
    site: Stack, tablet: Page, client: httpx.Client
) -> None:
    model_id = empty_model(client)
    tablet.goto(f"{site.url}/models/{model_id}?dataset=ds_karate")
    for layer in ("output", "input", "gcn", "activation", "gcn"):
        tap(tablet.locator(f"#palette-{layer}"))
    expect(tablet.locator(".layer")).to_have_count(len(LAYERS))
    tap(tablet.get_by_role("button", name="Fit the model in view"))
    tap(tablet.locator('[data-port="gcn_2.y"][data-side="output"]'))
    tap(tablet.locator('[data-port="output.x"][data-side="input"]'))
    for node, width in (("gcn", "8"), ("gcn_2", "0")):
        tablet.locator(f'[data-id="{node}"] .layer-head').tap()
        tablet.get_by_label("Out features", exact=True).fill(width)
    expect(tablet.locator(SAVED)).to_be_visible(timeout=15_000)
    toy.until(lambda: wires(client, model_id) == CHAIN, 15, lambda: wires(client, model_id))
    tap(tablet.get_by_role("button", name="Train", exact=True))
    tap(tablet.get_by_role("button", name="Start", exact=True))
    assert trained_by(client, tablet)["state"] == "succeeded"


def tap(target: Locator) -> None:
    """Tap something that a finger can hit: 44 px with what it reaches beyond its own box, before the canvas zooms."""
    target.scroll_into_view_if_needed()
    width, height = target.evaluate(REACH)
    assert min(width, height) >= TOUCH_PX, f"{target}: {width} by {height}"
    target.tap()

"""Models of 500 to 1,000 layers, a log of 100,000 lines: counted here, timed by `make bench-web`."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.benchmarks.web.documents import large_model, long_program
from tests.benchmarks.web.site import lines, write_events
from tests.e2e.editing import middle
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.services, pytest.mark.browser]

LINES = 100_000
MB = 2**20
SOON_MS = 60_000
# Counts as React's own tools do: of every commit the components that were called, by the layer on the canvas they draw.
COUNT_RENDERS = """(() => {
    const CALLED = 1, COMPONENTS = new Set([0, 1, 11, 14, 15]);
    window.__rendered = null;
    const layerOf = (fiber) => {
        for (let up = fiber; up; up = up.return)
            if (typeof up.type === 'string' && up.stateNode.classList?.contains('react-flow__node'))
                return up.stateNode.dataset.id;
        let down = fiber;
        while (down && typeof down.type !== 'string') down = down.child;
        return down?.stateNode.classList?.contains('react-flow__node') ? down.stateNode.dataset.id : null;
    };
    const walk = (fiber, found) => {
        if (fiber.flags & CALLED && COMPONENTS.has(fiber.tag)) {
            const layer = layerOf(fiber);
            if (layer) found.add(layer);
        }
        const before = fiber.alternate?.child;
        if (fiber.child && fiber.child === before) return;
        for (let child = fiber.child; child; child = child.sibling) walk(child, found);
    };
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberUnmount: () => {},
        onCommitFiberRoot: (_, root) => {
            if (!window.__rendered) return;
            const found = new Set();
            walk(root.current, found);
            if (found.size) window.__rendered.push([...found]);
        },
    };
})()"""


def open_model(site: Stack, page: Page, layers: int, wires: int, towers: int) -> None:
    with site.client() as api:
        body = {"name": f"{layers} layers", "doc": large_model(layers, wires, towers)}
        made: dict[str, Any] = api.post("/api/v1/models", json=body).raise_for_status().json()
    page.goto(f"{site.url}/models/{made['id']}")
    expect(page.locator(".react-flow__node .layer").first).to_be_visible(timeout=SOON_MS)
    page.wait_for_timeout(1500)


def test_e20_dragging_one_layer_of_500_renders_at_most_three(site: Stack, page: Page) -> None:
    page.add_init_script(COUNT_RENDERS)
    open_model(site, page, 500, 700, 16)
    assert page.locator(".react-flow__node").count() > 400, "the model is not all in view"
    layer = page.locator('[data-id="gcn_8_8"]')
    box = layer.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8, steps=2)
    page.evaluate("() => { window.__rendered = []; }")
    page.mouse.move(x + 40, y + 30, steps=12)
    page.mouse.up()
    moved = layer.bounding_box()
    assert moved
    assert moved["x"] > box["x"] + 20
    rendered: list[list[str]] = page.evaluate("() => window.__rendered")
    assert any("gcn_8_8" in layers for layers in rendered), "the layer that moved was seen"
    assert max(map(len, rendered)) <= 3


def test_e21_800_layers_take_at_most_15000_elements_and_250_mb(site: Stack, page: Page) -> None:
    open_model(site, page, 800, 1120, 20)
    assert page.evaluate("() => document.querySelectorAll('*').length") <= 15_000
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    assert session.send("Runtime.getHeapUsage")["usedSize"] <= 250 * MB


def test_d11_a_program_of_200_values_is_drawn_with_all_its_wires(site: Stack, page: Page) -> None:
    with site.client() as api:
        body = {"name": "200 values", "doc": long_program(200)}
        model = api.post("/api/v1/models", json=body).raise_for_status().json()["id"]
    page.goto(f"{site.url}/models/{model}?open=long&dock=closed")
    expect(page.locator(".vertex-node").first).to_be_visible(timeout=SOON_MS)
    # What is read, gathered and given back stands beside the 200; every other one of them reads two, the rest one.
    assert 200 <= page.locator(".vertex-node").count() <= 210
    assert 300 <= page.locator(".react-flow__edge").count() <= 310


# Presses Cancel in the turn in which it appears, long before an answer can come.
CANCEL_AT_ONCE = """() => {
    window.__stopped = 0;
    const stop = Worker.prototype.terminate;
    Worker.prototype.terminate = function () {
        window.__stopped += 1;
        stop.call(this);
    };
    const watch = new MutationObserver(() => {
        const button = document.querySelector('.arranging button');
        if (!button) return;
        watch.disconnect();
        button.click();
    });
    watch.observe(document.body, { subtree: true, childList: true });
}"""


def test_e22_the_layout_of_1000_layers_is_worked_out_apart_and_can_be_cancelled(site: Stack, page: Page) -> None:
    open_model(site, page, 1000, 1400, 24)
    before = layout_of(site, page)
    page.locator(".react-flow__pane").click(position={"x": 20, "y": 300})
    page.evaluate(CANCEL_AT_ONCE)
    page.keyboard.press("l")
    expect(page.get_by_text("Laying out the model")).to_have_count(0)
    page.wait_for_timeout(2500)  # past the time limit, at which plain columns would have stood in
    assert page.evaluate("() => window.__stopped") == 1
    expect(page.get_by_role("button", name="Nothing to undo")).to_be_disabled()
    assert layout_of(site, page) == before
    page.keyboard.press("l")
    expect(page.get_by_role("button", name=re.compile("^Undo: "))).to_be_enabled(timeout=SOON_MS)
    expect(page.locator('.save-note[data-save="saved"]')).to_be_visible(timeout=SOON_MS)
    assert layout_of(site, page) != before


def layout_of(site: Stack, page: Page) -> dict[str, Any]:
    """Places of the model that the page edits, as they are saved."""
    path = page.url.split("?")[0].removeprefix(site.url)
    with site.client() as api:
        found: dict[str, Any] = api.get(f"/api/v1{path}/draft").raise_for_status().json()["doc"]["layout"]
    return found


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


def test_a_large_model_that_was_opened_from_afar_is_wired_once_it_is_near(site: Stack, page: Page) -> None:
    open_model(site, page, 150, 200, 6)
    page.get_by_title("Zoom to 100 %").click()
    page.wait_for_timeout(600)
    held = next(p for p in page.locator('.port[data-port^="gcn"][data-side="output"]').all() if _in_view(page, p))
    x, y = middle(held)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=3)
    expect(page.locator(".react-flow__connection")).to_be_attached()
    page.mouse.up()


def _in_view(page: Page, port: Locator) -> bool:
    box, canvas = port.bounding_box(), page.locator(".canvas").bounding_box()
    assert canvas
    return box is not None and 50 < box["x"] - canvas["x"] < 800 and 50 < box["y"] - canvas["y"] < 400

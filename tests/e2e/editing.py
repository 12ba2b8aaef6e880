"""What tests of the editor do: read the draft, drag between ports, wait until it is saved, use the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.servers.stack import Stack
from tests.workers import toy

# Copies or pastes as the browser would, without the clipboard of the machine.
CLIPBOARD = """([type, text]) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true }));
    return data.getData('text/plain');
}"""


def draft(site: Stack, model_id: str) -> dict[str, Any]:
    with site.client() as api:
        doc: dict[str, Any] = api.get(f"/api/v1/models/{model_id}/draft").raise_for_status().json()["doc"]
    return doc


def wires(doc: dict[str, Any]) -> set[str]:
    return {
        f"{w['source']['node']}.{w['source']['port']}>{w['target']['node']}.{w['target']['port']}" for w in doc["wires"]
    }


def port(page: Page, name: str, side: str) -> Locator:
    return page.locator(f'[data-port="{name}"][data-side="{side}"]')


def middle(of: Locator) -> tuple[float, float]:
    box = of.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Locator, end: Locator, let_go: bool = True) -> None:
    drag_to(page, start, *middle(end), let_go=let_go)


def drag_to(page: Page, start: Locator, x: float, y: float, let_go: bool = True) -> None:
    a = middle(start)
    page.mouse.move(*a)
    page.mouse.down()
    page.mouse.move(a[0] + 24, a[1] + 24, steps=3)
    page.mouse.move(x, y, steps=6)
    if let_go:
        page.mouse.up()


def until_draft(site: Stack, model_id: str, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until the saved draft is as wanted; returns it."""

    def found() -> dict[str, Any] | None:
        now = draft(site, model_id)
        return now if is_wanted(now) else None

    return dict(toy.until(found, 30, lambda: draft(site, model_id)))


def head(page: Page, node: str) -> Locator:
    return page.locator(f'[data-id="{node}"] .layer-head')


def expect_saved(page: Page) -> None:
    expect(page.locator('.save-note[data-save="saved"]')).to_be_visible(timeout=10_000)

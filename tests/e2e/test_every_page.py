"""Every page, tab, editor state and dialog: nothing serious for axe in both themes, nothing amiss on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

import asterism
from tests.e2e.axe import COLOURS, serious
from tests.e2e.views import Furnished, every_view, furnish, look_at, settle
from tests.servers.stack import Stack

# Controls that a finger, 44 px, cannot hit. A bar of a flame view is as wide as its time is long, so its height counts.
TOO_SMALL = """() => {
    const controls = '.btn, .segments > *, .chart-legend button, .tabs a, .dock-tab, select, summary,'
        + 'button.kernel-name, button.icicle-cell, .mantine-Pill-remove, .mantine-Modal-close';
    const short = (box, element) =>
        box.height < 43.5 || (box.width < 43.5 && !element.matches('.icicle-cell'));
    return [...document.querySelectorAll(controls)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => [element, element.getBoundingClientRect()])
        .filter(([element, box]) => box.width > 0 && short(box, element))
        .map(([element, box]) => `${element.className || element.tagName} ${element.textContent.trim().slice(0, 30)}`
            + ` ${box.width.toFixed()} x ${box.height.toFixed()}`);
}"""
READABLE_FROM = 60

pytestmark = [pytest.mark.browser, pytest.mark.services]


@pytest.fixture(scope="module")
def furnished(site: Stack) -> Furnished:
    with asterism.connect(site.url) as a:
        return furnish(a, epochs=5)


def test_axe_finds_nothing_serious_anywhere_in_either_theme(site: Stack, page: Page, furnished: Furnished) -> None:
    found = {}
    for view in every_view(furnished):
        page.emulate_media(color_scheme="light")
        look_at(page, site.url, view)
        faults = serious(page)
        page.emulate_media(color_scheme="dark")
        settle(page)
        faults += [f"dark: {fault}" for fault in serious(page, COLOURS)]
        if faults:
            found[view.name] = faults
    assert found == {}


def test_on_a_phone_nothing_is_wider_fingers_hit_and_models_are_read(
    site: Stack, browser: Browser, furnished: Furnished
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    wide, small, zooms = {}, {}, {}
    for view in every_view(furnished):
        look_at(page, site.url, type(view)(view.name, view.path))
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 390:
            wide[view.name] = width
        if found := page.evaluate(TOO_SMALL):
            small[view.name] = found
        if view.name in ("editor", "relations-editor"):
            zooms[view.name] = page.locator(".canvas-controls .mono").inner_text()
    context.close()
    assert wide == {}
    assert small == {}
    assert all(int(zoom.removesuffix(" %")) >= READABLE_FROM for zoom in zooms.values()), zooms

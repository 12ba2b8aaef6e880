"""Every page, tab, editor state and dialog: nothing serious for axe in both themes, nothing wider than a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

import asterism
from tests.e2e.axe import COLOURS, serious
from tests.e2e.views import Furnished, every_view, furnish, look_at, settle
from tests.servers.stack import Stack

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


def test_nothing_is_wider_than_a_phone(site: Stack, browser: Browser, furnished: Furnished) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page, wide = context.new_page(), {}
    for view in every_view(furnished):
        look_at(page, site.url, type(view)(view.name, view.path))
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 390:
            wide[view.name] = width
    context.close()
    assert wide == {}

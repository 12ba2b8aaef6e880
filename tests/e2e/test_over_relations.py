"""A model over relations in a browser: AIFB is imported, R-GCN trained on it, result and profile looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import serious
from tests.e2e.test_schema_page import import_aifb
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]


def test_rgcn_is_trained_on_aifb(site: Stack, page: Page, test_data: Path) -> None:
    import_aifb(site, page, test_data, "AIFB to train")
    page.goto(f"{site.url}/templates")
    page.get_by_role("listitem").filter(has_text="Schlichtkrull").get_by_role("link", name="Train now").click()
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option", name="AIFB to train").click()
    page.get_by_role("textbox", name="Epochs", exact=True).fill("20")
    expect(page.get_by_role("heading", name="Compare")).to_have_count(0)
    assert serious(page) == []
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Training is done.")).to_be_visible(timeout=180_000)
    expect(page.get_by_role("heading", name="Test accuracy")).to_be_visible()
    expect(page.get_by_text("Macro-F1").first).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="See where time went").or_(
        page.get_by_role("link", name="See where time went")
    ).first.click()
    expect(page.get_by_role("region", name="One epoch", exact=True)).to_contain_text("Kernel calls")
    expect(page.get_by_role("button", name="rgcn1").or_(page.get_by_text("rgcn1")).first).to_be_visible()
    assert serious(page) == []


def test_the_model_decides_which_sheet_opens(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=seastar&template=rgcn")
    expect(page).to_have_url(f"{site.url}/jobs/new?kind=hgl&template=rgcn")
    page.goto(f"{site.url}/jobs/new?kind=hgl&template=gcn")
    expect(page).to_have_url(f"{site.url}/jobs/new?kind=seastar&template=gcn")

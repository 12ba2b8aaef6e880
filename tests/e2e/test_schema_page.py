"""A heterogeneous graph in a browser: AIFB is imported from its files, its schema is drawn, searched and narrowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import serious
from tests.e2e.test_datasets_pages import upload
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]


def import_aifb(site: Stack, page: Page, test_data: Path, name: str) -> Locator:
    """Import it from its files, and look at its schema."""
    folder = test_data / "aifb_rdf"
    upload(page, site, [folder / file for file in ("aifb_stripped.nt.gz", "trainingSet.tsv", "testSet.tsv")])
    expect(page.get_by_text("Looks like N-Triples (RDF).")).to_be_visible()
    page.get_by_text("Options of the import").click()
    page.get_by_role("combobox", name="Resource types").click()
    page.get_by_role("option", name="class", exact=True).click()
    expect(page.get_by_label("Symmetrise")).to_have_count(0)  # N-Triples have directions
    page.get_by_role("textbox", name="Name", exact=True).fill(name)
    page.get_by_role("button", name="Import", exact=True).click()
    schema = page.get_by_role("region", name="Schema")
    expect(schema).to_be_visible(timeout=120_000)
    return schema


def test_aifb_is_imported_and_its_schema_is_drawn(site: Stack, page: Page, test_data: Path) -> None:
    schema = import_aifb(site, page, test_data, "AIFB")
    expect(schema).to_contain_text("22 types, 234 relations")
    expect(page.locator(".neighbourhood-vertex").first).to_be_visible()
    people = schema.get_by_role("button", name="Person, 1,045 vertices")
    people.press("Enter")
    expect(people).to_have_attribute("aria-pressed", "true")
    schema.get_by_label("Search relations").fill("worksAtProject")
    rows = schema.locator("[data-relation]")
    expect(rows.first).to_contain_text("worksAtProject")
    expect(rows).to_have_count(rows.filter(has_text="Person").count())
    with page.expect_download() as download:
        schema.get_by_role("button", name="Relations: export CSV").click()
    assert len(download.value.path().read_text().splitlines()) == 235
    assert serious(page) == []
    page.goto(f"{site.url}/datasets")
    expect(page.get_by_role("row", name=re.compile(r"^AIFB Ready"))).to_contain_text("22 types, 234 relations")

"""Datasets in a browser: import by upload, a refused file, a generator, and the page of a graph."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]


def write_graph(folder: Path, bad_row: str | None = None) -> list[Path]:
    """A ring of 12 vertices of two classes as an edge list and a table of vertices."""
    edges, nodes = folder / "ring_edges.csv", folder / "ring_nodes.csv"
    rows = [f"{i},{(i + 1) % 12}" for i in range(12)]
    edges.write_text("\n".join(["source,target", *rows, *([bad_row] if bad_row else [])]) + "\n")
    splits = ("train", "val", "test")
    table = [f"{i},{'odd' if i % 2 else 'even'},{splits[i // 2 % 3]},{i / 10},{1 - i / 10}" for i in range(12)]
    nodes.write_text("\n".join(["id,label,split,f0,f1", *table]) + "\n")
    return [edges, nodes]


def upload(page: Page, site: Stack, files: list[Path]) -> None:
    page.goto(f"{site.url}/datasets/new")
    page.get_by_label("Files to upload").set_input_files(files)
    expect(page.get_by_text("Looks like")).to_be_visible(timeout=15_000)


def test_a_graph_is_imported_by_upload_and_its_page_shows_what_is_in_it(
    site: Stack, page: Page, tmp_path: Path
) -> None:
    upload(page, site, write_graph(tmp_path))
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("ring")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("h1")).to_contain_text("ring")
    expect(page.get_by_text("Checks at the door")).to_be_visible(timeout=60_000)
    expect(page.locator(".fact-tiles")).to_contain_text("12")
    expect(page.locator(".fact-tiles")).to_contain_text("24")
    expect(page.locator(".neighbourhood-vertex").first).to_be_visible()
    expect(page.get_by_label("Labels and split")).to_contain_text("even")
    page.locator(".neighbourhood-vertex").nth(1).press("Enter")
    page.wait_for_url("**vertex=**")
    with page.expect_download() as download:
        page.get_by_role("button", name="Degrees: export CSV").click()
    assert "2,2,12" in download.value.path().read_text().splitlines(), "all twelve vertices have two neighbours"
    page.reload()
    page.get_by_role("link", name="Train on this").click()
    page.wait_for_url("**/jobs/new?kind=seastar&dataset=ds_**")


def test_a_bad_file_is_refused_with_its_row_and_a_remedy(site: Stack, page: Page, tmp_path: Path) -> None:
    upload(page, site, write_graph(tmp_path, bad_row="3,99"))
    page.get_by_role("button", name="Import", exact=True).click()
    reason = page.get_by_role("alert")
    expect(reason).to_be_visible(timeout=60_000)
    expect(reason).to_contain_text("ring_edges.csv")
    expect(reason).to_contain_text("14")
    expect(page.get_by_role("link", name="See the log")).to_be_visible()


def test_a_generator_is_filled_from_its_schema_and_followed_until_ready(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/datasets/new?from=generator")
    page.get_by_label("Classes", exact=True).fill("3")
    page.get_by_label("N", exact=True).fill("300")
    page.get_by_role("textbox", name="Name", exact=True).fill("little blocks")
    page.get_by_role("button", name="Generate").click()
    expect(page.locator("h1")).to_contain_text("little blocks")
    expect(page.get_by_text("Checks at the door")).to_be_visible(timeout=60_000)
    page.goto(f"{site.url}/datasets")
    row = page.locator("tr", has_text="little blocks")
    expect(row).to_contain_text("Ready")
    expect(row).to_contain_text("300")


def test_a_dataset_is_deleted_after_a_question(site: Stack, page: Page) -> None:
    with site.client() as api:
        body = {"name": "gone soon", "source": {"type": "bundled", "name": "karate"}}
        made = api.post("/api/v1/datasets", json=body).raise_for_status().json()
        page.goto(f"{site.url}/datasets/{made['id']}")
        page.get_by_role("button", name="Delete", exact=True).click()
        page.get_by_role("button", name="Delete dataset").click()
        page.wait_for_url("**/datasets")
        assert api.get(f"/api/v1/datasets/{made['id']}").status_code == 404


def test_the_phone_shows_a_dataset_without_sideways_scrolling(browser: Browser, site: Stack) -> None:
    with site.client() as api:
        body = {"name": "karate", "source": {"type": "bundled", "name": "karate"}}
        made = api.post("/api/v1/datasets", json=body).raise_for_status().json()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site.url}/datasets/{made['id']}")
    expect(page.get_by_text("Checks at the door")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()

"""A model over relations in a browser: AIFB is imported, R-GCN trained; result, profile and stitching are looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import serious
from tests.e2e.test_schema_page import import_aifb
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]


def test_rgcn_is_trained_on_aifb(site: Stack, page: Page, test_data: Path) -> None:
    import_aifb(site, page, test_data, "AIFB to train")
    page.goto(f"{site.url}/templates")
    page.get_by_role("listitem").filter(has_text="Schlichtkrull").get_by_role("button", name="Open").click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("heading", name="Compare")).to_be_visible()  # the editor has a field "Dataset" too
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option", name="AIFB to train").click()
    page.get_by_role("textbox", name="Epochs", exact=True).fill("20")
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
    launches = page.get_by_role("region", name="Launches of one epoch").first
    expect(launches).to_contain_text("all 234 relations at once")
    assert serious(page) == []
    look_at_the_model(page, launches)


def look_at_the_model(page: Page, launches: Locator) -> None:
    """From the profile to the stitched view of the model, and a layer pinned to one relation and back."""
    launches.get_by_role("link", name="what stitching saves").click()
    for title, says in (
        ("Loop over relations", "234 relations, 22 types"),
        ("Stitched", "as one list"),
        ("Fused and bundled", "all matrices in one launch"),
    ):
        expect(page.get_by_role("region", name=title, exact=True)).to_contain_text(says)
    boxes = page.get_by_role("region", name="Fused and bundled", exact=True).get_by_role("button")
    boxes.first.press("Enter")
    expect(boxes.first).to_have_attribute("aria-pressed", "true")
    bar = page.get_by_role("region", name="Relations of the dataset")
    chips = bar.get_by_role("toolbar", name="Relations").get_by_role("button")
    bar.get_by_label("Find a relation").fill("worksAtProject")
    chips.first.press("Enter")
    expect(bar.get_by_role("status")).to_have_text("read by 2 layers")
    expect(page.locator('[data-id="rgcn2"][data-lit]')).to_be_visible()
    page.locator('[data-id="rgcn2"] .layer-head').click()
    bar.get_by_label("Find a relation").fill("worksAtProject")
    chips.first.press("Enter")
    expect(bar.get_by_role("status")).to_have_text("1 of 234 relations")
    expect(bar.get_by_role("button", name="Pinned", exact=True)).to_have_attribute("aria-pressed", "true")
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector.get_by_role("list").filter(has_text="weight")).to_contain_text("× 1 relation")
    expect(page.locator('[data-id="rgcn2"]')).to_contain_text("only worksAtProject")
    assert serious(page) == []
    inspector.get_by_role("button", name="Do not read").click()
    expect(bar.get_by_role("status")).to_have_text("all 234 relations")
    expect(inspector.get_by_role("list").filter(has_text="weight")).to_contain_text("× 234 relations")


def test_a_model_for_another_dataset_is_told_which_relation_is_missing(site: Stack, page: Page) -> None:
    with site.client() as client:
        model = client.post("/api/v1/models", json={"name": "pinned", "template": "rgcn"}).raise_for_status().json()
        at = f"/api/v1/models/{model['id']}/draft"
        draft = client.get(at).raise_for_status().json()
        for node in draft["doc"]["nodes"]:
            if node["id"] == "rgcn1":
                node["params"]["relations"] = "paper -praises-> author"
        client.put(at, json=draft["doc"], headers={"If-Match": f'"{draft["etag"]}"'}).raise_for_status()
    page.goto(f"{site.url}/models/{model['id']}?dataset=ds_library&node=rgcn1")
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector).to_contain_text("has no relation paper -praises-> author.")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_disabled()
    inspector.get_by_role("button", name="Do not read paper -praises-> author").click()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()


def test_the_model_decides_which_sheet_opens(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=seastar&template=rgcn")
    expect(page).to_have_url(f"{site.url}/jobs/new?kind=hgl&template=rgcn")
    page.goto(f"{site.url}/jobs/new?kind=hgl&template=gcn")
    expect(page).to_have_url(f"{site.url}/jobs/new?kind=seastar&template=gcn")

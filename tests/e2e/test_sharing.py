"""A model goes elsewhere and comes back: pictures, links, pasted text; all that a page does has a name and a key."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.editing import draft, expect_saved, head, wires
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]
SVG = "{http://www.w3.org/2000/svg}"


def made(site: Stack, **body: Any) -> str:
    with site.client() as api:
        return str(api.post("/api/v1/models", json=body).raise_for_status().json()["id"])


def opened(site: Stack, page: Page, template: str = "gcn") -> str:
    model = made(site, name=f"{template} shared", template=template)
    page.goto(f"{site.url}/models/{model}")
    expect(page.get_by_label("Model canvas")).to_be_visible()
    return model


def share(page: Page, entry: str) -> None:
    page.get_by_role("button", name="Share and export").click()
    page.get_by_role("menuitem", name=entry).click()


def exported(page: Page, entry: str, folder: Path) -> Path:
    page.get_by_role("button", name="Share and export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=entry).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def copied(page: Page, entry: str) -> str:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share(page, entry)
    expect(page.get_by_text("Copied: Link").last).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_the_whole_model_is_exported_as_svg_and_png_with_its_fonts(site: Stack, page: Page, tmp_path: Path) -> None:
    opened(site, page)
    page.get_by_role("button", name="Zoom in").click()
    path = exported(page, "Export as SVG", tmp_path)
    assert path.name == "gcn-shared.svg"
    svg = ET.parse(path).getroot()
    texts = [t.text for t in svg.iter(f"{SVG}text")]
    assert texts.count("GCN") == 2
    assert {"Input", "Output", "Activation", "[N, 16]"} <= set(texts)
    style = next(svg.iter(f"{SVG}style")).text or ""
    assert style.count("src:url(data:font/woff2;base64,") == 2
    assert "var(" not in path.read_text()
    data = exported(page, "Export as PNG", tmp_path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", data[16:24])
    assert (wide, high) == (round(2 * float(svg.attrib["width"])), round(2 * float(svg.attrib["height"])))


def test_a_link_opens_the_same_view_in_another_browser(site: Stack, page: Page, browser: Browser) -> None:
    model = opened(site, page)
    head(page, "gcn1").click()
    page.get_by_label("Out features", exact=True).fill("24")
    head(page, "relu").click(modifiers=["Control"])
    page.get_by_role("button", name="Kernels").click()
    link = copied(page, "Copy link to this view")
    said = parse_qs(urlsplit(link).query)
    assert said["node"] == ["gcn1,relu"]
    assert said["dock"] == ["kernels"]
    context = browser.new_context()
    other = context.new_page()
    other.goto(link)
    expect(other.get_by_role("heading", name="2 selected")).to_be_visible()
    expect(other.get_by_label("Kernels").first).to_be_visible()
    expect(other.get_by_label("Dataset")).to_have_value(said["dataset"][0])
    context.close()
    first = next(n for n in draft(site, model)["nodes"] if n["id"] == "gcn1")
    assert first["params"]["out_features"] == 24, "what the link shows was saved first"


def test_a_link_holds_the_model_for_any_other_server(site: Stack, page: Page, browser: Browser) -> None:
    model = opened(site, page, "gat")
    link = copied(page, "Copy link with the model in it")
    with site.client() as api:
        api.delete(f"/api/v1/models/{model}").raise_for_status()
    context = browser.new_context()
    other = context.new_page()
    other.goto(link)
    expect(other.get_by_label("Import").get_by_text("7 layers, 6 wires")).to_be_visible()
    assert "#" not in other.url, "the address is rid of it"
    other.get_by_role("button", name="Create the model").click()
    expect(other.get_by_label("Model canvas")).to_be_visible()
    again = draft(site, other.url.split("/models/")[1].split("?")[0])
    assert "gat1.y>elu.x" in wires(again)
    assert {n["id"]: n["params"] for n in again["nodes"]}["gat1"]["heads"] == 8
    context.close()


def test_a_pasted_text_is_looked_at_first_and_says_what_is_wrong_with_it(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/models?new=1")
    text = page.get_by_label("Model to import: JSON, Python or a link")
    for given, said in (
        ("hello", "This is neither a model as JSON, nor as Python, nor a link with a model in it."),
        ('{"nodes": 3}', "This JSON has no list “nodes”, so it is no model."),
        ("http://x/models#model=abc", "The link is not whole"),
        ("def model():\n    x = input()\n    return output(gcn(x)) +", "Line 3"),
    ):
        text.fill(given)
        expect(page.get_by_label("Import").get_by_role("alert")).to_contain_text(said)
        expect(page.get_by_role("button", name="Create the model")).to_have_count(0)
    half = {"nodes": [{"id": "input", "type": "input"}, {"id": "!"}], "wires": []}
    text.fill(json.dumps(half))
    expect(page.get_by_label("Import").get_by_role("alert")).to_contain_text("Node 2 has no usable")
    expect(page.get_by_text("1 layers, 0 wires")).to_be_visible()
    text.fill("def model():\n    x = input()\n    h = gcn(x, out_features=5)  # small\n    return output(h)\n")
    expect(page.get_by_text("3 layers, 2 wires")).to_be_visible()
    page.get_by_label("Name of the new model").fill("from text")
    page.get_by_role("button", name="Create the model").click()
    expect(page.get_by_label("Model canvas")).to_be_visible()
    doc = draft(site, page.url.split("/models/")[1].split("?")[0])
    assert wires(doc) == {"x.h>h.x", "h.y>output.x"}
    assert "# small" in doc["code"]


def test_all_that_can_be_done_on_a_page_has_a_name_and_its_keys_stand_in_one_sheet(site: Stack, page: Page) -> None:
    opened(site, page)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    for title in ("Auto-layout", "Undo", "Open its vertex program", "Select all before it", "Ungroup"):
        expect(sheet.get_by_text(title, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    palette = page.get_by_role("dialog", name="Search or run a command")
    for typed, seen in (("auto-layout", "Auto-layout"), ("share", "Share and export"), ("train", "Train")):
        page.keyboard.press("Control+K")
        page.get_by_placeholder("Search or run a command").fill(typed)
        expect(palette.get_by_role("button", name=seen).first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_placeholder("Search or run a command")).to_have_count(0)
    page.keyboard.press("Control+K")
    page.get_by_placeholder("Search or run a command").fill("select all")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="selected")).to_be_visible()
    page.keyboard.press("Control+K")
    page.get_by_placeholder("Search or run a command").fill("share and")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Export as PNG")).to_be_visible()


def test_copy_paste_delete_and_undo_are_buttons_where_there_are_no_keys(site: Stack, browser: Browser) -> None:
    first, second = made(site, name="from", template="gcn"), made(site, name="to")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site.url}/models/{first}")
    bar = page.get_by_role("toolbar", name="Edit")
    page.locator('[data-id="gcn1"]').tap()
    for title in ("Copy", "Delete"):
        box = bar.get_by_role("button", name=title).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    bar.get_by_role("button", name="Copy").tap()
    bar.get_by_role("button", name="Delete").tap()
    expect(page.locator('[data-id="gcn1"]')).to_have_count(0)
    bar.get_by_role("button", name="Undo").tap()
    expect(page.locator('[data-id="gcn1"]')).to_have_count(1)
    page.goto(f"{site.url}/models/{second}")
    bar.get_by_role("button", name="Paste").tap()
    expect(page.locator(".layer")).to_have_count(1)
    expect_saved(page)
    assert [n["type"] for n in draft(site, second)["nodes"]] == ["gcn"]
    context.close()

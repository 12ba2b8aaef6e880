"""The whole model as code beside the canvas: either side is edited, comments stay, faults are told twice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import serious
from tests.e2e.editing import draft, expect_saved, head
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]


def open_code(site: Stack, page: Page) -> tuple[str, Locator]:
    with site.client() as api:
        made = api.post("/api/v1/models", json={"name": "code", "template": "gcn"}).raise_for_status().json()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site.url}/models/{made['id']}?dock=model")
    source = page.get_by_role("textbox", name="Source of the model")
    expect(source).to_contain_text("gcn1 = gcn(dropout1, out_features=16)")
    return str(made["id"]), source


def type_over(page: Page, source: Locator, old: str, new: str) -> None:
    """Puts the caret behind `old` on its line and types, as a person does."""
    line = source.locator(".cm-line", has_text=old)
    line.click()
    page.keyboard.press("End")
    text = line.inner_text().rstrip()
    for _ in range(len(text) - text.index(old) - len(old)):
        page.keyboard.press("ArrowLeft")
    for _ in old:
        page.keyboard.press("Backspace")
    page.keyboard.type(new)


def block(page: Page, node: str) -> Locator:
    return page.locator(f'[data-id="{node}"]')


def width_of(site: Stack, model: str, node: str) -> object:
    return next(n for n in draft(site, model)["nodes"] if n["id"] == node)["params"].get("out_features")


def test_f3_e30_code_and_canvas_follow_each_other(site: Stack, page: Page) -> None:
    model, source = open_code(site, page)
    type_over(page, source, "out_features=16)", "out_features=24)  # wider")
    expect(block(page, "gcn1")).to_contain_text("24")
    expect_saved(page)
    assert width_of(site, model, "gcn1") == 24
    code = draft(site, model)["code"]
    assert "# wider" in code

    head(page, "gcn1").click()
    page.keyboard.press("ArrowDown")
    expect_saved(page)
    assert draft(site, model)["code"] == code  # E30: positions live outside the code

    page.get_by_label("Out features", exact=True).fill("48")
    expect(source).to_contain_text("gcn1 = gcn(dropout1, out_features=48)  # wider")
    expect_saved(page)
    assert draft(site, model)["code"] == code.replace("=24)", "=48)")

    type_over(page, source, "out_features=48)", "out_features=)")
    problems = page.get_by_label("Problems of the code")
    expect(problems).to_contain_text("Line 4:")
    expect(block(page, "gcn1")).to_contain_text("48")  # the last good canvas stays
    assert width_of(site, model, "gcn1") == 48
    assert serious(page) == []
    page.reload()
    expect(problems).to_contain_text("Line 4:")  # and so does the text that cannot be read yet
    expect(source).to_contain_text("out_features=)")
    type_over(page, source, "out_features=)", "out_features=32)")
    expect(problems).to_have_count(0)
    expect(block(page, "gcn1")).to_contain_text("32")


def test_f3_undo_takes_text_and_canvas_back_together(site: Stack, page: Page) -> None:
    _, source = open_code(site, page)
    type_over(page, source, "dropout2 = dropout(relu)", "both = add(relu, gcn1)\ndropout2 = dropout(both)")
    expect(block(page, "both")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(block(page, "both")).to_have_count(0)
    expect(source).to_contain_text("dropout2 = dropout(relu)")
    page.keyboard.press("Control+Shift+Z")
    expect(block(page, "both")).to_be_visible()
    head(page, "both").click()
    page.keyboard.press("Delete")
    expect(source).not_to_contain_text("both = add")
    page.keyboard.press("Control+z")
    expect(source).to_contain_text("both = add(relu, gcn1)")


def test_f3_a_fault_is_told_on_the_line_and_on_the_node(site: Stack, page: Page) -> None:
    _, source = open_code(site, page)
    type_over(page, source, "activation(gcn1)", "activation(gcnn)")
    problems = page.get_by_label("Problems of the code")
    expect(problems).to_contain_text("Line 5: Nothing is called gcnn.")
    expect(page.locator('[data-id="relu"] [data-problem="error"]').first).to_be_visible()
    page.get_by_role("button", name="Write it anew from the canvas").click()
    expect(problems).to_have_count(0)
    expect(source).to_contain_text("activation(gcn1)")

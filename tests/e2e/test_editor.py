"""The model editor in a browser: wire, refuse, undo, save, reload, two tabs, keys alone, a killed page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from tests.e2e.editing import CLIPBOARD, draft, drag, expect_saved, port, wires
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]
Open = Callable[[str], dict[str, Any]]


@pytest.fixture
def model(site: Stack, page: Page) -> Open:
    """Makes a model of a template (or an empty one) and opens it; gives the model as the API tells it."""

    def make(template: str) -> dict[str, Any]:
        body = {"name": f"{template or 'empty'}-test"} | ({"template": template} if template else {})
        with site.client() as api:
            created: dict[str, Any] = api.post("/api/v1/models", json=body).raise_for_status().json()
        page.goto(f"{site.url}/models/{created['id']}")
        expect(page.get_by_label("Model canvas")).to_be_visible()
        return created

    return make


def test_an_edit_is_saved_survives_a_reload_and_is_undone_by_name(site: Stack, page: Page, model: Open) -> None:
    made = model("gcn")
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill("32")
    expect(page.get_by_role("button", name="Undo: Set out features")).to_be_enabled()
    expect_saved(page)
    assert next(n for n in draft(site, made["id"])["nodes"] if n["id"] == "gcn1")["params"]["out_features"] == 32
    page.reload()
    page.locator('[data-id="gcn1"] .layer-head').click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("32")


def test_e23_another_width_is_on_all_wires_that_follow_before_the_server_answers(page: Page, model: Open) -> None:
    model("gcn")
    page.locator('[data-id="gcn1"] .layer-head').click()
    shapes = page.locator(".wire-label")
    expect(shapes.filter(has_text="[N, 16]")).to_have_count(1)
    held: list[Route] = []
    page.route("**/api/v1/model-validations", lambda route: held.append(route))
    with page.expect_request("**/api/v1/model-validations"):
        page.get_by_label("Out features", exact=True).fill("32")
        expect(shapes.filter(has_text="[N, 32]")).to_have_count(1)
        expect(shapes.filter(has_text="[N, 16]")).to_have_count(0)
    expect(page.locator(".port-table")).to_contain_text("[N, 32]")
    with page.expect_response("**/api/v1/model-validations"):
        for route in held:
            route.continue_()
    expect(shapes.filter(has_text="[N, 32]")).to_have_count(1)


def test_a_refused_wire_says_why_while_dragging_and_its_remedy_is_one_key(site: Stack, page: Page, model: Open) -> None:
    made = model("gcn")
    drag(page, port(page, "input.e", "output"), port(page, "output.x", "input"), let_go=False)
    expect(page.get_by_text("expects vertex or graph feature [R, d], got edge feature")).to_be_visible()
    assert port(page, "gcn1.x", "input").get_attribute("data-fit") == "no", "what cannot take the wire is dimmed"
    page.mouse.up()
    bubble = page.get_by_role("alertdialog", name="Edge feature cannot go into a vertex or graph feature port")
    expect(bubble.get_by_role("button", name="Insert Aggregate")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo: Insert Aggregate")).to_be_enabled()
    expect_saved(page)
    assert {"input.e>aggregate.e", "aggregate.y>output.x"} <= wires(draft(site, made["id"]))
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Redo: Insert Aggregate")).to_be_enabled()


def test_what_the_server_finds_stands_at_its_node_and_in_the_list(page: Page, model: Open) -> None:
    model("gcn")
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill("-3")
    expect(page.locator('[data-id="gcn1"] .layer-badge')).to_be_visible()
    page.get_by_role("button", name="Problems").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="GCN.out_features must be").click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("-3")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_disabled()


def test_e5_two_tabs_end_in_a_choice_and_neither_side_is_lost(site: Stack, page: Page, model: Open) -> None:
    made = model("gcn")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator('[data-id="gcn1"]')).to_be_visible()
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill("24")
    expect_saved(page)
    other.locator('[data-id="gcn1"] .layer-head').click()
    other.get_by_label("Out features", exact=True).fill("48")
    dialog = other.get_by_role("dialog", name="This model was changed elsewhere")
    expect(dialog).to_be_visible(timeout=10_000)
    expect(dialog.get_by_text("gcn gcn1")).to_be_visible()
    dialog.get_by_role("button", name="Keep mine as a new version").click()
    expect(dialog).to_have_count(0)
    with site.client() as api:
        versions = api.get(f"/api/v1/models/{made['id']}/versions").json()["items"]
        docs = [api.get(f"/api/v1/models/{made['id']}/versions/{v['number']}").json()["doc"] for v in versions]
    widths = [next(n for n in doc["nodes"] if n["id"] == "gcn1")["params"]["out_features"] for doc in docs]
    assert widths == [48, 24], "mine is the newest version, theirs the one before"


def test_unsaved_edits_of_a_killed_tab_come_back(site: Stack, page: Page, model: Open) -> None:
    made = model("gcn")
    page.route("**/draft", lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill("40")
    expect(page.locator('.save-note[data-save="offline"]')).to_be_visible(timeout=10_000)
    with pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")
    later = page.context.new_page()
    later.goto(f"{site.url}/models")
    expect(later.locator(f'[data-model="{made["id"]}"]').get_by_text("Unsaved changes here")).to_be_visible()
    later.goto(f"{site.url}/models/{made['id']}")
    expect(later.get_by_text("Unsaved changes of this browser were brought back")).to_be_visible()
    expect_saved(later)
    assert next(n for n in draft(site, made["id"])["nodes"] if n["id"] == "gcn1")["params"]["out_features"] == 40
    later.goto(f"{site.url}/models")
    expect(later.locator(f'[data-model="{made["id"]}"]')).to_be_visible()
    expect(later.get_by_text("Unsaved changes here")).to_have_count(0)


def test_copied_layers_are_pasted_with_their_wires_and_foreign_text_is_explained(page: Page, model: Open) -> None:
    model("gcn")
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.locator('[data-id="relu"] .layer-head').click(modifiers=["Control"])
    copied = page.evaluate(CLIPBOARD, ["copy", ""])
    assert [n["id"] for n in json.loads(copied)["nodes"]] == ["gcn1", "relu"]
    page.evaluate(CLIPBOARD, ["paste", copied])
    expect(page.locator(".layer")).to_have_count(9)
    expect(page.get_by_role("button", name="Undo: Paste 2 layers")).to_be_enabled()
    page.evaluate(CLIPBOARD, ["paste", "hello"])
    expect(page.get_by_text("This is not JSON")).to_be_visible()


def test_a_vertex_program_is_written_in_the_page_with_errors_on_their_line(
    site: Stack, page: Page, model: Open
) -> None:
    made = model("")
    for name in ("input", "vertex program"):
        page.keyboard.press("/")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
    page.locator(".layer").last.click()
    page.get_by_role("button", name="New program").click()
    editor = page.get_by_label("Source of the vertex program")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")
    page.keyboard.type(" + nothing")
    expect(page.locator(".program-problems")).to_contain_text("Line 4")
    for _ in " + nothing":
        page.keyboard.press("Backspace")
    expect(page.locator(".program-problems")).to_have_count(0)
    expect(page.get_by_role("listbox", name="IR before")).to_contain_text("mean_edges")
    expect_saved(page)
    assert draft(site, made["id"])["programs"][0]["name"] == "my_program"


def test_a_version_is_kept_and_gone_back_to(site: Stack, page: Page, model: Open) -> None:
    made = model("gcn")
    page.get_by_role("button", name="No version").click()
    page.get_by_label("Name of the version").fill("as the paper")
    page.get_by_role("button", name="Save version").click()
    expect(page.get_by_role("button", name="v1", exact=True)).to_be_visible()
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill("99")
    expect_saved(page)
    page.get_by_role("button", name="v1 + draft").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("16")
    assert next(n for n in draft(site, made["id"])["nodes"] if n["id"] == "gcn1")["params"]["out_features"] == 16


def test_the_phone_shows_a_model_and_its_settings(browser: Browser, site: Stack) -> None:
    with site.client() as api:
        made = api.post("/api/v1/models", json={"name": "phone", "template": "gcn"}).raise_for_status().json()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site.url}/models/{made['id']}")
    page.locator('[data-id="gcn1"]').tap()
    expect(page.get_by_label("Out features", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_an_unknown_model_says_so(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/models/mdl_01kbd0y4zv3m6t8r5w2q1x9c7h")
    expect(page.get_by_role("alert")).to_be_visible()
    assert httpx.get(f"{site.url}/api/v1/nope").status_code == 404

"""The canvas in a browser: what editors are complained of does not happen here. Scenarios by their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import serious
from tests.e2e.editing import CLIPBOARD, draft, drag, drag_to, expect_saved, head, middle, port, until_draft, wires
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]
OpenDoc = Callable[[dict[str, Any] | None], str]

INPUT, OUTPUT = {"id": "input", "type": "input"}, {"id": "output", "type": "output"}


def wire(text: str) -> dict[str, Any]:
    source, target = (end.split(".") for end in text.split(">"))
    return {"source": {"node": source[0], "port": source[1]}, "target": {"node": target[0], "port": target[1]}}


def linear(node_id: str, width: int) -> dict[str, Any]:
    return {"id": node_id, "type": "linear", "params": {"out_features": width}}


def doc_of(nodes: list[dict[str, Any]], *texts: str, **fields: Any) -> dict[str, Any]:
    layout = {node["id"]: {"x": 240 * i, "y": 40} for i, node in enumerate(nodes)}
    return {"nodes": nodes, "wires": [wire(text) for text in texts], "layout": layout, **fields}


@pytest.fixture
def opened(site: Stack, page: Page) -> OpenDoc:
    """Opens a document (or an empty model) in the editor; gives the model's id."""

    def make(doc: dict[str, Any] | None) -> str:
        with site.client() as api:
            made = api.post("/api/v1/models", json={"name": "canvas"} | ({"doc": doc} if doc else {}))
        model_id = str(made.raise_for_status().json()["id"])
        page.goto(f"{site.url}/models/{model_id}")
        expect(page.get_by_label("Model canvas")).to_be_visible()
        return model_id

    return make


def test_e01_e02_one_step_a_wire_and_none_for_a_click_on_the_ground(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT, linear("a", 8), {"id": "add", "type": "add"}], "input.h>a.x"))
    nothing = page.get_by_role("button", name="Nothing to undo")
    expect(nothing).to_be_disabled()
    page.keyboard.press("Control+z")
    page.locator(".react-flow__pane").click(position={"x": 300, "y": 400})
    expect(nothing).to_be_disabled()
    drag(page, port(page, "a.y", "output"), port(page, "add.x", "input"))
    expect(page.get_by_role("button", name="Undo: Connect")).to_be_enabled()
    page.locator(".react-flow__pane").click(position={"x": 300, "y": 400})
    page.keyboard.press("Control+z")
    expect(nothing).to_be_disabled()
    page.get_by_role("button", name="Redo: Connect").click()
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.h>a.x", "a.y>add.x"}


def test_e03_an_edit_inside_a_folded_group_survives_an_undo_outside(site: Stack, page: Page, opened: OpenDoc) -> None:
    group = {"id": "box", "title": "Encoder", "members": ["a"], "collapsed": False}
    model = opened(doc_of([INPUT, linear("a", 8), OUTPUT], "input.h>a.x", "a.y>output.x", groups=[group]))
    head(page, "a").click()
    page.get_by_label("Out features", exact=True).fill("7")
    page.get_by_label("Out features", exact=True).blur()
    page.get_by_role("button", name="Collapse Encoder").click()
    expect(page.locator('[data-id="a"]')).to_have_count(0)
    expect(port(page, "a.x", "input")).to_be_visible()
    x, y = middle(head(page, "input"))
    drag_to(page, head(page, "input"), x + 60, y + 60)
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Expand Encoder").click()
    head(page, "a").click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("7")
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.h>a.x", "a.y>output.x"}


def test_e04_opening_a_model_of_nested_groups_saves_nothing_else(site: Stack, page: Page, opened: OpenDoc) -> None:
    groups = [
        {"id": "outer", "title": "Encoder", "members": ["inner", "why"], "collapsed": True},
        {"id": "inner", "title": "Core", "members": ["a"], "collapsed": False},
    ]
    notes = [{"id": "why", "text": "because\n<b>", "width": 200, "height": 80}]
    doc = doc_of([INPUT, linear("a", 8), OUTPUT], "input.h>a.x", "a.y>output.x", groups=groups, notes=notes)
    doc["layout"]["why"] = {"x": 240, "y": 200}
    model = opened(doc)
    before = draft(site, model)
    page.get_by_role("button", name="Expand Encoder").click()
    expect(page.get_by_text("because")).to_be_visible()
    expect_saved(page)
    page.get_by_role("button", name="Collapse Core").click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect_saved(page)
    expect(page.get_by_role("button", name="Expand Encoder", exact=True)).to_be_visible()
    until_draft(site, model, lambda now: json.dumps(now, sort_keys=True) == json.dumps(before, sort_keys=True))


def test_e07_e08_e09_a_wire_is_refused_with_its_reason_while_it_is_dragged(page: Page, opened: OpenDoc) -> None:
    opened(doc_of([INPUT, linear("a", 8), OUTPUT], "input.h>a.x"))
    expect(page.locator(".wire-label").first).to_be_visible()  # sizes are known, so the reason names them
    drag(page, port(page, "input.e", "output"), port(page, "output.x", "input"), let_go=False)
    expect(page.locator('.port[data-fit="no"]').first).to_be_attached()
    assert port(page, "a.x", "input").get_attribute("data-fit") == "no", "dimmed without being pointed at"
    # [E, K] until the chosen dataset is known, which has no edge features
    reason = re.compile(r"expects vertex or graph feature \[R, d\], got edge feature \[E, [K0]\]")
    expect(page.get_by_text(reason)).to_be_visible()
    page.mouse.up()
    page.keyboard.press("Escape")
    drag(page, port(page, "a.y", "output"), port(page, "input.h", "output"))
    expect(page.get_by_role("alertdialog", name="Both are outputs")).to_be_visible()


def test_e10_a_width_that_does_not_fit_turns_its_wire_red_and_heals(site: Stack, page: Page, opened: OpenDoc) -> None:
    nodes = [INPUT, linear("a", 8), linear("b", 8), {"id": "add", "type": "add"}]
    texts = ("input.h>a.x", "input.h>b.x", "a.y>add.x", "b.y>add.x")
    model = opened(doc_of(nodes, *texts))
    head(page, "b").click()
    page.get_by_label("Out features", exact=True).fill("9")
    bad = page.locator(".wire-label[data-problem]")
    expect(bad).to_have_count(1)
    expect(bad).to_have_attribute("title", re.compile("8.*9|9.*8"))
    expect_saved(page)
    assert wires(draft(site, model)) == set(texts)
    page.get_by_label("Out features", exact=True).fill("8")
    expect(bad).to_have_count(0)


def test_e11_a_layer_nobody_knows_keeps_its_wires_and_says_its_name(site: Stack, page: Page, opened: OpenDoc) -> None:
    odd = {"id": "odd", "type": "from_the_future", "params": {"depth": 3}}
    model = opened(doc_of([INPUT, odd, OUTPUT], "input.h>odd.left", "odd.right>output.x"))
    expect(page.locator('[data-id="odd"]')).to_contain_text("“from_the_future” is not known here")
    expect(port(page, "odd.left", "input")).to_be_visible()
    head(page, "odd").click()
    page.get_by_label("Title of from_the_future").fill("Later")
    expect_saved(page)
    saved = draft(site, model)
    assert wires(saved) == {"input.h>odd.left", "odd.right>output.x"}
    assert saved["nodes"][1] == {**odd, "title": "Later"}


def test_e14_e27_delete_and_backspace_remove_and_undo_brings_all_five_wires(
    site: Stack, page: Page, opened: OpenDoc
) -> None:
    sinks = [linear(f"s{i}", 4) for i in range(4)]
    texts = ("input.h>mid.x", *(f"mid.y>s{i}.x" for i in range(4)))
    model = opened(doc_of([INPUT, linear("mid", 7), *sinks], *texts))
    for key in ("Delete", "Backspace"):
        head(page, "mid").click()
        page.get_by_label("Out features", exact=True).press(key)
        expect(page.locator('[data-id="mid"]')).to_be_visible()
        head(page, "mid").click()
        page.keyboard.press(key)
        expect(page.locator('[data-id="mid"]')).to_have_count(0)
        page.get_by_role("button", name="Undo: Delete Linear").click()
        expect(page.get_by_role("button", name="Redo: Delete Linear")).to_be_enabled()
    expect_saved(page)
    assert wires(draft(site, model)) == set(texts)


def test_e15_auto_layout_with_a_group_and_a_note_is_one_step(site: Stack, page: Page, opened: OpenDoc) -> None:
    doc = doc_of([INPUT, linear("a", 8), OUTPUT], "input.h>a.x", "a.y>output.x")
    doc["groups"] = [{"id": "box", "title": "Encoder", "members": ["a"], "collapsed": False}]
    doc["notes"] = [{"id": "why", "text": "because"}]
    doc["layout"] = {"input": {"x": 0, "y": 300}, "a": {"x": 900, "y": 0}, "output": {"x": 300, "y": 0}}
    doc["layout"]["why"] = {"x": 0, "y": 400}
    model = opened(doc)
    before = draft(site, model)["layout"]
    page.get_by_role("button", name="Auto-layout").click()
    expect(page.get_by_role("button", name="Undo: Auto-layout")).to_be_enabled()
    expect_saved(page)
    after = draft(site, model)["layout"]
    assert all(after[key] != before[key] for key in ("a", "output", "why"))
    page.keyboard.press("Control+z")
    until_draft(site, model, lambda now: bool(now["layout"] == before))


def test_e16_a_burst_of_arrow_keys_is_saved_and_is_one_step(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT, OUTPUT], "input.h>output.x"))
    head(page, "input").click()
    page.locator('[data-id="input"]').focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Undo: Move node")).to_be_enabled()
    until_draft(site, model, lambda now: bool(now["layout"]["input"]["y"] > 40))
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Nothing to undo")).to_be_disabled()


def test_e18_search_by_name_tag_and_synonym_and_enter_connects(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT]))
    expect(page.get_by_label("Add a layer: search, then Enter")).to_be_visible()
    head(page, "input").click()
    page.keyboard.press("n")
    page.keyboard.type("softmax")
    found = page.get_by_role("listbox", name="Layers found").get_by_role("option")
    expect(found.filter(has_text="GAT").first).to_be_visible()
    page.get_by_label("Add a layer: search, then Enter").fill("skip")
    expect(found.filter(has_text="Add").first).to_be_visible()
    page.get_by_label("Add a layer: search, then Enter").fill("gat")
    expect(found.first).to_contain_text("GAT")
    page.keyboard.press("Enter")
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.h>gat.x"}


def test_e19_a_wire_let_go_on_the_ground_lists_what_can_take_it(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT]))
    x, y = middle(port(page, "input.e", "output"))
    drag_to(page, port(page, "input.e", "output"), x + 160, y + 120)
    menu = page.get_by_role("menu", name="Layers for a edge feature")
    items = menu.get_by_role("menuitem")
    expect(items.first).to_contain_text("Aggregate")
    assert not any("Linear" in text for text in items.all_inner_texts())
    items.first.click()
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.e>aggregate.e"}


def test_e25_text_from_elsewhere_is_pasted_as_far_as_it_goes(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT]))
    foreign = doc_of([linear("a", 8), {"id": "7", "type": "linear"}, OUTPUT], "a.y>output.x")
    page.evaluate(CLIPBOARD, ["paste", json.dumps(foreign)])
    expect(page.get_by_text("Node 2 has no usable “id” and “type”; left out.")).to_be_visible()
    expect_saved(page)
    assert wires(draft(site, model)) == {"a.y>output.x"}
    page.evaluate(CLIPBOARD, ["paste", "hello"])
    expect(page.get_by_text("This is not JSON")).to_be_visible()


def test_e31_a_refused_wire_and_a_bad_width_are_mended_with_one_click(site: Stack, page: Page, opened: OpenDoc) -> None:
    nodes = [INPUT, linear("a", 64), linear("b", 32), {"id": "add", "type": "add"}]
    model = opened(doc_of(nodes, "input.h>a.x", "input.h>b.x", "b.y>add.x", "a.y>add.x"))
    page.get_by_role("button", name="Problems").click()
    page.get_by_role("button", name="Insert Linear 64 → 32").click()
    expect_saved(page)
    saved = draft(site, model)
    assert wires(saved) >= {"b.y>add.x", "a.y>linear.x", "linear.y>add.x"}
    assert saved["nodes"][-1]["params"]["out_features"] == 32
    drag(page, port(page, "input.e", "output"), port(page, "add.x", "input"))
    page.get_by_role("button", name="Insert Aggregate").click()
    expect_saved(page)
    assert wires(draft(site, model)) >= {"input.e>aggregate.e", "aggregate.y>add.x", "b.y>add.x"}


def test_a_layer_dropped_on_a_wire_is_inserted_in_one_step(site: Stack, page: Page, opened: OpenDoc) -> None:
    nodes = [INPUT, {"id": "far", "type": "output"}, {"id": "loose", "type": "dropout"}]
    doc = doc_of(nodes, "input.h>far.x")
    doc["layout"] = {"input": {"x": 0, "y": 0}, "far": {"x": 620, "y": 0}, "loose": {"x": 300, "y": 240}}
    model = opened(doc)
    a, b = middle(port(page, "input.h", "output")), middle(port(page, "far.x", "input"))
    at = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    drag_to(page, head(page, "loose"), *at)
    expect(page.get_by_role("button", name="Undo: Insert Dropout")).to_be_enabled()
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.h>loose.x", "loose.y>far.x"}
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Nothing to undo")).to_be_disabled()
    drag_to(page, page.locator("#palette-linear"), *at)
    expect(page.get_by_role("button", name="Undo: Insert Linear")).to_be_enabled()
    expect_saved(page)
    assert wires(draft(site, model)) == {"input.h>linear.x", "linear.y>far.x"}


def test_things_are_selected_grouped_copied_and_noted_with_keys(site: Stack, page: Page, opened: OpenDoc) -> None:
    model = opened(doc_of([INPUT, linear("a", 8), linear("b", 8), OUTPUT], "input.h>a.x", "a.y>b.x", "b.y>output.x"))
    head(page, "a").click()
    page.keyboard.press("]")
    expect(page.get_by_role("heading", name="3 selected")).to_be_visible()
    page.keyboard.press("Control+g")
    page.get_by_label("Title of the group").fill("Head")
    assert serious(page) == []
    page.locator(".react-flow__pane").click(position={"x": 20, "y": 300})
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    page.keyboard.type("why")
    expect(page.locator(".note")).to_contain_text("why")
    expect_saved(page)
    saved = draft(site, model)
    assert [(g["title"], g["members"]) for g in saved["groups"]] == [("Head", ["a", "b", "output"])]
    assert [n["text"] for n in saved["notes"]] == ["why"]
    page.keyboard.press("Escape")
    page.get_by_text("Head", exact=True).click()
    copied = page.evaluate(CLIPBOARD, ["copy", ""])
    other = opened(None)
    page.evaluate(CLIPBOARD, ["paste", copied])
    expect_saved(page)
    pasted = draft(site, other)
    assert [g["title"] for g in pasted["groups"]] == ["Head"]
    assert wires(pasted) == {"a.y>b.x", "b.y>output.x"}

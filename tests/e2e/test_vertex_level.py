"""The vertex level in a browser: a layer's program as a graph, made one's own, edited by drawing and by keys alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import serious
from tests.servers.stack import Stack
from workers.zoo.layers import LAYERS

pytestmark = [pytest.mark.services, pytest.mark.browser]
ON_VERTICES = {
    name
    for name, layer in LAYERS.items()
    if layer.program and layer.program.name and name not in ("activation", "dropout", "readout")
}


def opened(site: Stack, page: Page, layer: str, search: str = "") -> str:
    """A model of one template, with a layer's program open; the model's id."""
    with site.client() as api:
        body = {"name": f"{layer}-program", "template": layer}
        made: str = api.post("/api/v1/models", json=body).raise_for_status().json()["id"]
    page.goto(f"{site.url}/models/{made}?open={layer}1{search}")
    expect(page.get_by_label("Program canvas")).to_be_visible()
    expect(page.locator(".vertex-node").first).to_be_visible()
    return made


def saved(site: Stack, page: Page, model_id: str) -> dict[str, Any]:
    expect(page.locator('.save-note[data-save="saved"]')).to_be_visible(timeout=10_000)
    with site.client() as api:
        doc: dict[str, Any] = api.get(f"/api/v1/models/{model_id}/draft").raise_for_status().json()["doc"]
    return doc


def test_the_program_of_every_layer_opens_in_the_canvas(site: Stack, page: Page) -> None:
    with site.client() as api:
        layers = api.get("/api/v1/layers").raise_for_status().json()["items"]
        kinds = [layer["type"] for layer in layers if layer["type"] in ON_VERTICES]
        nodes = [{"id": kind, "type": kind} for kind in kinds]
        made = api.post("/api/v1/models", json={"name": "every program", "doc": {"nodes": nodes}})
    assert set(kinds) == ON_VERTICES
    for kind in kinds:
        page.goto(f"{site.url}/models/{made.raise_for_status().json()['id']}?open={kind}&dock=closed")
        expect(page.locator(".vertex-node").first).to_be_visible()
        expect(page.get_by_label("Program canvas")).to_contain_text("Result")
        assert page.locator(".vertex-node").count() > 2, kind
    assert serious(page) == []


def test_a_program_is_made_ones_own_and_edited_by_keys_alone(site: Stack, page: Page) -> None:
    made = opened(site, page, "gat")
    expect(page.get_by_label("Add an operation: search, then Enter")).to_be_disabled()
    mine = page.get_by_role("button", name="Make it mine", exact=True)
    expect(mine).to_be_enabled()
    mine.press("Enter")
    search = page.get_by_label("Add an operation: search, then Enter")
    expect(search).to_be_enabled()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("relu")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo: Add relu")).to_be_enabled(timeout=30_000)
    (program,) = saved(site, page, made)["programs"]
    assert "return relu(y + b if bias else y)" in program["source"]
    assert "# a·[z_u | z_v] is a_s·z_u + a_d·z_v" in program["source"], "comments survive"
    search.blur()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Redo: Add relu")).to_be_enabled(timeout=30_000)
    assert "relu(y" not in saved(site, page, made)["programs"][0]["source"]
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()


def test_a_program_takes_no_operation_before_its_drawing_has_been_read(site: Stack, page: Page) -> None:
    opened(site, page, "gat")
    held: list[Route] = []
    hold = True
    page.route("**/api/v1/program-graphs", lambda route: held.append(route) if hold else route.continue_())
    page.get_by_role("button", name="Make it mine", exact=True).click()
    expect(page.get_by_role("button", name="Undo: Make GAT mine")).to_be_enabled()
    search = page.get_by_label("Add an operation: search, then Enter")
    expect(search).to_be_disabled()
    expect(page.locator("#palette-relu")).to_be_disabled()
    hold = False
    assert held
    for reading in held:
        reading.continue_()
    expect(search).to_be_enabled()
    search.fill("relu")
    search.press("Enter")
    expect(page.get_by_role("button", name="Undo: Add relu")).to_be_enabled(timeout=30_000)


def test_e31_an_edge_value_into_a_vertex_op_is_refused_and_aggregated_first(site: Stack, page: Page) -> None:
    made = opened(site, page, "gat")
    page.get_by_role("button", name="Make it mine", exact=True).click()
    expect(page.get_by_label("Add an operation: search, then Enter")).to_be_enabled()
    page.locator('.vertex-board [data-id="alpha"]').click()
    page.get_by_label("Connect alpha to").select_option(label=_result(page))
    bubble = page.get_by_role("alertdialog", name="Edge values cannot go into a per-vertex op")
    expect(bubble).to_contain_text("expects a vertex value [N, d], got edge value [E, 8, 1]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo: Aggregate first: sum over in-edges")).to_be_enabled(timeout=30_000)
    assert "gathered = sum(alpha)" in saved(site, page, made)["programs"][0]["source"]


def _result(page: Page) -> str:
    """The first port of the result, once the program that was made one's own is there to be edited."""
    ports = page.get_by_label("Connect alpha to").locator("option").filter(has_text=re.compile(r"^result\."))
    expect(ports.first).to_be_attached()
    return ports.first.inner_text()


def test_a_node_a_line_an_operation_and_a_kernel_light_one_another(site: Stack, page: Page) -> None:
    opened(site, page, "gat", "&at=node:y")
    expect(page.locator(".vertex-node[data-lit]")).to_contain_text(["sum"])
    code = page.get_by_role("listbox", name="Vertex program")
    expect(code.locator("li[data-lit]")).to_contain_text("y = sum(a * nb.z")
    before = page.get_by_role("listbox", name="IR before")
    expect(before.locator("li[data-lit]").last).to_contain_text("sum_edges")
    expect(page.locator(".kernel-list button[data-lit]").first).to_contain_text("dst")
    code.focus()
    for _ in range(24):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**at=line*")


def test_a_layer_of_the_model_and_what_the_dock_shows_of_it_light_one_another(site: Stack, page: Page) -> None:
    with site.client() as api:
        body = {"name": "lit", "template": "gat"}
        made = api.post("/api/v1/models", json=body).raise_for_status().json()["id"]
    page.set_viewport_size({"width": 1440, "height": 960})
    page.goto(f"{site.url}/models/{made}")
    code = page.get_by_role("listbox", name="Vertex program")
    expect(page.locator(".kernel-list button").first).to_be_visible()
    page.locator('[data-id="gat1"] .layer-head').hover()
    expect(code.locator("li[data-lit]").first).to_be_visible()
    expect(page.locator(".kernel-list button[data-lit]").first).to_be_visible()
    expect(page.get_by_role("listbox", name="IR before").locator("li[data-lit]").first).to_be_visible()
    page.locator(".kernel-list button").first.hover()
    expect(page.locator('.react-flow__node[data-id="gat1"][data-lit]')).to_be_visible()
    expect(page.locator('.react-flow__node[data-id="gat2"][data-lit]')).to_have_count(0)
    page.get_by_role("button", name="Model as code").click()
    line = page.get_by_label("Source of the model").locator(".cm-line", has_text="gat2 =")
    line.hover()
    expect(page.locator('.react-flow__node[data-id="gat2"][data-lit]')).to_be_visible()
    page.locator('[data-id="elu"] .layer-head').hover()
    expect(page.locator(".cm-lit")).to_contain_text("elu = activation")

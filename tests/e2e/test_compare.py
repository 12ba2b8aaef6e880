"""A job that is compared with other systems: ticked in the train sheet, warned of before, read side by side after."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import serious
from tests.servers.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.services]

MINUTES_MS = 480_000
OWN = "def own(v: Vertex(h='in')):\n    return sum(nb.h for nb in v.innbs)\n"


@pytest.mark.timeout(900)
def test_a_job_is_compared_with_the_systems_that_are_ticked(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=seastar&template=gcn")
    page.get_by_role("textbox", name="Epochs", exact=True).fill("20")
    for system in ("Every pass off", "PyG"):
        page.get_by_role("checkbox", name=system).check()
    page.get_by_role("checkbox", name="Each pass off").check()
    passes = page.get_by_role("combobox", name="Passes", exact=True)
    passes.click()
    for name in ("fuse", "fold constants"):
        page.get_by_role("option", name=name).click()
    passes.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/jobs/job_"))
    page.get_by_label("Parts of the job").get_by_role("link", name="Compare").click()
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=MINUTES_MS)
    table = page.get_by_role("region", name="Figures of the comparison")
    expect(table.get_by_role("row")).to_have_count(4)
    for system in ("Asterism", "passes off", "PyG"):
        expect(table.get_by_role("rowheader", name=re.compile(system))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Validation loss of .* PyG"))).to_be_visible()
    for title in ("Throughput by system", "Peak memory by system"):
        expect(page.get_by_role("list", name=title).get_by_role("listitem")).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("button", name="Figures: export").click()
        page.get_by_role("menuitem", name="CSV").click()
    rows = download.value.path().read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["system", "asterism", "passes_off", "pyg"]
    passes_one_by_one = page.get_by_role("region", name="Figures of each pass left out")
    expect(passes_one_by_one.get_by_role("row", name=re.compile("^fuse off .*\\+"))).to_be_visible()
    expect(passes_one_by_one.get_by_role("row", name="fold constants off changes nothing")).to_be_visible()
    worth = page.get_by_role("list", name="Time of an epoch by pass left out")
    expect(worth.get_by_role("listitem")).to_have_count(3)
    assert serious(page) == []
    page.get_by_role("link", name="Profile").click()
    expect(page.get_by_role("heading", name="Memory over one epoch")).to_be_visible()
    curve = page.get_by_role("slider", name="Memory over one epoch, step by step")
    curve.press("End")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("backward: .*iB"))
    page.get_by_role("button", name="Vertex program").click()
    expect(page.get_by_label(re.compile("^Vertex program of")).first).to_contain_text("def ")
    assert serious(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_job_over_relations_is_compared(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=hgl&template=rgcn")
    page.get_by_role("textbox", name="Epochs", exact=True).fill("3")
    page.get_by_role("checkbox", name="PyG").check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/jobs/job_"))
    page.get_by_label("Parts of the job").get_by_role("link", name="Compare").click()
    table = page.get_by_role("region", name="Figures of the comparison")
    expect(table.get_by_role("row")).to_have_count(3, timeout=MINUTES_MS)
    for system in ("Asterism", "PyG"):
        expect(table.get_by_role("rowheader", name=re.compile(system))).to_be_visible()
    expect(page.get_by_text("DGL and PyG give all vertices rows")).to_be_visible()
    assert serious(page) == []


def test_what_a_system_has_no_layer_for_is_said_before_the_start(site: Stack, page: Page, client: httpx.Client) -> None:
    model = model_of_own_program(client)
    page.goto(f"{site.url}/jobs/new?kind=seastar&model={model}&dataset={dataset(client)}")
    page.get_by_role("checkbox", name="DGL").check()
    expect(page.get_by_text("DGL has no counterpart of own1")).to_be_visible()


def test_a_job_without_a_comparison_says_how_to_have_one(site: Stack, page: Page, client: httpx.Client) -> None:
    template = client.get("/api/v1/templates/gcn").raise_for_status().json()
    spec = {"kind": "seastar", "model": template["doc"], "dataset": template["dataset_id"], "training": {"epochs": 1}}
    job = client.post("/api/v1/jobs", json={"spec": spec}).raise_for_status().json()
    page.goto(f"{site.url}/jobs/{job['id']}?tab=compare")
    expect(page.get_by_role("heading", name="Nothing to compare with")).to_be_visible()


def dataset(client: httpx.Client) -> str:
    return str(client.get("/api/v1/templates/gcn").raise_for_status().json()["dataset_id"])


def model_of_own_program(client: httpx.Client) -> str:
    """A saved model whose one layer is a vertex program of its own; returns its id."""
    ends = [("input", "h", "own1", "x"), ("own1", "y", "linear1", "x"), ("linear1", "y", "output", "x")]
    doc: dict[str, Any] = {
        "nodes": [
            {"id": "input", "type": "input"},
            {"id": "own1", "type": "program", "params": {"program": "own"}},
            {"id": "linear1", "type": "linear", "params": {"out_features": 0}},
            {"id": "output", "type": "output"},
        ],
        "wires": [{"source": {"node": a, "port": b}, "target": {"node": c, "port": d}} for a, b, c, d in ends],
        "programs": [{"name": "own", "source": OWN}],
    }
    made = client.post("/api/v1/models", json={"name": "own", "doc": doc}).raise_for_status().json()
    return str(made["id"])

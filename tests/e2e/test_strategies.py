"""Flow F4 in a browser: plan, move the cap, pick, run, and see what was measured beside what was predicted."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import COLOURS, serious
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.services, pytest.mark.browser]

MODEL = {"model": "mlp", "layers": 2}


@pytest.fixture(scope="module")
def planned(site: Stack) -> dict[str, Any]:
    """A finished plan for this host."""
    with site.client() as client:
        task = {"type": "plan", "machine": "this_host", "devices": [1, 2]}
        return plan(client, {"name": "two layers", "model": MODEL, "task": task})


def plan(client: httpx.Client, spec: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/v1/jobs", json={"spec": {"kind": "tensoropt", **spec}}).raise_for_status().json()
    job = toy.wait_for(client, answer["id"])
    assert job["state"] == "succeeded", job["state_reason"]
    return job


def frontier(job: dict[str, Any], devices: int) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in job["result"]["outcome"]["frontiers"] if one["devices"] == devices)
    return found


def open_strategies(page: Page, site: Stack, job: dict[str, Any], search: str = "") -> Locator:
    """The drawing of a job's plans."""
    page.goto(f"{site.url}/jobs/{job['id']}?tab=strategies{search}")
    drawing = page.get_by_role("region", name="Memory and time")
    expect(drawing).to_be_visible()
    return drawing


def test_a_plan_is_made_a_cap_moved_a_point_picked_and_run(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=tensoropt")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("link", name="See strategies").click(timeout=120_000)
    chosen = page.get_by_role("region", name="Chosen plan")
    expect(chosen).to_contain_text("under the cap")
    page.get_by_role("button", name="2 devices").click()
    before = chosen.get_by_role("heading").first.inner_text()
    cap = page.get_by_role("slider", name="Memory of a device")
    cap.focus()
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(chosen.get_by_role("heading").first).not_to_have_text(before)
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    assert serious(page, COLOURS) == []
    chosen.get_by_role("button", name="Run this plan").click()
    runs = chosen.get_by_role("list", name="Runs of this plan")
    expect(runs).to_contain_text("held", timeout=120_000)
    runs.get_by_role("link").click()
    beside = page.get_by_role("region", name="Measured beside the plan")
    expect(beside).to_contain_text("as planned: kind, group, bytes")
    expect(beside).to_contain_text(re.compile(r"Step.*ms"))
    assert serious(page, COLOURS) == []


def test_under_every_cap_the_fastest_that_fits_is_chosen(site: Stack, page: Page, planned: dict[str, Any]) -> None:
    """Against the figures of the API, at caps between all neighbouring points, and below the least."""
    one = frontier(planned, 2)
    every = [*one["points"], *one["known"]]
    memory = sorted(point["memory_bytes"] for point in every)
    for cap in [(a + b) / 2 for a, b in zip(memory[:-1:3], memory[1::3], strict=False)]:
        best = min((p for p in every if p["memory_bytes"] <= cap), key=lambda p: float(p["step_s"]))
        open_strategies(page, site, planned, f"&item=2&q={cap:.0f}")
        row = page.get_by_role("region", name="Plans").get_by_role("row", selected=True)
        number = one["points"].index(best) + 1 if best in one["points"] else None
        expect(row).to_contain_text(f"Plan {number}" if number else best["name"].capitalize())
        expect(row).to_contain_text("fits")
    open_strategies(page, site, planned, f"&item=2&q={memory[0] / 2:.0f}")
    expect(page.get_by_role("status").filter(has_text="needs at least")).to_be_visible()


def test_the_cap_is_dragged_and_the_address_keeps_it(site: Stack, page: Page, planned: dict[str, Any]) -> None:
    drawing = open_strategies(page, site, planned)
    cap = page.get_by_role("slider", name="Memory of a device")
    grip = cap.locator(".cap-grip").bounding_box()
    plot = drawing.locator(".scatter svg").bounding_box()
    assert grip
    assert plot
    page.mouse.move(grip["x"] + 7, grip["y"] + 14)
    page.mouse.down()
    page.mouse.move(plot["x"] + plot["width"] / 2, grip["y"] + 40, steps=5)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"q=\d+"))
    said = cap.get_attribute("aria-valuetext")
    page.reload()
    expect(cap).to_have_attribute("aria-valuetext", str(said))
    assert page.locator("[data-over=true]").count() > 0, "what needs more is drawn as such"


def test_points_are_reached_by_keys_and_say_what_they_are(site: Stack, page: Page, planned: dict[str, Any]) -> None:
    drawing = open_strategies(page, site, planned, "&item=2-00")
    group = drawing.get_by_role("radiogroup")
    group.get_by_role("radio", checked=True).focus()
    seen = []
    for _ in range(4):
        now = group.get_by_role("radio", checked=True)
        seen.append(now.get_attribute("aria-label"))
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(50)
    assert len(set(seen)) == len(seen)
    assert "a device" in str(seen[0])
    assert "a step" in str(seen[0])
    first = drawing.locator('[data-plan="2-00"] circle').bounding_box()
    assert first
    page.mouse.move(first["x"] + 4, first["y"] + 4)
    tip = drawing.locator(".series-tip")
    for words in ("memory of a device", "time of a step", "mesh of devices"):
        expect(tip).to_contain_text(words)
    page.mouse.click(first["x"] + 4, first["y"] + 4)
    expect(page).to_have_url(re.compile("item=2-00"))
    expect(page.get_by_role("region", name="Plans").get_by_role("row", selected=True)).to_contain_text("Plan 1")


def test_a_run_shows_the_plan_it_came_from_and_lands_in_its_drawing(
    site: Stack, page: Page, client: httpx.Client, planned: dict[str, Any]
) -> None:
    """Started through the API as the documented labels say; the same point is measured in the drawing and the table."""
    point = frontier(planned, 2)["known"][0]
    at = f"/api/v1/jobs/{planned['id']}/artifacts/{point['artifact']}"
    task = {
        "type": "run",
        "strategy": client.get(at).raise_for_status().json(),
        "predicted": {name: point[name] for name in ("memory_bytes", "step_s")},
        "plan": planned["id"],
    }
    body = {
        "spec": {"kind": "tensoropt", "model": MODEL, "task": task},
        "labels": {"plan": planned["id"], "point": point["artifact"]},
    }
    run = toy.wait_for(client, client.post("/api/v1/jobs", json=body).raise_for_status().json()["id"])
    assert run["state"] == "succeeded", run["state_reason"]
    drawing = open_strategies(page, site, run)
    expect(drawing.locator(".scatter-measured")).to_have_count(1)
    row = page.get_by_role("region", name="Plans").get_by_role("row", selected=True)
    expect(row).to_contain_text(point["name"].capitalize())
    expect(row.get_by_role("link")).to_contain_text("s")
    splits = page.get_by_role("region", name="Splits by tensor")
    expect(splits).to_contain_text("hidden 0–1 · weight")


def test_on_a_phone_nothing_is_wider_than_it(site: Stack, page: Page, planned: dict[str, Any]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_strategies(page, site, planned)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

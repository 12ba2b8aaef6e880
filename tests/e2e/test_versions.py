"""What a person can rely on while editing: drafts, versions, a killed browser, and pages over plain HTTP."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.e2e.axe import serious
from tests.servers.browser import find_chromium, flags
from tests.servers.stack import Stack

pytestmark = [pytest.mark.services, pytest.mark.browser]

LAN_NAME = "asterism.test"


def made(site: Stack, name: str, template: str = "gcn") -> str:
    with site.client() as api:
        body = {"name": name, "template": template}
        return str(api.post("/api/v1/models", json=body).raise_for_status().json()["id"])


def asked(site: Stack, path: str) -> Any:
    with site.client() as api:
        return api.get(f"/api/v1{path}").raise_for_status().json()


def set_width(page: Page, width: int) -> None:
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.get_by_label("Out features", exact=True).fill(str(width))


def expect_saved(page: Page) -> None:
    expect(page.locator('.save-note[data-save="saved"]')).to_be_visible(timeout=10_000)


def width_of(doc: dict[str, Any]) -> object:
    return next(n for n in doc["nodes"] if n["id"] == "gcn1")["params"]["out_features"]


def keep(page: Page, name: str) -> None:
    page.get_by_role("button", name="No version").click()
    page.get_by_label("Name of the version").fill(name)
    page.get_by_role("button", name="Save version").click()
    expect(page.get_by_role("button", name="v1", exact=True)).to_be_visible()


def test_e12_autosave_writes_the_draft_alone_it_can_be_discarded_and_a_run_pins_a_version(
    site: Stack, page: Page
) -> None:
    model = made(site, "autosaved")
    page.goto(f"{site.url}/models/{model}")
    keep(page, "first")
    set_width(page, 77)
    expect_saved(page)
    assert [v["note"] for v in asked(site, f"/models/{model}/versions")["items"]] == ["first"]
    assert width_of(asked(site, f"/models/{model}/draft")["doc"]) == 77
    page.get_by_role("button", name="v1 + draft").click()
    page.get_by_role("button", name="Discard draft, back to v1").click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("16")
    page.get_by_role("button", name="Undo: Discard draft").click()
    expect(page.get_by_label("Out features", exact=True)).to_have_value("77")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("textbox", name="Epochs").fill("1")
    page.get_by_role("button", name="Start", exact=True).first.click()
    page.wait_for_url("**/jobs/job_*")
    pinned = asked(site, f"/jobs/{page.url.split('/jobs/')[1].split('?')[0]}")["spec"]["model_ref"]
    page.goto(f"{site.url}/models/{model}")
    set_width(page, 25)
    expect_saved(page)
    kept = asked(site, f"/models/{model}/versions/{pinned['version']}")
    assert (width_of(kept["doc"]), kept["content_hash"]) == (77, pinned["content_hash"])


def test_e13_versions_are_compared_in_a_drawing_words_and_code_and_restored(site: Stack, page: Page) -> None:
    model = made(site, "compared")
    page.goto(f"{site.url}/models/{model}")
    keep(page, "as the paper")
    set_width(page, 99)
    page.locator('[data-id="relu"] .layer-head').click()
    page.keyboard.press("Delete")
    expect_saved(page)
    page.goto(f"{site.url}/models/{model}/versions")
    expect(page.locator('[data-id="gcn1"] .mark-badge')).to_have_text("~ changed")
    expect(page.locator('[data-id="relu"] .mark-badge')).to_have_text("− removed")
    words = page.get_by_role("list", name="Differences")
    expect(words.get_by_role("listitem").filter(has_text="gcn1").first).to_contain_text("16 → 99")
    page.wait_for_timeout(300)
    assert serious(page) == []
    page.get_by_role("button", name="Code", exact=True).click()
    expect(page.get_by_role("table", name="Layers and settings").get_by_role("insertion").first).to_have_text("99")
    address = page.url
    page.get_by_label("Compare to version 1").check()
    expect(page.get_by_text("No difference", exact=True)).to_be_visible()
    page.goto(address)  # What is compared, and how, is the address.
    expect(page.get_by_role("table", name="Layers and settings").get_by_role("insertion").first).to_have_text("99")
    page.get_by_role("button", name="Restore version 1", exact=True).click()
    expect(page.get_by_text("The draft before it was kept as a version.")).to_be_visible()
    notes = [v["note"] for v in asked(site, f"/models/{model}/versions")["items"]]
    assert notes == ["Before version 1 was restored", "as the paper"]
    assert width_of(asked(site, f"/models/{model}/versions/2")["doc"]) == 99
    assert width_of(asked(site, f"/models/{model}/draft")["doc"]) == 16


@contextmanager
def browser_of(browser: Browser, profile: Path) -> Iterator[BrowserContext]:
    context = browser.browser_type.launch_persistent_context(
        profile, executable_path=find_chromium(), args=flags(), viewport={"width": 1440, "height": 900}
    )
    try:
        yield context
    finally:
        with suppress(Error):  # It may have been killed.
            context.close()


def kill_browser(profile: Path) -> None:
    """End the browser of this profile as the system would: nobody gets to say goodbye."""
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and f"--user-data-dir={profile}".encode() in _words(process):
            os.kill(int(process.name), signal.SIGKILL)


def _words(process: Path) -> list[bytes]:
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []
    return [] if any(word.startswith(b"--type=") for word in words) else words


def test_e6_three_unsaved_models_come_back_after_the_browser_was_killed(
    site: Stack, browser: Browser, tmp_path: Path
) -> None:
    models = [made(site, f"unsaved {i}") for i in range(3)]
    with browser_of(browser, tmp_path) as context:
        context.route("**/draft", lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
        for i, model in enumerate(models):
            page = context.new_page()
            page.goto(f"{site.url}/models/{model}")
            set_width(page, 40 + i)
            expect(page.locator('.save-note[data-save="offline"]')).to_be_visible(timeout=10_000)
        kill_browser(tmp_path)
    with browser_of(browser, tmp_path) as context:
        page = context.new_page()
        page.goto(f"{site.url}/models")
        for model in models:
            expect(page.locator(f'[data-model="{model}"]').get_by_text("Unsaved changes here")).to_be_visible()
        for i, model in enumerate(models):
            page.goto(f"{site.url}/models/{model}")
            expect(page.get_by_text("Unsaved changes of this browser were brought back")).to_be_visible()
            expect_saved(page)
            assert width_of(asked(site, f"/models/{model}/draft")["doc"]) == 40 + i


@pytest.fixture
def lan_site(site: Stack) -> Iterator[Stack]:
    """The same installation, answering to a name that browsers do not trust as their own machine."""
    stack = Stack(site.home, site.database_url, site.broker_url, {"allowed_hosts": f"127.0.0.1,{LAN_NAME}"})
    stack.start_api()
    yield stack
    stack.stop()


def test_e24_copy_paste_and_new_ids_work_on_plain_http_of_the_network(lan_site: Stack, browser: Browser) -> None:
    model = made(lan_site, "on the network")
    mapped = f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"
    other = browser.browser_type.launch(executable_path=find_chromium(), args=[*flags(), mapped])
    page = other.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"http://{LAN_NAME}:{lan_site.port}/models/{model}")
    expect(page.locator('[data-id="gcn1"]')).to_be_visible()
    assert page.evaluate("[isSecureContext, 'clipboard' in navigator, 'randomUUID' in crypto]") == [False] * 3
    page.locator('[data-id="gcn1"] .layer-head').click()
    page.locator('[data-id="relu"] .layer-head').click(modifiers=["Control"])
    before = page.locator(".layer").count()
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    expect(page.locator(".layer")).to_have_count(before + 2)
    expect_saved(page)
    doc = asked(lan_site, f"/models/{model}/draft")["doc"]
    ids = [n["id"] for n in doc["nodes"]]
    assert len(set(ids)) == before + 2
    copies = [i for i in ids if re.search(r"_\d+$", i)]
    assert {(w["source"]["node"], w["target"]["node"]) for w in doc["wires"]} >= {(copies[0], copies[1])}
    # An action is copied by the old command, and pasted into a field: the text went over the clipboard.
    page.goto(f"http://{LAN_NAME}:{lan_site.port}/models/{model}/versions")
    page.get_by_label("Name of the version").fill("kept")
    page.get_by_role("button", name="Save a version: copy as curl or Python").click()
    page.get_by_role("menuitem", name="Copy as Python").click()
    expect(page.get_by_text("Copied: Save a version, as Python.")).to_be_visible()
    page.get_by_label("Name of the version").fill("")
    page.get_by_label("Name of the version").focus()
    page.keyboard.press("Control+v")
    expect(page.get_by_label("Name of the version")).to_have_value(re.compile(rf'a\.models\.get\("{model}"\)\.keep'))
    # A new model needs new ids and an Idempotency-Key.
    page.get_by_role("button", name="Save version", exact=True).click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    other.close()

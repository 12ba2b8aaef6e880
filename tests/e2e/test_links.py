"""Addresses: whatever a page shows can be linked to, reloaded and gone back to."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import staying_local
from tests.servers.stack import Stack
from tests.workers import toy

pytestmark = [pytest.mark.browser, pytest.mark.services]


def test_a_jobs_tab_survives_reload_and_back(site: Stack, page: Page, client: httpx.Client) -> None:
    job_id = toy.start(client, steps=3)
    toy.wait_for(client, job_id)
    page.goto(f"{site.url}/jobs/{job_id}?tab=logs&q=step+2")
    expect(page.get_by_text("1 match")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 match")).to_be_visible()
    page.get_by_role("link", name="Events").click()
    expect(page).to_have_url(re.compile("tab=events"))
    page.go_back()
    expect(page.get_by_role("textbox", name="Search the log")).to_have_value("step 2")


def test_the_filters_of_the_job_list_are_its_address(site: Stack, page: Page, client: httpx.Client) -> None:
    job_id = toy.start(client, name="needle", steps=1)
    toy.wait_for(client, job_id)
    page.goto(f"{site.url}/jobs?kind=toy&q=needle")
    expect(page.get_by_role("link", name="needle").first).to_be_visible()
    page.get_by_role("button", name="Queued").click()
    expect(page.get_by_text("No job matches")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Queued")).to_have_attribute("aria-pressed", "true")


def test_the_shells_pages_load_from_their_address(site: Stack, page: Page) -> None:
    for path, heading in (("/", "Home"), ("/jobs", "Jobs"), ("/cluster", "Cluster"), ("/jobs/new", "New job")):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()


def test_p3_deep_links_reload_and_an_unknown_endpoint_is_a_problem_in_json(
    site: Stack, page: Page, client: httpx.Client
) -> None:
    job_id = toy.start(client, steps=1, name="deep")
    model = client.post("/api/v1/models", json={"name": "deeper", "template": "gcn"}).raise_for_status().json()
    for path, there in ((f"/jobs/{job_id}", "deep"), (f"/models/{model['id']}", "deeper")):
        page.goto(site.url + path)
        expect(page.get_by_text(there).first).to_be_visible()
        page.reload()
        expect(page.get_by_text(there).first).to_be_visible()
    answer = httpx.get(f"{site.url}/api/v1/nope", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


def test_p4_a_request_to_another_machine_fails_the_test(browser: Browser) -> None:
    with pytest.raises(AssertionError, match=r"leave the machine.*192\.0\.2\.1"):
        look_elsewhere(browser)


def look_elsewhere(browser: Browser) -> None:
    """Open a page with a picture from an address that belongs to nobody."""
    context = browser.new_context()
    with staying_local(context):
        page = context.new_page()
        page.set_content("<img src='http://192.0.2.1/beacon.png'>", wait_until="commit")
        page.wait_for_timeout(300)


def test_an_unknown_page_says_so(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/nothing/here")
    expect(page.get_by_text("There is no page at this address")).to_be_visible()


def test_a_job_that_is_not_there_says_so(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/job_00000000000000000000000000")
    expect(page.get_by_role("alert")).to_be_visible()

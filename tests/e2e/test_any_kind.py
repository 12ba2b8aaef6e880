"""A job kind that is one folder and nothing else: its schema alone makes the form, the job page and the result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.servers.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.services]


def test_a_toy_job_is_started_and_read_through_generic_pages(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new")
    page.get_by_role("link", name=re.compile("^Toy")).click()
    page.get_by_role("textbox", name="Steps").fill("5")
    page.get_by_role("textbox", name="Note").fill("hello")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/jobs/job_"))
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    expect(page.get_by_text("Attempt mark")).to_be_visible()
    expect(page.get_by_role("heading", name="Loss")).to_be_visible()


def test_the_form_refuses_what_the_schema_refuses(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=toy")
    page.get_by_role("textbox", name="Signal").fill("99")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("At most 31")).to_be_visible()
    expect(page).to_have_url(re.compile("/jobs/new"))


def test_what_only_the_server_knows_comes_back_to_its_field(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=toy")
    page.get_by_role("textbox", name="Dataset").fill("ds_nowhere")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("There is no dataset 'ds_nowhere'.").first).to_be_visible()


def test_d17_a_clone_is_a_filled_form_one_field_and_a_start(site: Stack, page: Page) -> None:
    page.goto(f"{site.url}/jobs/new?kind=toy")
    page.get_by_role("textbox", name="Steps").fill("7")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Succeeded").first).to_be_visible(timeout=60_000)
    first = page.url.split("/jobs/")[1]
    page.get_by_role("link", name="Clone").first.click()
    steps = page.get_by_role("textbox", name="Steps")
    expect(steps).to_have_value("7")
    steps.fill("8")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(lambda url: "/jobs/job_" in url and first not in url)
    with site.client() as api:
        specs = [api.get(f"/api/v1/jobs/{job}").json()["spec"] for job in (first, page.url.split("/jobs/")[1])]
    assert specs[1] == specs[0] | {"steps": 8}, "all else is as it was"

"""Take the pictures of README.md from a running installation: `make screenshot`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, ViewportSize

from tests.servers.browser import chromium
from tests.servers.databases import migrate, run_part
from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey

PICTURES = Path(__file__).parent / "screenshots"
TEMPLATE = "gat"
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}


@contextmanager
def installation(home: Path, **settings: object) -> Iterator[Stack]:
    """All of Asterism with its bundled datasets, as after the first `make run`."""
    url = f"sqlite:///{home}/asterism.db"
    migrate(url, home)
    with valkey() as broker, running(home, url, broker, **settings) as stack:
        run_part("seed", stack.env)
        yield stack


def train(client: httpx.Client) -> str:
    """Start training the template; returns the job's id."""
    template = client.get(f"/api/v1/templates/{TEMPLATE}").raise_for_status().json()
    training = {**template["training"], "patience": 0}
    spec = {
        "kind": "seastar",
        "name": template["title"],
        "model": template["doc"],
        "dataset": template["dataset_id"],
        "training": training,
        "compare": ["passes_off", "dgl", "pyg"],
    }
    job: dict[str, Any] = client.post("/api/v1/jobs", json={"spec": spec}).raise_for_status().json()
    return str(job["id"])


def wait_for(client: httpx.Client, job: str, *, epochs: int, timeout_s: float = 600) -> None:
    """Wait until so many epochs are done, or the job has ended."""
    until = time.monotonic() + timeout_s
    while time.monotonic() < until:
        now = client.get(f"/api/v1/jobs/{job}").raise_for_status().json()
        if now["finished_at"] or (now["progress"] and now["progress"]["done"] >= epochs):
            return
        time.sleep(0.2)
    raise SystemExit(f"job {job} did not come to epoch {epochs} within {timeout_s:.0f} s")


def shoot(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.get_by_role("heading").first.wait_for()
    page.wait_for_timeout(1500)  # charts draw when they have their size
    page.screenshot(path=PICTURES / f"{name}.png")
    print(PICTURES / f"{name}.png")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        installation(Path(home)) as stack,
        stack.client() as client,
        chromium() as browser,
    ):
        page = browser.new_page(viewport=VIEWPORT, reduced_motion="reduce")
        job = train(client)
        wait_for(client, job, epochs=80)
        shoot(page, f"{stack.url}/jobs/{job}", "job")
        wait_for(client, job, epochs=10**6)
        shoot(page, f"{stack.url}/jobs/{job}?tab=profile", "profile")
        shoot(page, f"{stack.url}/jobs/{job}?tab=compare", "compare")
        shoot(page, stack.url, "home")


if __name__ == "__main__":
    main()

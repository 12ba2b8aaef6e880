"""Toy jobs over REST: starting them, following them, and looking at what they left."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

EXTRA_SYSTEMS = Path(__file__).parent / "extra_systems"
FINISHED = ("succeeded", "failed", "cancelled", "lost")
Json = dict[str, Any]


def start(client: httpx.Client, mode: str = "finish", **fields: object) -> str:
    """Start a toy job; returns its id."""
    spec = {"kind": "toy", "mode": mode, **fields}
    answer = client.post("/api/v1/jobs", json={"spec": spec})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def get(client: httpx.Client, job_id: str) -> Json:
    answer = client.get(f"/api/v1/jobs/{job_id}")
    assert answer.status_code == 200, answer.text
    job: Json = answer.json()
    return job


def wait_for(client: httpx.Client, job_id: str, *states: str, timeout_s: float = 60) -> Json:
    """Wait until the job is in one of the states (any final one by default); returns the job."""
    wanted = states or FINISHED
    job: Json = until(
        lambda: (now := get(client, job_id))["state"] in wanted and now, timeout_s, lambda: get(client, job_id)
    )
    return job


def until(found: Callable[[], Any], timeout_s: float = 60, tell: Callable[[], object] = lambda: "") -> Any:
    """Wait for something true and return it."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {timeout_s} s: {tell()}")


def events(client: httpx.Client, job_id: str) -> list[Json]:
    """Every event of a job, from the journal."""
    found: list[Json] = []
    more = True
    while more:
        after = found[-1]["id"] if found else 0
        page = client.get(f"/api/v1/jobs/{job_id}/events", params={"after_id": after, "limit": 1000}).json()
        found += page["items"]
        more = page["more"]
    return found


def states(client: httpx.Client, job_id: str) -> list[str]:
    """The states a job went through, in order."""
    return [e["body"]["state"] for e in events(client, job_id) if e["type"] == "job.status"]


def runs(folder: Path) -> list[int]:
    """Process ids of the runs that left a mark in a folder."""
    return [int(mark.name.rpartition("-")[2]) for mark in folder.iterdir() if mark.name != "orphan"]


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def job_process(job_id: str) -> int | None:
    """The process id of the job's runner, looked up by its command line."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if b"workers.runner" in words and any(word.startswith(job_id.encode()) for word in words):
                    return int(entry.name)
    return None


def stream(client: httpx.Client, path: str, **options: Any) -> Iterator[Json]:
    """Server-Sent Events as {id, event, data}, until the server closes or the caller stops."""
    headers = {"Accept": "text/event-stream", **options.pop("headers", {})}
    with client.stream("GET", path, headers=headers, timeout=30, **options) as answer:
        assert answer.status_code == 200, answer.read()
        yield from parse(answer.iter_lines())


def parse(lines: Iterator[str]) -> Iterator[Json]:
    event: Json = {}
    for line in lines:
        if not line:
            if "data" in event:
                yield event
            event = {}
            continue
        name, _, value = line.partition(": ")
        if name in ("id", "event", "data"):
            event[name] = json.loads(value) if name == "data" else int(value) if name == "id" else value

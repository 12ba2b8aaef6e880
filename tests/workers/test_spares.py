"""Processes kept ready: a job gets one, it is seen to run there, and none is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers.stack import Stack, running
from tests.workers import toy

pytestmark = pytest.mark.services


@pytest.fixture
def stack(tmp_path: Path, sqlite_url: str, broker_url: str) -> Iterator[Stack]:
    with running(tmp_path, sqlite_url, broker_url, extra_systems=toy.EXTRA_SYSTEMS, spare_processes=1) as stack:
        yield stack


@pytest.fixture
def client(stack: Stack) -> Iterator[httpx.Client]:
    with stack.client() as client:
        yield client


def spares(worker: int) -> list[int]:
    """Processes of a worker that wait for a job."""
    children = Path(f"/proc/{worker}/task").glob("*/children")
    pids = [int(pid) for task in children for pid in task.read_text().split()]
    return [pid for pid in pids if b"spare---" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_a_job_runs_in_a_spare_under_its_own_name_and_the_spare_is_replaced(
    stack: Stack, client: httpx.Client, folder: Path
) -> None:
    worker = stack.workers[0].pid
    (spare,) = toy.until(lambda: spares(worker))
    job_id = toy.start(client, "sleep", steps=20, step_s=0.1, folder=str(folder))
    toy.wait_for(client, job_id, "running")
    assert toy.job_process(job_id) == spare
    assert toy.wait_for(client, job_id)["state"] == "succeeded"
    assert toy.runs(folder) == [spare]
    (replacement,) = toy.until(lambda: spares(worker), 20)
    assert replacement != spare
    stack.stop_worker(stack.workers[0])
    toy.until(lambda: not toy.alive(replacement), 5)


def test_a_spare_that_has_died_is_done_without(stack: Stack, client: httpx.Client) -> None:
    (spare,) = toy.until(lambda: spares(stack.workers[0].pid))
    os.kill(spare, signal.SIGKILL)
    assert toy.wait_for(client, toy.start(client))["state"] == "succeeded"


def test_a_spare_does_not_outlive_a_killed_worker(stack: Stack) -> None:
    worker = stack.workers.pop()
    (spare,) = toy.until(lambda: spares(worker.pid))
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    toy.until(lambda: not toy.alive(spare), 5)

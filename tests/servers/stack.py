"""The whole of Asterism as processes on free ports: API and workers over a given database and broker."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import entrypoints
import httpx
from processes import free_port, spawn, stop

from tests.servers.databases import ROOT, environment

Process = subprocess.Popen[bytes]


@dataclass
class Stack:
    """A running installation. Parts may be stopped, killed and started again by a test.

    `variables` are settings by name (`lost_after_s=3`), given to every part.
    """

    home: Path
    database_url: str
    broker_url: str
    variables: dict[str, object] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    api: Process | None = None
    workers: list[Process] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def env(self) -> dict[str, str]:
        urls = {"database_url": self.database_url, "broker_url": self.broker_url}
        return environment(self.home, port=self.port, **urls, **self.variables)

    def client(self, timeout_s: float = 30) -> httpx.Client:
        """An HTTP client on this installation; close it, or use it in a `with`."""
        return httpx.Client(base_url=self.url, timeout=timeout_s)

    def log(self, part: str) -> str:
        """What a part printed so far: "api" or "worker"."""
        path = self.home / f"{part}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def start_api(self, timeout_s: float = 120) -> Process:
        """Start the API and wait until it is ready."""
        self.api = spawn(entrypoints.command("api", sys.executable), env=self.env, cwd=ROOT, log=self.home / "api.log")
        self.wait_ready(timeout_s)
        return self.api

    def wait_ready(self, timeout_s: float) -> None:
        until = time.monotonic() + timeout_s
        while time.monotonic() < until and self.api is not None and self.api.poll() is None:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the API was not ready within {timeout_s} s:\n{self.log('api')[-4000:]}")

    def start_worker(self, device: str = "cpu", slots: int = 2) -> Process:
        """Start a worker; returns at once, jobs wait in the queue until it is up."""
        worker = spawn(
            entrypoints.worker(device, slots, sys.executable), env=self.env, cwd=ROOT, log=self.home / "worker.log"
        )
        self.workers.append(worker)
        return worker

    def stop_api(self) -> None:
        if self.api is not None:
            stop(self.api, grace_s=10)
            self.api = None

    def stop_worker(self, worker: Process) -> None:
        self.workers.remove(worker)
        stop(worker, grace_s=10)

    def stop(self) -> None:
        for worker in list(self.workers):
            self.stop_worker(worker)
        self.stop_api()


@contextmanager
def running(home: Path, database_url: str, broker_url: str, **variables: object) -> Iterator[Stack]:
    """API and one CPU worker over a migrated database, stopped at the end whatever happened.

    Without spares unless they are asked for: each job would cost the tests another start of Python and torch.
    """
    stack = Stack(home, database_url, broker_url, {"spare_processes": 0} | variables)
    try:
        stack.start_worker()
        stack.start_api()
        yield stack
    finally:
        stack.stop()

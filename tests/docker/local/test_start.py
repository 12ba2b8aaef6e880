"""`docker/local/start.py` as a person uses it: it comes up, it stops whole, and it refuses with one sentence."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from processes import descendants, free_port

from tests.docker.local.test_processes import wait_until_gone
from tests.servers.databases import ROOT, environment

START = ROOT / "docker" / "local" / "start.py"


def refusal(home: Path, port: str) -> str:
    """What start.py says when it will not start."""
    env = {**environment(home), "PORT": port}
    done = subprocess.run([sys.executable, START], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    said = done.stderr.strip()
    assert said.startswith("asterism: ")
    assert "\n" not in said
    return said


@contextmanager
def started(home: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running installation: the supervisor, and what it printed up to its address."""
    env = environment(home, port=port)
    with subprocess.Popen([sys.executable, START], env=env, stdout=subprocess.PIPE, text=True) as supervisor:
        try:
            assert supervisor.stdout is not None
            said = ""
            for line in supervisor.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            assert "Asterism is ready" in said, said
            yield supervisor, said
        finally:
            supervisor.kill()


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"Port {port} cannot be used" in refusal(tmp_path, str(port))


@pytest.mark.parametrize("port", ["eighty", "0", "70000"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    assert f"PORT is '{port}'" in refusal(tmp_path, port)


def test_a_state_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    home = tmp_path / "file" / "home"
    assert f"The folder {home} cannot be written" in refusal(home, str(free_port()))


def test_a_full_disk_is_refused() -> None:
    # The only file system here that is always full.
    said = subprocess.run(
        [sys.executable, "-c", "import machine; machine.check_disk(machine.Path('/proc'), 1)"],
        cwd=START.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "The disk is full: 0.0 GB are free" in said.stderr


@pytest.mark.services
def test_it_starts_stops_whole_and_refuses_a_second_one_on_the_same_folder(tmp_path: Path) -> None:
    port = free_port()
    with started(tmp_path, port) as (supervisor, said):
        assert f"http://127.0.0.1:{port}" in said
        assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
        assert "already runs" in refusal(tmp_path, str(free_port()))
        below = list(descendants(supervisor.pid))
        assert len(below) >= 3, "broker, API and worker"
        supervisor.send_signal(signal.SIGINT)
        assert supervisor.wait(60) == 0
        assert wait_until_gone(below) == []


@pytest.mark.services
def test_killing_the_supervisor_takes_everything_along(tmp_path: Path) -> None:
    with started(tmp_path, free_port()) as (supervisor, _):
        below = list(descendants(supervisor.pid))
        supervisor.kill()
        supervisor.wait()
        assert wait_until_gone(below) == []


@pytest.mark.services
def test_a_killed_api_comes_back(tmp_path: Path) -> None:
    port = free_port()
    with started(tmp_path, port) as (supervisor, _):
        api = next(
            pid for pid in descendants(supervisor.pid) if "-m\0backend" in Path(f"/proc/{pid}/cmdline").read_text()
        )
        os.kill(api, signal.SIGKILL)
        assert supervisor.stdout is not None
        assert any("api ended (signal 9)" in line for line in supervisor.stdout)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        else:
            pytest.fail("the API did not come back")
        supervisor.send_signal(signal.SIGTERM)
        assert supervisor.wait(30) == 0

"""Children that cannot outlive the one that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import descendants, free_port, spawn, stop, wait_for_port

LOCAL = Path(__file__).parents[3] / "docker" / "local"
SLEEP = "import time; print('up', flush=True); time.sleep(60)"


def is_running(pid: int) -> bool:
    """A zombie has ended, whoever has not yet asked for its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pids: list[int], timeout_s: float = 5) -> list[int]:
    until = time.monotonic() + timeout_s
    while time.monotonic() < until and any(map(is_running, pids)):
        time.sleep(0.02)
    return [pid for pid in pids if is_running(pid)]


def wait_for_text(path: Path, text: str, timeout_s: float = 10) -> None:
    until = time.monotonic() + timeout_s
    while text not in (path.read_text() if path.exists() else ""):
        assert time.monotonic() < until, f"{path} never said {text!r}"
        time.sleep(0.02)


def test_a_child_dies_when_its_parent_is_killed(tmp_path: Path) -> None:
    code = (
        f"import sys, time; sys.path.insert(0, {str(LOCAL)!r})\nfrom processes import spawn\n"
        f"print(spawn([sys.executable, '-c', {SLEEP!r}]).pid, flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
        parent.wait()
        assert wait_until_gone([child]) == []


def test_stop_asks_first() -> None:
    process = spawn([sys.executable, "-c", SLEEP])
    assert stop(process, grace_s=5) == -signal.SIGTERM


def test_stop_kills_what_will_not_end_and_all_below_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"subprocess.Popen([sys.executable, '-c', {SLEEP!r}], start_new_session=True)\ntime.sleep(60)"
    )
    process = spawn([sys.executable, "-c", code], log=log)
    wait_for_text(log, "up")
    below = list(descendants(process.pid))
    assert len(below) == 1
    assert stop(process, grace_s=0.1) == -signal.SIGKILL
    assert wait_until_gone(below) == []


def test_waiting_for_a_port_ends_when_the_process_does() -> None:
    process = spawn([sys.executable, "-c", "raise SystemExit(3)"])
    begun = time.monotonic()
    assert not wait_for_port(free_port(), process, timeout_s=30)
    assert time.monotonic() - begun < 10
    assert process.wait() == 3


def test_a_child_reads_what_it_is_given(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert spawn(["cat"], stdin=b"secret", log=log).wait() == 0
    assert log.read_bytes() == b"secret"


# An interpreter that every user may run; the one of the tests can lie in a home folder.
ANYONES_PYTHON = "/usr/bin/python3"
TELL = (
    "import ctypes, os; signal = ctypes.c_int(); ctypes.CDLL(None).prctl(2, ctypes.byref(signal)); "
    "print(os.getuid(), signal.value)"
)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
@pytest.mark.skipif(not Path(ANYONES_PYTHON).exists(), reason=f"no {ANYONES_PYTHON}")
def test_a_child_of_another_user_still_dies_with_its_parent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    # A change of user clears the request to die with the parent, so it has to be made after that change.
    assert spawn([ANYONES_PYTHON, "-c", TELL], user=65534, cwd=Path("/"), log=log).wait() == 0
    assert log.read_text().split() == ["65534", str(int(signal.SIGKILL))]

"""The supervisor starts again what ended, says so, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from supervise import BACKOFF_S, Part, Supervisor, last_words


def part(tmp_path: Path, name: str, code: str) -> Part:
    return Part(name, (sys.executable, "-c", code), dict(os.environ), tmp_path, tmp_path / f"{name}.log")


def test_a_part_that_crashes_is_started_again_later_and_later(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(said.append)
    process = supervisor.add(part(tmp_path, "worker-cpu", "raise SystemExit('out of memory')"))
    process.wait()
    supervisor.look()
    assert said == [
        f"worker-cpu ended (code 1): starting it again in {BACKOFF_S[0]:g} s; its log is {tmp_path}/worker-cpu.log"
    ]
    assert last_words(tmp_path / "worker-cpu.log") == "out of memory"
    restarted = supervisor.parts[0]
    until = time.monotonic() + 10
    while len(said) < 2 and time.monotonic() < until:
        supervisor.look()
        time.sleep(0.02)
    assert f"again in {BACKOFF_S[1]:g} s" in said[1]
    assert restarted.failures == 2
    supervisor.stop()


def test_a_killed_part_is_named_with_its_signal(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(said.append)
    process = supervisor.add(part(tmp_path, "api", "import time; time.sleep(60)"))
    process.kill()
    process.wait()
    supervisor.look()
    assert said[0].startswith("api ended (signal 9)")
    supervisor.stop()


def test_stop_ends_every_part_and_starts_none_again(tmp_path: Path) -> None:
    supervisor = Supervisor(lambda text: None)
    processes = [supervisor.add(part(tmp_path, name, "import time; time.sleep(60)")) for name in ("broker", "api")]
    supervisor.stop()
    assert [process.poll() is not None for process in processes] == [True, True]

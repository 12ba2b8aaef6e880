"""A toy job's run: one function a mode."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from workers.systems.toy.spec import ToyResult, ToySpec

from workers.core.channel import Channel
from workers.core.errors import JobError


def run(spec: ToySpec, channel: Channel) -> ToyResult:
    """Behave as `spec.mode` says; `spec.folder` gets one file per process that ran."""
    mark = f"{spec.note}-{os.getpid()}"
    if spec.folder:
        (Path(spec.folder) / mark).write_text(str(os.getpid()))
    MODES[spec.mode](spec, channel)
    return ToyResult(steps=spec.steps, attempt_mark=mark)


def _step(spec: ToySpec, channel: Channel) -> None:
    for step in range(spec.first, spec.first + spec.steps):
        channel.checkpoint()
        more = {f"s{k}": k + step % 10 / 10 for k in range(spec.series)}
        channel.metric(step, loss=1 / step, accuracy=1 - 1 / step, **more)
        channel.progress(step, spec.steps, "step")
        channel.log(f"step {step}")
        _sleep(spec.step_s, channel)


def _sleep(seconds: float, channel: Channel) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        channel.checkpoint()
        time.sleep(min(left, 0.02))


def _fail(spec: ToySpec, channel: Channel) -> None:
    _step(spec, channel)
    raise ZeroDivisionError("the toy broke\nover two lines")


def _blame(spec: ToySpec, channel: Channel) -> None:
    raise JobError("features.csv, row 7: 'x' is not a number; write one.")


def _crash(spec: ToySpec, channel: Channel) -> None:
    _step(spec, channel)
    sys.stderr.write("about to crash\n")
    sys.stderr.flush()
    time.sleep(0.5)
    os.kill(os.getpid(), spec.signal)
    time.sleep(60)


def _exit(spec: ToySpec, channel: Channel) -> None:
    sys.stderr.write("leaving early\n")
    sys.stderr.flush()
    os._exit(3)


def _chatter(spec: ToySpec, channel: Channel) -> None:
    for step in range(1, spec.steps + 1):
        channel.metric(step, a=step, b=-step, broken=float("nan"))
        channel.log(f"line {step} of {spec.steps} " + "x" * 60)
    channel.log("a warning", "warning")


def _deaf(spec: ToySpec, channel: Channel) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    channel.log("deaf")
    while True:
        time.sleep(1)


def _orphan(spec: ToySpec, channel: Channel) -> None:
    child = subprocess.Popen(["sleep", "300"])
    (Path(spec.folder) / "orphan").write_text(str(child.pid))
    _sleep(300, channel)


def _files(spec: ToySpec, channel: Channel) -> None:
    channel.artifact("report.txt", b"old")
    channel.artifact("report.txt", b"hello", "text/plain")
    channel.artifact("kernels/row_0.cpp", b"int main() {}\n", "text/x-c++src")


def _commands(spec: ToySpec, channel: Channel) -> None:
    while (command := channel.next_command()) is None:
        channel.checkpoint()
        time.sleep(0.02)
    channel.log(f"got {command.type} {command.body}")


MODES: dict[str, Callable[[ToySpec, Channel], None]] = {
    "finish": _step,
    "sleep": _step,
    "fail": _fail,
    "blame": _blame,
    "crash": _crash,
    "exit": _exit,
    "chatter": _chatter,
    "deaf": _deaf,
    "orphan": _orphan,
    "files": _files,
    "commands": _commands,
}

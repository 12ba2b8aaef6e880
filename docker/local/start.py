"""Run Asterism on this machine: Valkey, API and one worker for each kind of device, until Ctrl-C.

    .venv/bin/python docker/local/start.py          (what `make run` does once everything is installed)

PORT and ASTERISM_HOME say where. ASTERISM_DATABASE_URL and ASTERISM_BROKER_URL name servers of your own in place of
SQLite and the embedded Valkey. Each part logs into the state folder; all end with this process, however it ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import entrypoints
import place as places
from broker import Valkey
from place import Place
from processes import adopt_orphans, descendants, kill_all, reap, spawn, wait_for_port
from steps import Line, Refused, main
from supervise import Part, Supervisor, last_words

ROOT = Path(__file__).resolve().parents[2]
READY_S = 60.0
LOOK_S = 0.1


class Stop(Exception):
    """Someone asked for the end: Ctrl-C, TERM, or the terminal was closed."""


def raise_stop(_number: int, _frame: FrameType | None) -> None:
    raise Stop


def worker_slots() -> dict[str, int]:
    """Kind of device -> how many jobs at once. A GPU takes one job, so that one's memory is another's no surprise."""
    gpus = 0
    if nvidia := shutil.which("nvidia-smi"):
        told = subprocess.run([nvidia, "-L"], capture_output=True, text=True, check=False)
        gpus = sum(line.startswith("GPU ") for line in told.stdout.splitlines())
    return {"cpu": max(2, (os.cpu_count() or 1) // 2)} | ({"gpu": gpus} if gpus else {})


def start_broker(supervisor: Supervisor, place: Place) -> str:
    """The broker's URL: the one of the environment, else of an embedded Valkey started here."""
    if outside := places.outside_broker():
        Line("broker").done("given by ASTERISM_BROKER_URL")
        return outside
    line, valkey = Line("broker"), Valkey()
    part = Part("broker", valkey.argv, dict(os.environ), place.home, place.logs / "broker.log", stdin=valkey.config)
    process = supervisor.add(part)
    if not wait_for_port(valkey.port, process, timeout_s=10):
        raise Refused(f"The embedded Valkey did not start: {last_words(part.log)} ({part.log}).")
    line.done(f"Valkey on port {valkey.port}")
    return valkey.url


@dataclass(frozen=True)
class Preparation:
    """A part that ends by itself, while other things may already start."""

    line: Line
    log: Path
    process: subprocess.Popen[bytes]

    def finish(self) -> None:
        """Wait for its end; Refused with its last words where it failed."""
        with self.line.ticking():
            code = self.process.wait()
        if code:
            raise Refused(
                f"The {self.line.title} could not be prepared: {last_words(self.log)} (all of it: {self.log})."
            )
        self.line.done("ready")


def prepare(title: str, part: str, place: Place, env: dict[str, str]) -> Preparation:
    """Start a part that ends by itself."""
    line, log = Line(title), place.logs / f"{part}.log"
    line.show("...")
    return Preparation(line, log, spawn(entrypoints.command(part, sys.executable), cwd=ROOT, env=env, log=log))


def start_parts(supervisor: Supervisor, place: Place, env: dict[str, str]) -> list[Part]:
    """API and workers, at once: neither needs the other to come up."""
    commands = {"api": entrypoints.command("api", sys.executable)}
    for device, slots in worker_slots().items():
        commands[f"worker-{device}"] = entrypoints.worker(device, slots, sys.executable)
    parts = [Part(name, argv, env, ROOT, place.logs / f"{name}.log") for name, argv in commands.items()]
    for part in parts:
        supervisor.add(part)
    return parts


def wait_ready(place: Place, parts: list[Part]) -> None:
    """Wait until the API says that all is ready; Refused with its last words where a part ends before that."""
    line = Line("API and workers")
    until = time.monotonic() + READY_S
    with line.ticking():
        while time.monotonic() < until:
            line.note = "starting"
            for part in parts:
                if part.process is not None and part.process.poll() is not None:
                    raise Refused(
                        f"The part {part.name} did not start: {last_words(part.log)} (all of it: {part.log})."
                    )
            if is_ready(place):
                break
            time.sleep(LOOK_S)
        else:
            raise Refused(f"Not everything was ready within {READY_S:.0f} s; the logs are in {place.logs}.")
    line.done(", ".join(part.name for part in parts))


def is_ready(place: Place) -> bool:
    """The API answers, and so do all that it needs: database, broker, storage and a worker."""
    try:
        with urllib.request.urlopen(f"{place.address}/readyz", timeout=2) as answer:
            return all(component["ok"] for component in json.load(answer)["components"])
    except (urllib.error.URLError, OSError):
        return False


def serve(supervisor: Supervisor, place: Place, begun: float) -> None:
    """Start everything, print the address, and look after it until Stop."""
    broker = start_broker(supervisor, place)
    env = places.environment(place, ASTERISM_BROKER_URL=broker)
    prepare("database", "migrate", place, env).finish()
    seeding = prepare("bundled datasets", "seed", place, env)
    parts = start_parts(supervisor, place, env)
    seeding.finish()
    wait_ready(place, parts)
    print(f"\n  Asterism is ready: {place.address}    (started in {time.monotonic() - begun:.1f} s)")
    print(f"  State and logs: {place.home}    Ctrl-C stops everything.\n", flush=True)
    while True:
        time.sleep(LOOK_S)
        supervisor.look()
        reap(supervisor.pids)


def command_line() -> int:
    begun = time.monotonic()
    place = places.read_place()
    places.lock(place)
    adopt_orphans()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, raise_stop)
    supervisor = Supervisor(lambda text: print(f"asterism: {text}", flush=True))
    try:
        with contextlib.suppress(Stop):
            serve(supervisor, place, begun)
    finally:
        # A second Ctrl-C must not leave half of it running: every step below is bounded in time.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        line = Line("\nstopping")
        supervisor.stop()
        # What a killed part left behind was adopted by this process, and ends with it.
        kill_all(list(descendants(os.getpid())))
        line.done("everything has ended")
    return 0


if __name__ == "__main__":
    sys.exit(main(command_line))

"""Where one installation runs: port and state folder, from the environment; the only reader of it here."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

import machine
from steps import Refused

DEFAULT_PORT = 8765
SPACE_TO_RUN = machine.GB // 2


@dataclass(frozen=True)
class Place:
    """PORT and ASTERISM_HOME, checked."""

    port: int
    home: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def logs(self) -> Path:
        return self.home / "logs"


def read_place() -> Place:
    """Raises Refused with one sentence where the port or the folder cannot be used."""
    text = os.environ.get("PORT") or str(DEFAULT_PORT)
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise Refused(f"PORT is '{text}': give a number from 1 to 65535.")
    home = Path(os.environ.get("ASTERISM_HOME") or "~/.asterism").expanduser().absolute()
    machine.check_writable(home, "choose another state folder with ASTERISM_HOME, or make this one yours")
    machine.check_disk(home, SPACE_TO_RUN)
    machine.check_port(int(text))
    place = Place(int(text), home)
    place.logs.mkdir(exist_ok=True)
    return place


def lock(place: Place) -> int:
    """Take the state folder for this process until it ends; Refused where another Asterism has it."""
    handle = os.open(place.home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = os.read(handle, 20).decode() or "unknown"
        raise Refused(
            f"Asterism already runs on the state folder {place.home} (process {other}): "
            "stop it first, or choose another folder with ASTERISM_HOME."
        ) from None
    os.truncate(handle, 0)
    os.write(handle, str(os.getpid()).encode())
    return handle


def environment(place: Place, **variables: str) -> dict[str, str]:
    """What the parts are started with; values already in the environment win over `variables`."""
    return {**variables, **os.environ, "PORT": str(place.port), "ASTERISM_HOME": str(place.home)}


def outside_broker() -> str:
    """The broker named by the environment, or "" where one is to be started."""
    return os.environ.get("ASTERISM_BROKER_URL", "")

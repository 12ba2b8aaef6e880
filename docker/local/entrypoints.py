"""What each part of Asterism is started with: the one table behind `make run`, the images and the tests."""

from __future__ import annotations

from collections.abc import Mapping

# Part -> its command, as in an image. `python` stands for the interpreter that has the packages.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "migrate": ("python", "-m", "migrations"),
    "seed": ("python", "-m", "backend.seed"),
    "api": ("python", "-m", "backend"),
    "worker": ("python", "-m", "workers"),
}


def command(part: str, python: str = "python") -> tuple[str, ...]:
    """The command of a part, run by the given interpreter."""
    return (python, *COMMANDS[part][1:])


def worker(device: str, slots: int, python: str = "python") -> tuple[str, ...]:
    """The command of a worker that takes `slots` jobs at once for one kind of device ("cpu" or "gpu")."""
    return (*command("worker", python), "--device", device, "--slots", str(slots))

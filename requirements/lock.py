"""Write the locks: for each set of extras, every installed distribution it needs, pinned exact.

Run in a virtual environment that holds all the extras (`make install-test install-bench lock`). Only what is installed
is read, so a lock says exactly what the tests ran on, and no index address ends up in it.
"""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parent
# Lock -> the extras it covers. A lock lists everything it needs, so each stands alone.
LOCKS: dict[str, tuple[str, ...]] = {
    "web": ("web",),
    "worker": ("worker",),
    "run": ("web", "worker", "local"),
    "test": ("web", "worker", "local", "dev", "bench"),
    "bench": ("web", "worker", "local", "bench"),
}
# torch asks for setuptools without a bound, and releases before 84 clash with import-linter's tools.
ALWAYS = ("setuptools",)
# A torch made for GPUs asks for one exact version of these, which the lock must let it have.
LEFT_TO_TORCH = ("triton",)


def own_requirements(extras: tuple[str, ...]) -> list[Requirement]:
    """What pyproject.toml asks for, core and the given extras."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *ALWAYS]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    return [Requirement(text) for text in wanted]


def needed_by(requirement: Requirement) -> list[Requirement]:
    """What one installed distribution asks for, with the extras it was asked with, on this platform."""
    asked = [Requirement(text) for text in metadata.requires(requirement.name) or ()]
    environments = [{"extra": extra} for extra in ("", *requirement.extras)]
    return [r for r in asked if r.marker is None or any(r.marker.evaluate(env) for env in environments)]


def closure(requirements: list[Requirement]) -> dict[str, str]:
    """Name -> line of everything reachable; the local part of a version (`+cpu`) is left to the machine."""
    pins: dict[str, str] = {}
    seen: set[str] = set()
    queue = list(requirements)
    while queue:
        requirement = queue.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        name = canonicalize_name(requirement.name)
        exact = f"{name}=={re.sub(r'[+].*', '', metadata.version(name))}"
        pins[name] = str(requirement) if name in LEFT_TO_TORCH else exact
        queue += needed_by(requirement)
    return pins


def lines(pins: dict[str, str]) -> list[str]:
    """torch first, so that no other package can choose another one; the rest by name."""
    return [pins[name] for name in sorted(pins, key=lambda name: (name != "torch", name))]


def main() -> None:
    for lock, extras in LOCKS.items():
        head = f"# Written by `make lock` from pyproject.toml, extras: {', '.join(extras)}. Do not edit."
        (HERE / f"{lock}.lock").write_text("\n".join([head, *lines(closure(own_requirements(extras)))]) + "\n")
        print(f"requirements/{lock}.lock")


if __name__ == "__main__":
    main()

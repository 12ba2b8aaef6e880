"""What this machine has and lacks: interpreter, compiler, Node, disk, folders. Stdlib only."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from steps import Refused

PYTHON = (3, 11)
NODE = (20, 19)
GB = 10**9


def version_of(program: str, *arguments: str) -> tuple[int, ...]:
    """The first dotted number a program prints about itself; () where it is missing or broken."""
    try:
        told = subprocess.run([program, *(arguments or ("--version",))], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", told.stdout)
    return tuple(int(part) for part in found.groups("0")) if found else ()


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def check_python() -> str:
    """This interpreter (the Makefile saw to its version) can make virtual environments."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise Refused(
            "This Python lacks the venv module: install it (on Debian: apt install python3.11-venv)."
        ) from None
    return f"Python {sys.version.split()[0]}"


def check_compiler() -> str:
    """A C++ compiler that can link with OpenMP is there: kernels are generated as C++."""
    compiler = os.environ.get("CXX") or "g++"
    version = version_of(compiler, "-dumpfullversion")
    if not version:
        raise Refused(f"No C++ compiler ('{compiler}' does not run): install one (on Debian: apt install g++).")
    program = "#include <omp.h>\nint main(){return omp_get_max_threads()<1;}"
    built = subprocess.run(
        [compiler, "-x", "c++", "-fopenmp", "-fsyntax-only", "-"],
        input=program,
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        raise Refused(f"'{compiler}' lacks the C++ headers or OpenMP: install them (on Debian: apt install g++).")
    return f"{Path(compiler).name} {dotted(version)}"


def check_disk(folder: Path, needed: int) -> str:
    """`needed` bytes are free where `folder` is, or will be."""
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free = shutil.disk_usage(there).free
    if free < needed:
        raise Refused(
            f"The disk is full: {free / GB:.1f} GB are free for {folder}, {needed / GB:.1f} GB are needed. "
            "Free some space and run it again."
        )
    return f"{free / GB:.0f} GB free"


def check_writable(folder: Path, remedy: str) -> None:
    """`folder` can be made, and written into."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise Refused(f"The folder {folder} cannot be written ({(error.strerror or '').lower()}): {remedy}.") from None


def check_port(port: int) -> None:
    """Nobody listens on `port` yet."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise Refused(
                f"Port {port} cannot be used ({(error.strerror or '').lower()}): "
                f"stop what listens there, or choose another with 'PORT={port + 1 if port < 65535 else 8766} make run'."
            ) from None


def node_path() -> str | None:
    """Where a Node new enough, with npm, is on PATH; None where there is none."""
    node = shutil.which("node")
    return node if node and shutil.which("npm") and version_of(node) >= NODE else None

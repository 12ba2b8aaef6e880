"""A PostgreSQL server of the test run's own: own data folder, own port, durability off."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from processes import free_port, spawn, stop, wait_for_port

# Nothing here has to survive a power cut.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "max_connections=200")


class Unavailable(RuntimeError):
    """PostgreSQL cannot be had on this machine; the message says why."""


def find_binaries() -> Path:
    """The folder holding initdb and postgres: the newest of Debian's, else the one on PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    on_path = shutil.which("initdb")
    found = debian[-1] if debian else Path(on_path) if on_path else None
    if found is None:
        raise Unavailable("PostgreSQL is not installed (Debian's package: postgresql)")
    return found.parent


def server_user() -> int | None:
    """Whom the server runs as: it refuses root, so root borrows the account of Debian's package, or nobody's."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return names.get("postgres", names.get("nobody"))


def init(binaries: Path, data: Path, user: int | None) -> None:
    command = [str(binaries / "initdb"), "-D", str(data), "-U", "asterism", "-A", "trust", "-E", "UTF8", "--no-sync"]
    done = subprocess.run([*command, "--locale=C"], user=user, cwd="/", capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"initdb failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server; yields `postgresql+psycopg://asterism@127.0.0.1:PORT`, to which `/database` is added."""
    binaries, user = find_binaries(), server_user()
    data = Path(tempfile.mkdtemp(prefix="asterism-postgres-"))
    try:
        if user is not None:
            os.chown(data, user, -1)
        init(binaries, data / "data", user)
        with running(binaries, data, user) as port:
            yield f"postgresql+psycopg://asterism@127.0.0.1:{port}"
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def running(binaries: Path, data: Path, user: int | None) -> Iterator[int]:
    port = free_port()
    options = [f"port={port}", "listen_addresses=127.0.0.1", "unix_socket_directories=", *FAST]
    argv = [str(binaries / "postgres"), "-D", str(data / "data"), *(part for o in options for part in ("-c", o))]
    # INT is PostgreSQL's fast shutdown: it does not wait for clients that tests left connected.
    process = spawn(argv, cwd=Path("/"), log=data / "log", user=user, death_signal=signal.SIGINT)
    try:
        if not (wait_for_port(port, process, timeout_s=30) and answers(f"postgresql://asterism@127.0.0.1:{port}")):
            raise Unavailable(f"PostgreSQL did not start: {(data / 'log').read_text()[-500:]}")
        yield port
    finally:
        stop(process, grace_s=10, first=signal.SIGINT)


def answers(server: str, timeout_s: float = 30) -> bool:
    """Wait until a listening server has started up; it refuses connections with a word while it has not."""
    until = time.monotonic() + timeout_s
    while time.monotonic() < until:
        with contextlib.suppress(psycopg.OperationalError):
            run_sql(server, "SELECT 1")
            return True
        time.sleep(0.05)
    return False


def create_database(server: str, name: str, template: str = "template1") -> str:
    """Make a database, as a copy of `template`; returns its URL."""
    run_sql(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{server}/{name}"


def drop_database(server: str, name: str) -> None:
    """Remove a database, also where something is still connected."""
    run_sql(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def run_sql(server: str, statement: str) -> None:
    with psycopg.connect(f"{server.replace('+psycopg', '')}/postgres", autocommit=True) as connection:
        connection.execute(statement.encode())

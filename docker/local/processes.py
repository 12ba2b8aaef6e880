"""Child processes that cannot outlive the one that started them. Stdlib only."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# Loaded before any fork: a dlopen between fork and exec could meet a lock that another thread held.
LIBC = ctypes.CDLL(None, use_errno=True)


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose parent died, so that `descendants` still sees them (Linux only)."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    log: Path | None = None,
    stdin: bytes | None = None,
    user: int | None = None,
    death_signal: int = signal.SIGKILL,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own; it gets `death_signal` when the thread that called this ends.

    Output goes to the end of `log`, or nowhere. A session of its own keeps a Ctrl-C in the terminal from reaching it:
    the one who started it decides the order in which things stop. `stdin` must fit a pipe (64 KiB).
    """

    def die_with_parent() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)

    with log.open("ab") if log else contextlib.nullcontext(subprocess.DEVNULL) as output:
        process = subprocess.Popen(
            argv,
            env=dict(env) if env is not None else None,
            cwd=cwd,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=user,
            extra_groups=None if user is None else [],
            preexec_fn=die_with_parent,
        )
    if process.stdin is not None:
        process.stdin.write(stdin or b"")
        process.stdin.close()
    return process


def descendants(pid: int) -> Iterator[int]:
    """Every process below `pid`, children before grandchildren."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
                yield child
                yield from descendants(child)


def stop(process: subprocess.Popen[bytes], grace_s: float, first: int = signal.SIGTERM) -> int:
    """Ask a process to end, and kill it with all below it where it has not within `grace_s`. Returns its exit code."""
    stop_together([process], grace_s, first)
    return process.wait()


def stop_together(processes: Sequence[subprocess.Popen[bytes]], grace_s: float, first: int = signal.SIGTERM) -> None:
    """The same for several at once, which share the time."""
    below = [pid for process in processes for pid in descendants(process.pid)]
    for process in processes:
        if process.poll() is None:
            process.send_signal(first)
    until = time.monotonic() + grace_s
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, until - time.monotonic()))
    for process in processes:
        if process.poll() is None:
            below += descendants(process.pid)
            process.kill()
            process.wait()
    kill_all(below)


def reap(known: Collection[int]) -> None:
    """Let go of adopted orphans that have ended; `known` are the children someone else waits for."""
    for task in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, task.read_text().split()):
            if pid not in known:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)


def kill_all(pids: Sequence[int]) -> None:
    """KILL every process of the list that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def free_port(host: str = "127.0.0.1") -> int:
    """A TCP port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for_port(port: int, process: subprocess.Popen[bytes], timeout_s: float, host: str = "127.0.0.1") -> bool:
    """Wait until something accepts connections on `port`; False where `process` ended first or time ran out."""
    until = time.monotonic() + timeout_s
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
            return True
        time.sleep(0.02)
    return False

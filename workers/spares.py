"""Processes started ahead of the job they will run, so that a job does not wait for Python and torch to load.

A spare has imported everything and waits on its standard input for the name of an attempt. One that nobody needs costs
its memory (about 250 MB with torch) and nothing else; ASTERISM_SPARE_PROCESSES=0 does without.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress

from workers.core.numerics import told

# A job that has just started gets the processor to itself for a while before its spare is replaced.
QUIET_S = 5.0
# As long as a job's id and attempt: the process writes them over this, so that a list of processes shows the job.
PLACEHOLDER = "spare".ljust(40, "-")


class Spares:
    """Keeps `wanted` spares ready, from a thread of its own, for a worker that runs so many jobs side by side."""

    def __init__(self, wanted: int, jobs_at_once: int) -> None:
        self.wanted, self.jobs_at_once = wanted, jobs_at_once
        self._ready: deque[subprocess.Popen[str]] = deque()
        self._taken = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._refill, name="spares", daemon=True)

    def __enter__(self) -> Spares:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._taken.set()
        self._thread.join(timeout=10)
        for process in self._ready:
            process.kill()
            process.wait()

    def start(self, job_id: str, attempt: int) -> subprocess.Popen[str]:
        """A process that runs this attempt: a spare, or a new one when none is ready."""
        return self._take(job_id, attempt) or self._spawn(job_id, str(attempt))

    def _spawn(self, *words: str) -> subprocess.Popen[str]:
        """A runner in a session of its own. It dies with the thread that called this."""
        return subprocess.Popen(
            [sys.executable, "-m", "workers.runner", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            env=told(self.jobs_at_once) | os.environ.copy(),
        )

    def _take(self, job_id: str, attempt: int) -> subprocess.Popen[str] | None:
        while self._ready:
            process = self._ready.popleft()
            self._taken.set()
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.write(f"{job_id} {attempt}\n")
                process.stdin.close()
                if process.poll() is None:
                    return process
        return None

    def _refill(self) -> None:
        while not self._closing.is_set():
            self._taken.clear()
            while len(self._ready) < self.wanted and not self._closing.is_set():
                self._ready.append(self._spawn(PLACEHOLDER))
            self._taken.wait()
            self._closing.wait(QUIET_S)

"""A job's process and everything it started, as one process group."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import IO

KEPT_LINES = 60
LAST_WORDS = 3
LINE_CHARS = 400
# From this line on faulthandler, not the job, is speaking.
CRASH_REPORT = "Fatal Python error"


@dataclass
class Child:
    """One attempt running. Its standard output and error are read, so that its last words are known."""

    job_id: str
    attempt: int
    process: subprocess.Popen[str]
    _reader: threading.Thread = field(init=False)
    _last: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    _asked_at: float | None = None

    def __post_init__(self) -> None:
        assert self.process.stdout is not None
        if self.process.stdin is not None:
            self.process.stdin.close()
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            sys.stderr.write(line)
            # Structured log lines are for the operator; the last words are what a crash printed.
            if (text := line.strip()) and not text.startswith("{"):
                self._last.append(text[:LINE_CHARS])

    def wait(self, seconds: float) -> bool:
        """Whether the process has ended, waiting for it so long."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
            return True
        return False

    def terminate(self) -> None:
        """Ask it to stop at its next checkpoint."""
        self._asked_at = time.monotonic()
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)

    def kill_after(self, seconds: float) -> None:
        """Kill it with all it started, once it has been asked to stop that long ago."""
        if self._asked_at is not None and time.monotonic() - self._asked_at >= seconds:
            self.kill()

    def kill(self) -> None:
        """Kill every process of its group, also those it left behind."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def output(self) -> list[str]:
        """The last lines it printed. Call it when the process has ended and its group was killed."""
        self._reader.join(timeout=2)
        return list(self._last)


def last_words(output: list[str]) -> list[str]:
    """The last of what the job itself printed, without the crash report that Python adds."""
    own = list(takewhile(lambda line: not line.startswith(CRASH_REPORT), output))
    return own[-LAST_WORDS:]

"""Keep a few processes running: start them again when they end, stop them all in order at the end."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from processes import spawn, stop_together

# Seconds to wait before the first, second, ... start in a row; a part that ran for STEADY_S starts over.
BACKOFF_S = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
STEADY_S = 60.0
LOG_LIMIT = 10 * 2**20


@dataclass
class Part:
    """One process that is to run as long as the supervisor does."""

    name: str
    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: Path
    log: Path
    stdin: bytes | None = None
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    due: float | None = None

    def start(self, now: float) -> subprocess.Popen[bytes]:
        """Start it, its output at the end of its log."""
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".old.log"))
        self.process = spawn(self.argv, env=self.env, cwd=self.cwd, log=self.log, stdin=self.stdin)
        self.started, self.due = now, None
        return self.process


def last_words(log: Path) -> str:
    """The last line a part printed."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


@dataclass
class Supervisor:
    """Starts parts in the given order; the first is what the others stand on, and is stopped last."""

    say: Callable[[str], None]
    parts: list[Part] = field(default_factory=list)

    def add(self, part: Part) -> subprocess.Popen[bytes]:
        """Start a part and keep it running."""
        self.parts.append(part)
        return part.start(time.monotonic())

    @property
    def pids(self) -> set[int]:
        """The processes of the parts that run."""
        return {part.process.pid for part in self.parts if part.process is not None}

    def look(self) -> None:
        """Notice what ended, and start again what is due. Call it several times a second."""
        now = time.monotonic()
        for part in self.parts:
            if part.process is not None and part.process.poll() is not None:
                self.ended(part, part.process.returncode, now)
            elif part.due is not None and now >= part.due:
                part.start(now)

    def ended(self, part: Part, code: int, now: float) -> None:
        part.failures = 0 if now - part.started >= STEADY_S else part.failures
        pause = BACKOFF_S[min(part.failures, len(BACKOFF_S) - 1)]
        part.failures, part.due, part.process = part.failures + 1, now + pause, None
        how = f"signal {-code}" if code < 0 else f"code {code}"
        self.say(f"{part.name} ended ({how}): starting it again in {pause:g} s; its log is {part.log}")

    def stop(self, grace_s: float = 8.0) -> None:
        """End everything but the first part together, then that one, each with all that is below it."""
        processes = [part.process for part in self.parts if part.process is not None]
        stop_together(processes[1:], grace_s)
        stop_together(processes[:1], grace_s)

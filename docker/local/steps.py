"""One line a step, with progress; one sentence a failure. Stdlib only."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


class Refused(Exception):
    """Something on this machine is in the way; the message says what, and what to do about it."""


class Line:
    """The line of one step. On a terminal it is rewritten in place once a second, elsewhere only its end is printed."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.begun = time.monotonic()
        self.live = sys.stdout.isatty()
        self.note = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def show(self, note: str) -> None:
        """Say how far the step is."""
        self.note = note
        if self.live:
            print(f"\r\x1b[K{self.title}: {note} ({self.seconds:.0f} s)", end="", flush=True)

    def done(self, note: str) -> None:
        """End the line; the time is named where it was worth noticing."""
        took = f" ({self.seconds:.0f} s)" if self.seconds >= 1 else ""
        print(f"{chr(13) + chr(27) + '[K' if self.live else ''}{self.title}: {note}{took}", flush=True)

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Keep the seconds moving while something says nothing."""
        ended = threading.Event()

        def tick() -> None:
            while not ended.wait(1):
                self.show(self.note)

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def run_logged(
    argv: Sequence[str],
    log: Path,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    watch: Callable[[str], None] = lambda line: None,
) -> None:
    """Run a program, its output into `log` and line by line to `watch`. Raises Refused with its last words."""
    words = LastWords()
    with (
        log.open("w") as out,
        subprocess.Popen(
            argv, env=env, cwd=cwd, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process,
    ):
        for line in process.stdout or ():
            out.write(line)
            words.hear(line)
            watch(line)
    if process.returncode:
        raise Refused(f"'{' '.join(map(str, argv[:4]))} ...' failed: {words} (all of it: {log}).")


COLOUR = re.compile(r"\x1b\[[0-9;]*m")
DISK_FULL = "the disk is full"


class LastWords:
    """What a person should see of a program that failed: its first error, without a heading, else its last words."""

    def __init__(self) -> None:
        self.error = self.last = ""
        self.headed = False

    def hear(self, line: str) -> None:
        """Take one line of output."""
        text = COLOUR.sub("", line).strip()
        if not text:
            return
        self.last = text
        speaks = "error" in text.lower()
        if "No space left on device" in text:
            self.error = DISK_FULL
        elif text.endswith(":"):
            self.headed = self.headed or speaks
        elif not self.error and (speaks or self.headed):
            self.error = text

    def __str__(self) -> str:
        return self.error or self.last or "it said nothing"


def explain(error: OSError) -> str:
    """One sentence for what the operating system said."""
    if error.errno == errno.ENOSPC:
        return (
            f"The disk is full: free some space on the one that holds {error.filename or Path.cwd()} and run it again."
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{error.filename or Path.cwd()} cannot be written: change its owner or its permissions and run it again."
        )
    return f"{error.strerror or error}: {error.filename or ''}"


def main(body: Callable[[], int]) -> int:
    """Run a command line; failures of the machine become one sentence and exit code 1, never a traceback."""
    try:
        return body()
    except Refused as refusal:
        print(f"\nasterism: {refusal}", file=sys.stderr)
    except OSError as error:
        print(f"\nasterism: {explain(error)}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nasterism: stopped.", file=sys.stderr)
        return 130
    return 1

"""One contender's run as its job sees it: a fresh process that is told what to train, and what it says of itself."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from pydantic import BaseModel

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.training.comparison.contest import Contest, S

LOOK_S = 0.5  # how often a silent contender's job is asked whether it was cancelled
KEPT_LINES = 20
F = TypeVar("F", bound=BaseModel)


@dataclass(frozen=True)
class Heat(Generic[F]):
    """What came out. Without figures, `note` says why."""

    version: str
    note: str
    figures: F | None


def share_data(folder: Path, dataset: str, data: GraphData | HeteroData) -> None:
    """Put the dataset where every contender of `folder` finds it."""
    dataset_store.save(DirFileSystem(str(folder), LocalFileSystem()), dataset, data)


@dataclass
class Runner:
    """A contender that trains turn by turn. `title` is of its lines in the log, `last` what it said last."""

    title: str
    epochs: int
    channel: Channel
    process: subprocess.Popen[str]
    errors: deque[str]
    lines: Iterator[dict[str, Any]]
    last: dict[str, Any] = field(default_factory=dict)

    def turn(self) -> None:
        """Have it train until it rests or ends. Raises JobCancelled when the job was cancelled."""
        if "rest" in self.last:
            self._wake()
        for said in self.lines:
            self.last = said
            self.channel.progress(said.get("epoch", self.epochs), self.epochs, f"epochs of {self.title}")
            if "rest" in said:
                return

    def heat(self, figures: type[F]) -> Heat[F]:
        """What came out, when its last turn is over."""
        code = self.process.wait()
        if code or "figures" not in self.last:
            return self._failed(code)
        return Heat(self.last["version"], "", figures.model_validate(self.last["figures"]))

    def _wake(self) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended, and its lines too
            self.process.stdin.write("\n")
            self.process.stdin.flush()

    def _failed(self, code: int) -> Heat[F]:
        words = self.errors[-1] if self.errors else f"exit code {code}"
        self.channel.log("\n".join([f"comparison: {self.title} failed", *self.errors]), "warning")
        return Heat("", f"{self.title} stopped: {words}"[:500], None)


@contextmanager
def started(folder: Path, name: str, title: str, contest: Contest[S], channel: Channel) -> Iterator[Runner]:
    """A contender in a process of its own, killed if it is left. `name` is of its files in `folder`."""
    (folder / f"{name}.json").write_text(contest.model_dump_json())
    with _process(folder, name, contest) as (process, errors):
        yield Runner(title, contest.epochs, channel, process, errors, _lines(process, channel))


def difference(folder: Path, name: str, other: str) -> float | None:
    """The largest difference of two contenders' scores before training; None where one did not come so far."""
    ours, theirs = (folder / f"{n}.npy" for n in (name, other))
    if not (ours.exists() and theirs.exists()):
        return None
    return float(np.abs(np.load(ours) - np.load(theirs)).max())


@contextmanager
def _process(folder: Path, name: str, contest: Contest[S]) -> Iterator[tuple[subprocess.Popen[str], deque[str]]]:
    """A contender's process, killed if it is left; the newest lines of its standard error."""
    process = subprocess.Popen(
        [sys.executable, "-m", contest.contender, str(folder), name, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=_environment(contest.threads),
    )
    assert process.stderr is not None
    errors: deque[str] = deque(maxlen=KEPT_LINES)
    reader = threading.Thread(target=lambda: errors.extend(x.rstrip() for x in process.stderr or () if x.strip()))
    reader.start()
    try:
        yield process, errors
    finally:
        process.kill()
        process.wait()
        reader.join()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def _environment(threads: int) -> dict[str, str]:
    """The same for all, and what the job was told itself."""
    return {**os.environ.copy(), "OMP_NUM_THREADS": str(threads), "DGLBACKEND": "pytorch"}


def _lines(process: subprocess.Popen[str], channel: Channel) -> Iterator[dict[str, Any]]:
    """What the contender says, until it closes its output. Raises JobCancelled when the job was cancelled."""
    found: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_forward, args=(process, found), daemon=True)
    reader.start()
    while True:
        channel.checkpoint()
        try:
            line = found.get(timeout=LOOK_S)
        except queue.Empty:
            continue
        if line is None:
            return
        if line.startswith("{"):
            yield json.loads(line)


def _forward(process: subprocess.Popen[str], found: queue.SimpleQueue[str | None]) -> None:
    for line in process.stdout or ():
        found.put(line)
    found.put(None)

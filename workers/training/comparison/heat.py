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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.core.numerics import told
from workers.training.comparison.contest import Contest, S
from workers.training.comparison.outcome import ComparedFigures

LOOK_S = 0.5  # how often a silent contender's job is asked whether it was cancelled
KEPT_LINES = 20


@dataclass(frozen=True)
class Heat:
    """What came out. Without figures, `note` says why."""

    version: str
    note: str
    figures: ComparedFigures | None


def share_data(folder: Path, dataset: str, data: GraphData | HeteroData) -> None:
    """Put the dataset where every contender of `folder` finds it."""
    dataset_store.save(DirFileSystem(str(folder), LocalFileSystem()), dataset, data)


def run_heat(folder: Path, name: str, title: str, contest: Contest[S], channel: Channel) -> Heat:
    """Train as `contest` says, in a process of its own. `name` is of its files, `title` of its lines in the log."""
    (folder / f"{name}.json").write_text(contest.model_dump_json())
    last: dict[str, Any] = {}
    with _process(folder, name, contest) as (process, errors):
        for said in _lines(process, channel):
            last = said
            channel.progress(said.get("epoch", contest.epochs), contest.epochs, f"epochs of {title}")
        code = process.wait()
    if code or "figures" not in last:
        return _failed(title, code, list(errors), channel)
    figures = ComparedFigures.model_validate(last["figures"])
    channel.log(f"comparison: {title} takes {1e3 * figures.epoch_s:.2f} ms an epoch")
    return Heat(last["version"], "", figures)


def difference(folder: Path, name: str, other: str) -> float | None:
    """The largest difference of two contenders' scores before training; None where one did not come so far."""
    ours, theirs = (folder / f"{n}.npy" for n in (name, other))
    if not (ours.exists() and theirs.exists()):
        return None
    return float(np.abs(np.load(ours) - np.load(theirs)).max())


def _failed(title: str, code: int, errors: list[str], channel: Channel) -> Heat:
    words = errors[-1] if errors else f"exit code {code}"
    channel.log("\n".join([f"comparison: {title} failed", *errors]), "warning")
    return Heat("", f"{title} stopped: {words}"[:500], None)


@contextmanager
def _process(folder: Path, name: str, contest: Contest[S]) -> Iterator[tuple[subprocess.Popen[str], deque[str]]]:
    """A contender's process, killed if it is left; the newest lines of its standard error."""
    process = subprocess.Popen(
        [sys.executable, "-m", contest.contender, str(folder), name, str(os.getpid())],
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
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _environment(threads: int) -> dict[str, str]:
    """The same for all, and as jobs have it: threads that wait sleep, since others use the machine too."""
    return {**os.environ.copy(), **told(), "OMP_NUM_THREADS": str(threads), "DGLBACKEND": "pytorch"}


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

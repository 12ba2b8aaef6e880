"""Runs the contenders of a job one after the other, each in a fresh process, and brings their figures together."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.spares import WAITING
from workers.systems.seastar.comparison.contest import Contest
from workers.systems.seastar.comparison.counterparts import MODULES, PACKAGES, TITLES, System, lacking
from workers.systems.seastar.comparison.outcome import ComparedFigures, ComparedRun, Comparison
from workers.systems.seastar.spec import SeastarSpec
from workers.zoo.validate import validate

CONTENDER = "workers.systems.seastar.comparison.contender"
LOOK_S = 0.5  # how often a silent contender's job is asked whether it was cancelled
KEPT_LINES = 20


def compare(spec: SeastarSpec, channel: Channel, data: GraphData, epochs: int, threads: int) -> Comparison:
    """Asterism and every system that the job names, over the same epochs. What cannot run says why in its note."""
    systems: tuple[System, ...] = ("asterism", *dict.fromkeys(spec.compare))
    with tempfile.TemporaryDirectory(prefix="asterism-compare-") as name:
        folder = Path(name)
        contest = Contest(spec=spec, epochs=epochs, threads=threads)
        (folder / "contest.json").write_text(contest.model_dump_json())
        dataset_store.save(DirFileSystem(str(folder), LocalFileSystem()), spec.dataset, data)
        runs = [_run(folder, system, contest, channel, data) for system in systems]
        return Comparison(epochs=epochs, threads=threads, runs=tuple(_compared(folder, r) for r in runs))


def obstacle(spec: SeastarSpec, system: System, data: GraphData) -> str:
    """Why a system cannot run the job's model here; empty when it can."""
    if system not in PACKAGES:
        return ""
    if find_spec(MODULES[system]) is None:
        return f"{TITLES[system]} is not installed here: pip install {PACKAGES[system]}"
    info = dataset_store.describe(spec.dataset, data)
    checked = validate(spec.model, info)
    missing = lacking((s for s in checked.steps if s.node.id in checked.used), system, info.directed)
    return f"{TITLES[system]} has no counterpart of {', '.join(missing)}" if missing else ""


def _run(folder: Path, system: System, contest: Contest, channel: Channel, data: GraphData) -> ComparedRun:
    note = obstacle(contest.spec, system, data)
    if note:
        channel.log(f"comparison: {note}", "warning")
        return ComparedRun(system=system, version="", note=note, figures=None)
    channel.log(f"comparison: {TITLES[system]}, {contest.epochs} epochs on {contest.threads} threads")
    last: dict[str, Any] = {}
    with _process(folder, system, contest.threads) as (process, errors):
        for said in _lines(process, channel):
            last = said
            channel.progress(said.get("epoch", contest.epochs), contest.epochs, f"epochs of {TITLES[system]}")
        code = process.wait()
    if code or "figures" not in last:
        return _failed(system, code, list(errors), channel)
    figures = ComparedFigures.model_validate(last["figures"])
    channel.log(f"comparison: {TITLES[system]} takes {1e3 * figures.epoch_s:.2f} ms an epoch")
    return ComparedRun(system=system, version=last["version"], note="", figures=figures)


def _failed(system: System, code: int, errors: list[str], channel: Channel) -> ComparedRun:
    words = errors[-1] if errors else f"exit code {code}"
    channel.log("\n".join([f"comparison: {TITLES[system]} failed", *errors]), "warning")
    return ComparedRun(system=system, version="", note=f"{TITLES[system]} stopped: {words}"[:500], figures=None)


@contextmanager
def _process(folder: Path, system: System, threads: int) -> Iterator[tuple[subprocess.Popen[str], deque[str]]]:
    """A contender's process, killed if it is left; the newest lines of its standard error."""
    process = subprocess.Popen(
        [sys.executable, "-m", CONTENDER, str(folder), system, str(os.getpid())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=_environment(threads),
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
    return {**os.environ.copy(), **WAITING, "OMP_NUM_THREADS": str(threads), "DGLBACKEND": "pytorch"}


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


def _compared(folder: Path, run: ComparedRun) -> ComparedRun:
    """With the largest difference of its scores from Asterism's, where both ran."""
    ours, theirs = folder / "asterism.npy", folder / f"{run.system}.npy"
    if run.figures is None or run.system == "asterism" or not ours.exists():
        return run
    difference = float(np.abs(np.load(ours) - np.load(theirs)).max())
    return run.model_copy(update={"figures": run.figures.model_copy(update={"difference": difference})})

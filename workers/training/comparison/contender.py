"""`python -m MODULE FOLDER NAME PARENT`: one run in a process of its own, where a kind's MODULE calls `contend`.

FOLDER holds its contest, `NAME.json`, and the dataset. The scores before training go to `NAME.npy`, what happens to
standard output, one JSON object a line: `{"epoch": 3}` now and then, `{"figures": {...}, "version": ...}` at
the end.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fsspec import AbstractFileSystem
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.training.comparison.contest import Contest, S
from workers.training.comparison.outcome import ComparedFigures
from workers.training.comparison.race import Lap, race
from workers.training.comparison.racers import D, Racers
from workers.training.comparison.systems import PACKAGES

_PR_SET_PDEATHSIG = 1
SAY_S = 0.25  # least time between two lines about progress


def contend(contests: type[Contest[S]], load: Callable[[AbstractFileSystem, str], D], racers: Racers[S, D]) -> None:
    """Run the contender that the command line names. `load` reads the dataset into memory."""
    folder, name, parent = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    _die_with(parent)
    contest = contests.model_validate_json((folder / f"{name}.json").read_text())
    settings = contest.spec.training
    torch.set_num_threads(contest.threads)
    torch.manual_seed(settings.seed)
    data = load(DirFileSystem(str(folder), LocalFileSystem()), contest.spec.dataset)
    lap = race(racers.make(contest.system, contest.spec, data), settings, contest.epochs, _Progress())
    np.save(folder / f"{name}.npy", lap.before.numpy())
    package = PACKAGES.get(contest.system)
    _say(figures=figures(lap, len(data.src)).model_dump(), version=version(package) if package else "")


def figures(lap: Lap, arcs: int) -> ComparedFigures:
    """What was measured as the job's result has it; the difference is known to who sees both."""
    return ComparedFigures(
        setup_s=lap.setup_s,
        first_epoch_s=lap.epoch_s[0],
        epoch_s=lap.usual_epoch_s,
        epochs_per_s=1 / lap.usual_epoch_s,
        edges_per_s=arcs / lap.usual_epoch_s,
        peak_memory_bytes=lap.peak_memory_bytes,
        launches=sum(step.calls for step in lap.record.steps.values()) or None,
        kept_bytes=sum(lap.record.saved_bytes.values()) if lap.record.steps else None,
        test_accuracy=lap.scores[len(lap.epoch_s)]["test"]["accuracy"],
        difference=None,
        curve=lap.curve(),
    )


class _Progress:
    """Says which epoch is done, a few times a second at most."""

    def __init__(self) -> None:
        self.said = 0.0

    def __call__(self, epoch: int) -> None:
        if (now := time.monotonic()) - self.said >= SAY_S:
            self.said = now
            _say(epoch=epoch)


def _say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def _die_with(parent: int) -> None:
    """Have the kernel end this process when the job's ends; and see to the case that it ended just before."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the job is gone")

"""`python -m workers.systems.seastar.comparison.contender FOLDER NAME PARENT`: one run, in a process of its own.

FOLDER holds its contest, `NAME.json`, and the dataset. The scores before training go to `NAME.npy`, what happens to
standard output, one JSON object a line: `{"epoch": 3}` now and then and `{"run": {...}}` at the end.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.core import dataset_store
from workers.systems.seastar.comparison.contest import Contest
from workers.systems.seastar.comparison.counterparts import PACKAGES
from workers.systems.seastar.comparison.outcome import ComparedFigures
from workers.systems.seastar.comparison.race import Lap, race
from workers.systems.seastar.comparison.racers import make_racer

_PR_SET_PDEATHSIG = 1
SAY_S = 0.25  # least time between two lines about progress


def main(folder: Path, name: str) -> None:
    contest = Contest.model_validate_json((folder / f"{name}.json").read_text())
    settings = contest.spec.training
    torch.set_num_threads(contest.threads)
    torch.manual_seed(settings.seed)
    data = dataset_store.load(DirFileSystem(str(folder), LocalFileSystem()), contest.spec.dataset)
    lap = race(make_racer(contest.system, contest.spec, data), settings, contest.epochs, _Progress())
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


if __name__ == "__main__":
    _die_with(int(sys.argv[3]))
    main(Path(sys.argv[1]), sys.argv[2])

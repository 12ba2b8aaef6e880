"""`python -m MODULE FOLDER NAME PARENT`: one run in a process of its own, where a kind's MODULE calls `contend`.

FOLDER holds its contest, `NAME.json`, and the dataset. The scores before training go to `NAME.npy`, what happens to
standard output, one JSON object a line: `{"epoch": 3}` now and then, `{"epoch": 10, "rest": true}` when it waits for a
line on standard input, `{"figures": {...}, "version": ...}` at the end.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from fsspec import AbstractFileSystem
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from workers.training.comparison.contest import Contest, PairContest, S
from workers.training.comparison.duel import duel
from workers.training.comparison.outcome import ComparedFigures
from workers.training.comparison.race import Lap, race
from workers.training.comparison.racers import D, Racers
from workers.training.comparison.systems import PACKAGES

_PR_SET_PDEATHSIG = 1
SAY_S = 0.25  # least time between two lines about progress
C = TypeVar("C", bound=Contest[Any])
Load = Callable[[AbstractFileSystem, str], D]
"""Reads a dataset into memory."""


@dataclass(frozen=True)
class _Entry(Generic[C, D]):
    """What the process was told, its dataset, and its files' name without an ending."""

    contest: C
    data: D
    path: Path


def contend(contests: type[Contest[S]], load: Load[D], racers: Racers[S, D]) -> None:
    """Run the contender that the command line names."""
    entry = _enter(contests, load)
    contest, data = entry.contest, entry.data
    racer = racers.make(contest.system, contest.spec, data)
    lap = race(racer, contest.spec.training, contest.epochs, _Progress(contest.rests))
    np.save(entry.path.with_suffix(".npy"), lap.before.numpy())
    package = PACKAGES.get(contest.system)
    _say(figures=figures(lap, len(data.src)).model_dump(), version=version(package) if package else "")


def contend_in_pairs(contests: type[PairContest[S]], load: Load[D], racers: Racers[S, D]) -> None:
    """Run the pair that the command line names."""
    entry = _enter(contests, load)
    contest, data = entry.contest, entry.data
    studied, against = (partial(racers.ours, spec, data) for spec in (contest.spec, contest.against))
    bout = duel(studied, against, contest.spec.training, contest.epochs, _Progress())
    _say(figures=bout.model_dump(), version="")


def figures(lap: Lap, arcs: int) -> ComparedFigures:
    """What was measured as the job's result has it; the difference is known to who sees both."""
    return ComparedFigures(
        setup_s=lap.setup_s,
        first_epoch_s=lap.epoch_s[0],
        epoch_s=lap.usual_epoch_s,
        epochs_per_s=1 / lap.usual_epoch_s,
        edges_per_s=arcs / lap.usual_epoch_s,
        peak_memory_bytes=lap.peak_memory_bytes,
        launches=lap.launches,
        kept_bytes=lap.kept_bytes,
        test_accuracy=lap.scores[len(lap.epoch_s)]["test"]["accuracy"],
        difference=None,
        curve=lap.curve(),
    )


class _Progress:
    """Says which epoch is done, a few times a second at most; waits after those in `rests`."""

    def __init__(self, rests: Collection[int] = ()) -> None:
        self.rests, self.said = frozenset(rests), 0.0

    def __call__(self, epoch: int) -> None:
        if epoch in self.rests:
            _say(epoch=epoch, rest=True)
            sys.stdin.readline()
        elif (now := time.monotonic()) - self.said >= SAY_S:
            self.said = now
            _say(epoch=epoch)


def _enter(contests: type[C], load: Load[D]) -> _Entry[C, D]:
    """Read what the command line names, and set the process up for it."""
    folder, name, parent = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    _die_with(parent)
    contest = contests.model_validate_json((folder / f"{name}.json").read_text())
    torch.set_num_threads(contest.threads)
    torch.manual_seed(contest.spec.training.seed)
    data = load(DirFileSystem(str(folder), LocalFileSystem()), contest.spec.dataset)
    return _Entry(contest, data, folder / name)


def _say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def _die_with(parent: int) -> None:
    """Have the kernel end this process when the job's ends; and see to the case that it ended just before."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the job is gone")

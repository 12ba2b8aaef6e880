"""Runs the contenders of a job one after the other, each in a fresh process, and brings their figures together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.training.comparison.contest import Contest, S
from workers.training.comparison.counterparts import Counterparts, lacking
from workers.training.comparison.heat import difference, run_heat, share_data
from workers.training.comparison.outcome import ComparedRun, Comparison
from workers.training.comparison.systems import MODULES, PACKAGES, TITLES, Contender, System
from workers.zoo.validate import validate

Data = GraphData | HeteroData


def compare(
    contest: Contest[S], others: Iterable[Contender], counterparts: Counterparts, channel: Channel, data: Data
) -> Comparison:
    """The contest and every system of `others` over the same epochs. What cannot run says why in its note."""
    contests = [contest, *(contest.model_copy(update={"system": other}) for other in dict.fromkeys(others))]
    with tempfile.TemporaryDirectory(prefix="asterism-compare-") as name:
        folder = Path(name)
        share_data(folder, contest.spec.dataset, data)
        notes = [obstacle(one, counterparts, data) for one in contests]
        runs = [_run(folder, one, note, channel) for one, note in zip(contests, notes, strict=True)]
        found = tuple(_compared(folder, contest.system, run) for run in runs)
        return Comparison(epochs=contest.epochs, threads=contest.threads, runs=found)


def obstacle(contest: Contest[S], counterparts: Counterparts, data: Data) -> str:
    """Why the contest's system cannot run its model here; empty when it can."""
    system, spec = contest.system, contest.spec
    if system not in PACKAGES:
        return ""
    if find_spec(MODULES[system]) is None:
        return f"{TITLES[system]} is not installed here: pip install {PACKAGES[system]}"
    info = dataset_store.describe(spec.dataset, data)
    checked = validate(spec.model, info)
    used = (s for s in checked.steps if s.node.id in checked.used)
    missing = lacking(counterparts, used, system, info.directed)
    return f"{TITLES[system]} has no counterpart of {', '.join(missing)}" if missing else ""


def _run(folder: Path, contest: Contest[S], note: str, channel: Channel) -> ComparedRun:
    system = contest.system
    if note:
        channel.log(f"comparison: {note}", "warning")
        return ComparedRun(system=system, version="", note=note, figures=None)
    threads = "1 thread" if contest.threads == 1 else f"{contest.threads} threads"
    channel.log(f"comparison: {TITLES[system]}, {contest.epochs} epochs on {threads}")
    heat = run_heat(folder, system, TITLES[system], contest, channel)
    return ComparedRun(system=system, version=heat.version, note=heat.note, figures=heat.figures)


def _compared(folder: Path, ours: System, run: ComparedRun) -> ComparedRun:
    """With the largest difference of its scores from ours, where both ran."""
    if run.figures is None or run.system == ours:
        return run
    figures = run.figures.model_copy(update={"difference": difference(folder, ours, run.system)})
    return run.model_copy(update={"figures": figures})

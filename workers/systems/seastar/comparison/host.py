"""Runs the contenders of a job one after the other, each in a fresh process, and brings their figures together."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.systems.seastar.comparison.contest import Contest
from workers.systems.seastar.comparison.counterparts import MODULES, PACKAGES, TITLES, System, lacking
from workers.systems.seastar.comparison.heat import difference, run_heat, share_data
from workers.systems.seastar.comparison.outcome import ComparedRun, Comparison
from workers.systems.seastar.spec import SeastarSpec
from workers.zoo.validate import validate


def compare(spec: SeastarSpec, channel: Channel, data: GraphData, epochs: int, threads: int) -> Comparison:
    """Asterism and every system that the job names, over the same epochs. What cannot run says why in its note."""
    systems: tuple[System, ...] = ("asterism", *dict.fromkeys(spec.compare))
    contests = {s: Contest(system=s, spec=spec, epochs=epochs, threads=threads) for s in systems}
    with tempfile.TemporaryDirectory(prefix="asterism-compare-") as name:
        folder = Path(name)
        share_data(folder, contests["asterism"], data)
        runs = [_run(folder, contest, channel, data) for contest in contests.values()]
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


def _run(folder: Path, contest: Contest, channel: Channel, data: GraphData) -> ComparedRun:
    system = contest.system
    note = obstacle(contest.spec, system, data)
    if note:
        channel.log(f"comparison: {note}", "warning")
        return ComparedRun(system=system, version="", note=note, figures=None)
    threads = "1 thread" if contest.threads == 1 else f"{contest.threads} threads"
    channel.log(f"comparison: {TITLES[system]}, {contest.epochs} epochs on {threads}")
    heat = run_heat(folder, system, TITLES[system], contest, channel)
    return ComparedRun(system=system, version=heat.version, note=heat.note, figures=heat.figures)


def _compared(folder: Path, run: ComparedRun) -> ComparedRun:
    """With the largest difference of its scores from Asterism's, where both ran."""
    if run.figures is None or run.system == "asterism":
        return run
    figures = run.figures.model_copy(update={"difference": difference(folder, "asterism", run.system)})
    return run.model_copy(update={"figures": figures})

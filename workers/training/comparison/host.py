"""Runs the contenders of a job in turn, each in a fresh process, and brings their figures together.

Contenders that wait for their turn keep data and weights. Where there is no room for all of them, one trains to its end
before the next starts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from importlib.util import find_spec
from pathlib import Path

import psutil

from workers.core import dataset_store
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.training.comparison.contest import Contest, S
from workers.training.comparison.counterparts import Counterparts, lacking
from workers.training.comparison.heat import Heat, Runner, difference, share_data, started
from workers.training.comparison.outcome import ComparedFigures, ComparedRun, Comparison
from workers.training.comparison.systems import MODULES, PACKAGES, TITLES, Contender, System
from workers.training.comparison.turns import rests, turns
from workers.zoo.validate import validate

Data = GraphData | HeteroData
Heats = dict[System, Heat[ComparedFigures]]


def compare(
    contest: Contest[S], others: Iterable[Contender], counterparts: Counterparts, channel: Channel, data: Data
) -> Comparison:
    """The contest and every system of `others` over the same epochs. What cannot run says why in its note."""
    contests = [contest, *(contest.model_copy(update={"system": other}) for other in dict.fromkeys(others))]
    with tempfile.TemporaryDirectory(prefix="asterism-compare-") as name:
        folder = Path(name)
        share_data(folder, contest.spec.dataset, data)
        notes = {one.system: obstacle(one, counterparts, data) for one in contests}
        for note in filter(None, notes.values()):
            channel.log(f"comparison: {note}", "warning")
        heats = _heats(folder, [one for one in contests if not notes[one.system]], channel)
        runs = (_run(system, note, heats) for system, note in notes.items())
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


def _heats(folder: Path, contests: Sequence[Contest[S]], channel: Channel) -> Heats:
    groups = [contests] if _room_for(len(contests)) else [[one] for one in contests]
    return {system: heat for group in groups for system, heat in _in_turn(folder, group, channel).items()}


def _room_for(contenders: int) -> bool:
    """Whether so many processes like this one, which has trained the same model on the same data, fit into memory."""
    held: int = psutil.Process().memory_info().rss
    return contenders * held <= psutil.virtual_memory().available


def _in_turn(folder: Path, contests: Sequence[Contest[S]], channel: Channel) -> Heats:
    """All of them, a block of epochs each in turn; one alone does not rest."""
    breaks = rests(contests[0].epochs) if len(contests) > 1 else ()
    runners: dict[System, Runner] = {}
    with ExitStack() as running:
        for place in turns(len(contests), len(breaks) + 1):
            contest = contests[place].model_copy(update={"rests": breaks})
            if contest.system not in runners:
                runners[contest.system] = running.enter_context(_started(folder, contest, channel))
            runners[contest.system].turn()
        heats = {system: runner.heat(ComparedFigures) for system, runner in runners.items()}
    for system, heat in heats.items():
        if heat.figures:
            channel.log(f"comparison: {TITLES[system]} takes {1e3 * heat.figures.epoch_s:.2f} ms an epoch")
    return heats


def _started(folder: Path, contest: Contest[S], channel: Channel) -> AbstractContextManager[Runner]:
    threads = "1 thread" if contest.threads == 1 else f"{contest.threads} threads"
    blocks = f" in {len(contest.rests) + 1} turns" if contest.rests else ""
    title = TITLES[contest.system]
    channel.log(f"comparison: {title}, {contest.epochs} epochs on {threads}{blocks}")
    return started(folder, contest.system, title, contest, channel)


def _run(system: System, note: str, heats: Heats) -> ComparedRun:
    if note:
        return ComparedRun(system=system, version="", note=note, figures=None)
    heat = heats[system]
    return ComparedRun(system=system, version=heat.version, note=heat.note, figures=heat.figures)


def _compared(folder: Path, ours: System, run: ComparedRun) -> ComparedRun:
    """With the largest difference of its scores from ours, where both ran."""
    if run.figures is None or run.system == ours:
        return run
    figures = run.figures.model_copy(update={"difference": difference(folder, ours, run.system)})
    return run.model_copy(update={"figures": figures})

"""What each pass of the compiler is worth: the job's model trained again with one of them off at a time.

1. Plan the model's programs with each pass off. A pass without which the plan is the same changes nothing: no run.
2. Train with all passes on, then with one off at a time, then with all off, each in a fresh process.
3. Train with all on once more. By how much the two differ says how much of a difference is noise.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.plan import Plan, make_plan
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.systems.seastar.comparison import contender
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.contest import Contest
from workers.training.comparison.heat import Heat, run_heat, share_data
from workers.training.comparison.outcome import ComparedFigures, PassFigures, PassRun, PassStudy
from workers.training.task import as_entries, build
from workers.zoo.layer_modules import ProgramLayer
from workers.zoo.module import ModelModule

NONE, ALL = "", "all"


@dataclass(frozen=True)
class _Study:
    folder: Path
    contest: Contest[SeastarSpec]
    channel: Channel
    total: int

    def heat(self, place: int, off: str) -> Heat:
        """Run number `place`, with the passes named by `off` left out."""
        title = _title(off)
        self.channel.log(f"comparison: {title}, run {place + 1} of {self.total}")
        contest = self.contest.model_copy(update={"spec": without(self.contest.spec, off)})
        return run_heat(
            self.folder, f"run{place}", f"{title} ({place + 1} of {self.total} runs)", contest, self.channel
        )


def study(spec: SeastarSpec, channel: Channel, data: GraphData, threads: int) -> PassStudy:
    """Runs as `spec.pass_study` asks. A pass that the job leaves out anyway is not studied."""
    asked = spec.pass_study
    assert asked is not None, "only called where it is asked for"
    wanted = [p for p in dict.fromkeys(asked.passes or SWITCHES) if p not in spec.compiler.passes_off]
    changing = set(effective(spec, data, wanted))
    order = (NONE, *(p for p in wanted if p in changing), ALL)
    contest = Contest[SeastarSpec](
        contender=contender.__name__, system="asterism", spec=spec, epochs=asked.epochs, threads=threads
    )
    with tempfile.TemporaryDirectory(prefix="asterism-passes-") as name:
        running = _Study(Path(name), contest, channel, len(order) + 1)
        share_data(running.folder, spec.dataset, data)
        heats = {off: running.heat(place, off) for place, off in enumerate(order)}
        again = running.heat(len(order), NONE)
    usual = heats[NONE].figures
    runs = [_run(off, heats.get(off), usual) for off in (NONE, *wanted, ALL)]
    return PassStudy(epochs=asked.epochs, threads=threads, spread_s=_spread(usual, again.figures), runs=tuple(runs))


def without(spec: SeastarSpec, off: str) -> SeastarSpec:
    """The job with the passes that `off` stands for left out as well."""
    more = {NONE: (), ALL: SWITCHES}.get(off, (off,))
    passes = tuple(dict.fromkeys((*spec.compiler.passes_off, *more)))
    return spec.model_copy(update={"compiler": spec.compiler.model_copy(update={"passes_off": passes})})


def effective(spec: SeastarSpec, data: GraphData, passes: Iterable[str]) -> Iterator[str]:
    """Those of `passes` without which something is generated otherwise for this model on this data."""
    module = build(spec, data, sparse=as_entries(spec))
    usual = _plans(module, frozenset(spec.compiler.passes_off))
    for name in passes:
        if _plans(module, frozenset((*spec.compiler.passes_off, name))) != usual:
            yield name


def _plans(module: ModelModule, off: frozenset[str]) -> list[object]:
    """What is generated for every program: for evaluation, for the first layer, and for a layer after others."""
    return [
        _generated(make_plan(layer.program, wrt, off, memory=layer.choices.memory, graph=layer.choices.graph_size))
        for layer in module.program_layers.values()
        for wrt in _gradients(layer)
    ]


def _gradients(layer: ProgramLayer) -> Iterator[tuple[str, ...]]:
    params, inputs = (tuple(layer.program.leaves(op)) for op in ("param", "input"))
    yield from ((), params, (*inputs, *params))


def _generated(plan: Plan) -> object:
    """A plan without the record of how it came about."""
    return plan.outputs, plan.gradients, plan.saved, plan.forward, plan.backward


def _title(off: str) -> str:
    return {NONE: "all passes on", ALL: "all passes off"}.get(off, f"{off} off")


def _run(off: str, heat: Heat | None, usual: ComparedFigures | None) -> PassRun:
    if heat is None:
        return PassRun(off=off, changes=False, note="", figures=None)
    found = heat.figures
    note = heat.note or ("" if usual else "the run with all passes on failed")
    figures = _figures(found, usual) if found and usual else None
    return PassRun(off=off, changes=True, note=note, figures=figures)


def _figures(found: ComparedFigures, usual: ComparedFigures) -> PassFigures:
    losses = zip(found.curve.train_loss, usual.curve.train_loss, strict=True)
    return PassFigures(
        epoch_s=found.epoch_s,
        peak_memory_bytes=found.peak_memory_bytes,
        launches=found.launches or 0,
        kept_bytes=found.kept_bytes or 0,
        loss_apart=max(abs(a - b) / max(abs(b), 1e-12) for a, b in losses),
    )


def _spread(first: ComparedFigures | None, last: ComparedFigures | None) -> float:
    return abs(first.epoch_s - last.epoch_s) if first and last else 0.0

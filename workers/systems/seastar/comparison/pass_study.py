"""What each pass of the compiler is worth: the job's model trained with one of them off, beside the same with all on.

1. Plan the model's programs with each pass off. A pass without which the plan is the same changes nothing: no run.
2. In a fresh process for each of the others, and for all off, train that and all on, an epoch each in turn.
3. Train all on beside itself, first and last. How far from even those two pairs are says how much is noise.

Times are a run's share of what stood beside it, times the median of all on over every process; memory is that of the
run alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.plan import Plan, make_plan
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.systems.seastar.comparison import pass_contender
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.bout import Bout
from workers.training.comparison.contest import PairContest
from workers.training.comparison.heat import Heat, share_data, started
from workers.training.comparison.outcome import PassFigures, PassRun, PassStudy
from workers.training.task import as_entries, build
from workers.zoo.layer_modules import ProgramLayer
from workers.zoo.module import ModelModule

NONE, ALL = "", "all"


@dataclass(frozen=True)
class _Study:
    folder: Path
    contest: PairContest[SeastarSpec]
    channel: Channel
    total: int

    def heat(self, place: int, off: str) -> Heat[Bout]:
        """Run number `place`, with the passes named by `off` left out, beside all of them."""
        title = _title(off)
        self.channel.log(f"comparison: {title}, run {place + 1} of {self.total}")
        contest = self.contest.model_copy(update={"spec": without(self.contest.against, off)})
        named = f"{title} ({place + 1} of {self.total} runs)"
        with started(self.folder, f"run{place}", named, contest, self.channel) as runner:
            runner.turn()
            return runner.heat(Bout)


def study(spec: SeastarSpec, channel: Channel, data: GraphData, threads: int) -> PassStudy:
    """Runs as `spec.pass_study` asks. A pass that the job leaves out anyway is not studied."""
    asked = spec.pass_study
    assert asked is not None, "only called where it is asked for"
    wanted = [p for p in dict.fromkeys(asked.passes or SWITCHES) if p not in spec.compiler.passes_off]
    changing = set(effective(spec, data, wanted))
    order = (NONE, *(p for p in wanted if p in changing), ALL)
    told = {"contender": pass_contender.__name__, "system": "asterism", "epochs": asked.epochs, "threads": threads}
    contest = PairContest[SeastarSpec](spec=spec, against=spec, **told)
    with tempfile.TemporaryDirectory(prefix="asterism-passes-") as name:
        running = _Study(Path(name), contest, channel, len(order) + 1)
        share_data(running.folder, spec.dataset, data)
        heats = {off: running.heat(place, off) for place, off in enumerate(order)}
        again = running.heat(len(order), NONE)
    usual_s = _usual_s([*heats.values(), again])
    runs = tuple(_run(off, heats.get(off), usual_s) for off in (NONE, *wanted, ALL))
    return PassStudy(epochs=asked.epochs, threads=threads, spread_s=_noise([heats[NONE], again]) * usual_s, runs=runs)


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


def _run(off: str, heat: Heat[Bout] | None, usual_s: float) -> PassRun:
    """A row of the study; `usual_s` is what an epoch takes with all passes on."""
    if heat is None:
        return PassRun(off=off, changes=False, note="", figures=None)
    figures = _figures(heat.figures, usual_s if off == NONE else heat.figures.ratio * usual_s) if heat.figures else None
    return PassRun(off=off, changes=True, note=heat.note, figures=figures)


def _figures(found: Bout, epoch_s: float) -> PassFigures:
    return PassFigures(
        epoch_s=epoch_s,
        peak_memory_bytes=found.peak_memory_bytes,
        launches=found.launches,
        kept_bytes=found.kept_bytes,
        loss_apart=found.loss_apart,
    )


def _usual_s(heats: Iterable[Heat[Bout]]) -> float:
    """Median of the epochs with all passes on, whatever stood beside them; the first of each process is left out."""
    return median([s for heat in heats if heat.figures for s in heat.figures.against_s[1:]] or [0.0])


def _noise(heats: Iterable[Heat[Bout]]) -> float:
    """How far from even pairs of equal runs are, as a share."""
    return max((abs(heat.figures.ratio - 1) for heat in heats if heat.figures), default=0.0)

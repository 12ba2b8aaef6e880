"""Runs one training job: load, compile, train with live curves, keep what came out.

1. Load the dataset; make the task from it, with the module of the model document.
2. Compile its vertex programs ahead of the first step; store the generated sources.
3. Train, one metric point an epoch; some epochs are measured kernel by kernel.
4. Restore the best weights, predict, store checkpoint, predictions and the model as a file that needs only torch.
5. Train again, each time in a fresh process, in the systems that the job compares with, and with passes off.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import torch

from workers.compiler.codegen.build import announced
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.systems.seastar import outputs
from workers.systems.seastar.comparison.host import compare
from workers.systems.seastar.comparison.outcome import Comparison, PassStudy
from workers.systems.seastar.comparison.pass_study import study
from workers.systems.seastar.flame import FILE_NAME as FLAME
from workers.systems.seastar.flame import MEDIA_TYPE as FLAME_TYPE
from workers.systems.seastar.flame import flame_file
from workers.systems.seastar.placement import Peak, fetch
from workers.systems.seastar.profile import sources, summarise
from workers.systems.seastar.profile_spec import Profile
from workers.systems.seastar.recorder import Recorder
from workers.systems.seastar.spec import SeastarResult, SeastarSpec
from workers.systems.seastar.tasks import KINDS, Kind, Task
from workers.systems.seastar.train import Best, Epoch, epochs, learners
from workers.zoo.interop.portable import FILE_NAME, MEDIA_TYPE, portable
from workers.zoo.module import ModelModule

MEDIA_TYPES = {".cpp": "text/x-c++src", ".py": "text/x-python"}
LOGGED = 20  # lines about epochs in the log of one job, however long it is


@dataclass(frozen=True)
class Run:
    """Everything a job holds while it trains; a cross-validation has a task a fold."""

    spec: SeastarSpec
    channel: Channel
    data: GraphData
    kind: Kind
    tasks: Sequence[Task]

    @property
    def module(self) -> ModelModule:
        return self.tasks[0].module


@dataclass(frozen=True)
class Compiled:
    """What getting the kernels took."""

    seconds: float
    built: int
    cached: int


def run(spec: SeastarSpec, channel: Channel) -> SeastarResult:
    """Train as `spec` says, speaking through `channel`. Raises JobError or DocumentError for what the user can mend."""
    settings = spec.training
    if settings.threads:
        torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    job = _prepare(spec, channel)
    compiled = _compile(job)
    measured = settings.profile_epochs if spec.device == "cpu" else 0  # backward passes on a GPU run in other threads
    memory, recorder = Peak(spec.device), Recorder(measured, settings.epochs)
    history, best = _train(job, recorder)
    for task, kept in zip(job.tasks, best, strict=True):
        task.learner.load_state_dict(kept.weights)
    peak = memory.growth()
    _store(job, best)
    profile = _profile(job, recorder)
    return SeastarResult(
        epochs_run=len(history),
        best_epoch=round(median(b.epoch for b in best)),
        stopped_early=len(history) < settings.epochs,
        outcome=job.kind.outcome(spec, [b.scores for b in best], [b.epoch for b in best]),
        parameters=sum(p.numel() for p in job.tasks[0].learner.parameters()),
        epoch_s=median(e.times.epoch for e in history),
        peak_memory_bytes=peak,
        compile_s=compiled.seconds,
        kernels_built=compiled.built,
        kernels_cached=compiled.cached,
        profile=profile,
        comparison=_compare(job, len(history)),
        pass_study=_study(job, len(history)),
    )


def _profile(job: Run, recorder: Recorder) -> Profile | None:
    """Where an epoch's time went, also as a file for flame views."""
    profile = summarise(recorder, job.module)
    if profile is not None:
        order = [node.id for node in job.spec.model.nodes]
        job.channel.artifact(FLAME, flame_file(profile, order, job.spec.name or "training"), FLAME_TYPE)
    return profile


def _compare(job: Run, ran: int) -> Comparison | None:
    """The same epochs again in every system the job names."""
    if not job.spec.compare:
        return None
    found = compare(job.spec, job.channel, job.data, ran, torch.get_num_threads())
    job.channel.progress(ran, ran, "epochs")
    return found


def _study(job: Run, ran: int) -> PassStudy | None:
    """What each pass of the compiler is worth, where the job asks."""
    if job.spec.pass_study is None:
        return None
    found = study(job.spec, job.channel, job.data, torch.get_num_threads())
    job.channel.progress(ran, ran, "epochs")
    return found


def _prepare(spec: SeastarSpec, channel: Channel) -> Run:
    data = channel.load_dataset(spec.dataset)
    channel.log(f"{data.name}: {data.n:,} vertices, {len(data.src):,} arcs")
    kind = KINDS[spec.task.type]
    tasks = kind.make(spec, data)
    for line in tasks[0].described():
        channel.log(line)
    return Run(spec, channel, data, kind, tasks)


def _compile(job: Run) -> Compiled:
    """Run both kinds of forward once, which compiles every kernel that training and evaluation will call."""
    started = time.perf_counter()
    job.channel.log("compiling kernels")
    with announced(lambda done, total: job.channel.progress(done, total, "kernels")):
        for task in job.tasks:
            task.learner.eval()  # so that running statistics and random numbers stay as they are
            next(iter(task.batches(1))).forward()
            with torch.no_grad():
                task.scores()
    programs = [program for layer in job.module.layers.values() for program in layer.programs]
    caches = {id(p.cache): p.cache.report for p in programs if p.cache}
    built, cached = (sum(getattr(r, part) for r in caches.values()) for part in ("compiled", "cached"))
    for name, source in sources(job.module):
        job.channel.artifact(name, source.encode(), MEDIA_TYPES[Path(name).suffix])
    seconds = time.perf_counter() - started
    job.channel.log(f"kernels ready in {seconds:.2f} s: {built} built, {cached} from the cache")
    return Compiled(seconds, built, cached)


def _train(job: Run, recorder: Recorder) -> tuple[list[Epoch], list[Best]]:
    settings, history = job.spec.training, []
    found = learners(job.tasks, settings, job.kind.metric, recorder.measured)
    for epoch in epochs(found, settings.epochs, job.channel.checkpoint):
        history.append(epoch)
        recorder.see(epoch.number, epoch.times)
        _report(job, epoch)
    job.channel.progress(len(history), len(history), "epochs")
    ended = "stopped early, " if len(history) < settings.epochs else ""
    for place, learner in enumerate(found):
        which = f"fold {place + 1}: " if len(found) > 1 else ""
        reached = f"best epoch {learner.best.epoch}: validation {job.kind.metric} {learner.best.value:.4f}"
        job.channel.log(f"{which}{ended}{reached}")
    return history, [learner.best for learner in found]


def _report(job: Run, epoch: Epoch) -> None:
    """One point of every curve; a mean over the folds of a cross-validation."""
    total = job.spec.training.epochs
    parts = epoch.scores[0]
    values = {f"{part}_{name}": fmean(s[part][name] for s in epoch.scores) for part in parts for name in parts[part]}
    job.channel.metric(epoch.number, **values, epoch_ms=1e3 * epoch.times.epoch)
    job.channel.progress(epoch.number, total, "epochs")
    if epoch.number == 1 or epoch.number % max(1, total // LOGGED) == 0:
        shown = ("train_loss", "val_loss", f"val_{job.kind.metric}")
        figures = " ".join(f"{name} {values[name]:.4f}" for name in shown)
        job.channel.log(f"epoch {epoch.number} {figures} {1e3 * epoch.times.epoch:.1f} ms")


def _store(job: Run, best: Sequence[Best]) -> None:
    for task in job.tasks:
        task.learner.eval()
    with torch.no_grad():
        columns, rows = job.kind.predictions(job.data, job.tasks)
    job.channel.artifact("predictions.csv", outputs.csv_file(columns, rows), "text/csv")
    for task in job.tasks:
        fetch(task.module)
    job.channel.artifact("checkpoint.pt", outputs.checkpoint(job.spec, job.tasks, [b.epoch for b in best]))
    job.channel.artifact(FILE_NAME, portable(job.module, describe(job.spec.dataset, job.data)), MEDIA_TYPE)

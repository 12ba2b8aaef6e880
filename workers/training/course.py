"""One job's training, whatever it learns: kernels first, then epochs with live curves, then what is kept.

1. Compile the vertex programs ahead of the first step; store the generated sources.
2. Train, one metric point an epoch; some epochs are measured kernel by kernel.
3. Restore the best weights; store checkpoint, predictions and profile.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

import torch

from workers.compiler.codegen.build import announced
from workers.core.channel import Channel
from workers.training import outputs
from workers.training.flame import FILE_NAME as FLAME
from workers.training.flame import MEDIA_TYPE as FLAME_TYPE
from workers.training.flame import flame_file
from workers.training.loop import Best, Epoch, epochs, learners
from workers.training.placement import Peak, fetch
from workers.training.profile import sources, summarise
from workers.training.profile_spec import Profile
from workers.training.recorder import Recorder
from workers.training.spec import Training, TrainingSpec
from workers.training.task import Table, Task
from workers.zoo.module import ModelModule

MEDIA_TYPES = {".cpp": "text/x-c++src", ".py": "text/x-python"}
LOGGED = 20  # lines about epochs in the log of one job, however long it is


@dataclass(frozen=True)
class Course:
    """What a job holds while it trains; a cross-validation has a task a fold. `metric` decides which epoch is best."""

    spec: TrainingSpec
    channel: Channel
    metric: str
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


@dataclass(frozen=True)
class Trained:
    """What training gave; the tasks have their best weights."""

    history: Sequence[Epoch]
    best: Sequence[Best]
    compiled: Compiled
    peak_memory_bytes: int
    recorder: Recorder


def begin(settings: Training) -> None:
    """Threads and seed of the process, before anything is made."""
    if settings.threads:
        torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)


def trained(course: Course) -> Trained:
    """Compile, train, and put the best weights back, ready to evaluate."""
    spec = course.spec
    for line in course.tasks[0].described():
        course.channel.log(line)
    compiled = _compile(course)
    measured = spec.training.profile_epochs if spec.device == "cpu" else 0  # backward on a GPU runs in other threads
    memory, recorder = Peak(spec.device), Recorder(measured, spec.training.epochs)
    history, best = _train(course, recorder)
    for task, kept in zip(course.tasks, best, strict=True):
        task.learner.load_state_dict(kept.weights)
        task.learner.eval()
    return Trained(history, best, compiled, memory.growth(), recorder)


def keep(course: Course, done: Trained, predictions: Table) -> None:
    """Store predictions and checkpoint, and bring the models back to memory."""
    columns, rows = predictions
    course.channel.artifact("predictions.csv", outputs.csv_file(columns, rows), "text/csv")
    for task in course.tasks:
        fetch(task.module)
    epochs_kept = [b.epoch for b in done.best]
    course.channel.artifact("checkpoint.pt", outputs.checkpoint(course.spec, course.tasks, epochs_kept))


def figures(course: Course, done: Trained) -> Mapping[str, Any]:
    """The fields of TrainingResult; the profile is stored as a file for flame views too."""
    return {
        "epochs_run": len(done.history),
        "best_epoch": round(median(b.epoch for b in done.best)),
        "stopped_early": len(done.history) < course.spec.training.epochs,
        "parameters": sum(p.numel() for p in course.tasks[0].learner.parameters()),
        "epoch_s": median(e.times.epoch for e in done.history),
        "peak_memory_bytes": done.peak_memory_bytes,
        "compile_s": done.compiled.seconds,
        "kernels_built": done.compiled.built,
        "kernels_cached": done.compiled.cached,
        "profile": _profile(course, done.recorder),
    }


def _profile(course: Course, recorder: Recorder) -> Profile | None:
    """Where an epoch's time went."""
    profile = summarise(recorder, course.module)
    if profile is not None:
        order = [node.id for node in course.spec.model.nodes]
        course.channel.artifact(FLAME, flame_file(profile, order, course.spec.name or "training"), FLAME_TYPE)
    return profile


def _compile(course: Course) -> Compiled:
    """Run both kinds of forward once, which compiles every kernel that training and evaluation will call."""
    started, channel = time.perf_counter(), course.channel
    channel.log("compiling kernels")
    with announced(lambda done, total: channel.progress(done, total, "kernels")):
        for task in course.tasks:
            task.learner.eval()  # so that running statistics and random numbers stay as they are
            next(iter(task.batches(1))).forward()
            with torch.no_grad():
                task.scores()
    programs = [program for layer in course.module.layers.values() for program in layer.programs]
    caches = {id(p.cache): p.cache.report for p in programs if p.cache}
    built, cached = (sum(getattr(r, part) for r in caches.values()) for part in ("compiled", "cached"))
    for name, source in sources(course.module):
        channel.artifact(name, source.encode(), MEDIA_TYPES[Path(name).suffix])
    seconds = time.perf_counter() - started
    channel.log(f"kernels ready in {seconds:.2f} s: {built} built, {cached} from the cache")
    return Compiled(seconds, built, cached)


def _train(course: Course, recorder: Recorder) -> tuple[list[Epoch], list[Best]]:
    settings, history = course.spec.training, []
    found = learners(course.tasks, settings, course.metric, recorder.measured)
    for epoch in epochs(found, settings.epochs, course.channel.checkpoint):
        history.append(epoch)
        recorder.see(epoch.number, epoch.times)
        _report(course, epoch)
    course.channel.progress(len(history), len(history), "epochs")
    ended = "stopped early, " if len(history) < settings.epochs else ""
    for place, learner in enumerate(found):
        which = f"fold {place + 1}: " if len(found) > 1 else ""
        reached = f"best epoch {learner.best.epoch}: validation {course.metric} {learner.best.value:.4f}"
        course.channel.log(f"{which}{ended}{reached}")
    return history, [learner.best for learner in found]


def _report(course: Course, epoch: Epoch) -> None:
    """One point of every curve; a mean over the folds of a cross-validation."""
    total = course.spec.training.epochs
    parts = epoch.scores[0]
    values = {f"{part}_{name}": fmean(s[part][name] for s in epoch.scores) for part in parts for name in parts[part]}
    course.channel.metric(epoch.number, **values, epoch_ms=1e3 * epoch.times.epoch)
    course.channel.progress(epoch.number, total, "epochs")
    if epoch.number == 1 or epoch.number % max(1, total // LOGGED) == 0:
        shown = ("train_loss", "val_loss", f"val_{course.metric}")
        said = " ".join(f"{name} {values[name]:.4f}" for name in shown)
        course.channel.log(f"epoch {epoch.number} {said} {1e3 * epoch.times.epoch:.1f} ms")

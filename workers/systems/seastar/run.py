"""Runs one training job: load, compile, train with live curves, keep what came out.

1. Load the dataset into tensors; build the module from the model document.
2. Compile its vertex programs ahead of the first step; store the generated sources.
3. Train, one metric point an epoch; some epochs are measured kernel by kernel.
4. Restore the best weights, predict, store checkpoint and predictions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor

from workers.compiler.runtime import GraphIndex
from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.systems.seastar import outputs, prepare
from workers.systems.seastar.memory import PeakMemory
from workers.systems.seastar.profile import Recorder, sources, summarise
from workers.systems.seastar.spec import SeastarResult, SeastarSpec
from workers.systems.seastar.train import Best, Epoch, Labels, epochs
from workers.zoo.feature_form import Cost
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures

LOGGED = 20  # lines about epochs in the log of one job, however long it is


@dataclass(frozen=True)
class Run:
    """Everything a job holds while it trains."""

    spec: SeastarSpec
    channel: Channel
    data: GraphData
    module: ModelModule
    graphs: Graphs
    features: prepare.Features
    labels: Labels

    def forward(self, step: int) -> Tensor:
        """Logits [N, C]; the step seeds the dropout inside vertex programs."""
        seed = self.spec.training.seed * 1_000_003 + step
        logits: Tensor = self.module(self.features.x, self.graphs, self.features.edge_x, seed)
        return logits


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
    memory, recorder = PeakMemory.start(), Recorder(settings.profile_epochs, settings.epochs)
    history, best = _train(job, recorder)
    job.module.load_state_dict(best.weights)
    _store(job, best)
    return SeastarResult(
        epochs_run=len(history),
        best_epoch=best.epoch,
        stopped_early=len(history) < settings.epochs,
        **{f"{split}_{part}": getattr(s, part) for split, s in best.scores.items() for part in ("loss", "accuracy")},
        parameters=sum(p.numel() for p in job.module.parameters()),
        epoch_s=median(e.times.epoch for e in history),
        peak_memory_bytes=memory.growth(),
        compile_s=compiled.seconds,
        kernels_built=compiled.built,
        kernels_cached=compiled.cached,
        profile=summarise(recorder, job.module),
    )


def _prepare(spec: SeastarSpec, channel: Channel) -> Run:
    data = channel.load_dataset(spec.dataset)
    dtype = getattr(torch, spec.training.dtype)
    labels, features = prepare.labels(data), prepare.features(data, dtype, sparse=spec.training.kernels == "generated")
    info = describe(spec.dataset, data)
    module = ModelModule(
        spec.model,
        info,
        kernels=spec.training.kernels,
        dtype=dtype,
        seed=spec.training.seed,
        sparse=isinstance(features.x, SparseFeatures),
    )
    graphs = Graphs(data.src, data.dst, data.n, lambda src, dst, n: GraphIndex(src, dst, n, n), dtype)
    channel.log(f"{data.name}: {data.n:,} vertices, {len(data.src):,} arcs, {features.x.shape[1]:,} features")
    if features.cost:
        channel.log(_described(features.cost))
    return Run(spec, channel, data, module, graphs, features, labels)


def _described(cost: Cost) -> str:
    kept = "kept as entries" if cost.as_entries else "made dense"
    times = f"{1e3 * cost.entries_s:.2f} ms as entries, {1e3 * cost.dense_s:.2f} ms dense"
    return f"features {kept}: a first product over some rows took {times}"


def _compile(job: Run) -> Compiled:
    """Run both kinds of forward once, which compiles every kernel that training and evaluation will call."""
    started = time.perf_counter()
    job.channel.log("compiling kernels")
    job.module.eval()  # so that running statistics and random numbers stay as they are
    job.forward(0)
    with torch.no_grad():
        job.forward(0)
    caches = {
        id(c): c.report
        for layer in job.module.program_layers.values()
        if layer.compiled and (c := layer.compiled.cache)
    }
    built, cached = (sum(getattr(r, part) for r in caches.values()) for part in ("compiled", "cached"))
    for name, source in sources(job.module):
        job.channel.artifact(name, source.encode(), "text/x-c++src")
    seconds = time.perf_counter() - started
    job.channel.log(f"kernels ready in {seconds:.2f} s: {built} built, {cached} from the cache")
    return Compiled(seconds, built, cached)


def _train(job: Run, recorder: Recorder) -> tuple[list[Epoch], Best]:
    settings, history, best = job.spec.training, [], Best()
    for epoch in epochs(job.module, job.forward, job.labels, settings, best, recorder.measured):
        history.append(epoch)
        recorder.see(epoch.number, epoch.times)
        _report(job, epoch)
        job.channel.checkpoint()
    job.channel.progress(len(history), len(history), "epochs")
    ended = "stopped early, " if len(history) < settings.epochs else ""
    job.channel.log(f"{ended}best epoch {best.epoch}: validation accuracy {best.scores['val'].accuracy:.4f}")
    return history, best


def _report(job: Run, epoch: Epoch) -> None:
    total = job.spec.training.epochs
    values = {f"{split}_{part}": getattr(s, part) for split, s in epoch.scores.items() for part in ("loss", "accuracy")}
    job.channel.metric(epoch.number, **values, epoch_ms=1e3 * epoch.times.epoch)
    job.channel.progress(epoch.number, total, "epochs")
    if epoch.number == 1 or epoch.number % max(1, total // LOGGED) == 0:
        figures = " ".join(f"{name} {values[name]:.4f}" for name in ("train_loss", "val_loss", "val_accuracy"))
        job.channel.log(f"epoch {epoch.number} {figures} {1e3 * epoch.times.epoch:.1f} ms")


def _store(job: Run, best: Best) -> None:
    job.module.eval()
    with torch.no_grad():
        logits = job.forward(0)
    job.channel.artifact("predictions.csv", outputs.predictions(job.data, job.labels, logits), "text/csv")
    job.channel.artifact("checkpoint.pt", outputs.checkpoint(job.spec, best.weights, best.epoch))

"""Turns what the runtime recorded into the table a page shows: where one mean epoch went, kernel by kernel."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import torch

from workers.compiler.runtime import KernelInfo
from workers.compiler.runtime import profile as runtime
from workers.systems.seastar.spec import KernelProfile, Profile
from workers.systems.seastar.train import StepTimes
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import FIRST_PRODUCT

WARM_UP = 5  # epochs before measuring: caches, allocator and clock have settled by then
Phase = Literal["forward", "backward"]
Kind = Literal["row", "map", "dense", "other"]
KINDS: dict[str, Kind] = {"dst": "row", "src": "row", "map": "map", "dense": "dense"}


@dataclass
class Recorder:
    """Collects the steps and times of `count` epochs after the warm-up, or of the last ones of a shorter run."""

    count: int
    last_epoch: int
    steps: runtime.Profile = field(default_factory=runtime.Profile)
    times: list[StepTimes] = field(default_factory=list)

    @property
    def first(self) -> int:
        return max(1, min(WARM_UP + 1, self.last_epoch - self.count + 1))

    def covers(self, epoch: int) -> bool:
        return self.first <= epoch < self.first + self.count

    def measured(self, epoch: int) -> AbstractContextManager[Any]:
        return runtime.profiled(self.steps) if self.covers(epoch) else nullcontext()

    def see(self, epoch: int, times: StepTimes) -> None:
        if self.covers(epoch):
            self.times.append(times)


def artifact_name(kernel: KernelInfo, node_id: str) -> str:
    """Where the generated source of a kernel is stored with the job."""
    return f"kernels/{node_id}/{kernel.direction}_{kernel.name}.cpp"


def sources(module: ModelModule) -> Iterator[tuple[str, str]]:
    """Artifact name and generated C++ of every kernel; a kernel that several variants share is given once."""
    seen: set[str] = set()
    programs = (program for layer in module.layers.values() for program in layer.programs)
    for program in programs:
        for kernel in program.kernels:
            name = artifact_name(kernel, program.program.name)
            if name not in seen:
                seen.add(name)
                yield name, kernel.source


def summarise(recorder: Recorder, module: ModelModule) -> Profile | None:
    """Means over the measured epochs; None where none was measured."""
    if not recorder.times:
        return None
    names = {name for name, _ in sources(module)}
    mean = {part: fmean(getattr(t, part) for t in recorder.times) for part in StepTimes.__dataclass_fields__}
    kernels = [_kernel(step, len(recorder.times), names) for step in recorder.steps.steps.values()]
    rest = [_rest(phase, mean[phase], kernels) for phase in ("forward", "backward")]
    threads = torch.get_num_threads()
    return Profile(
        epochs=len(recorder.times),
        epoch_s=fmean(t.epoch for t in recorder.times),
        **{f"{part}_s": mean[part] for part in mean},
        kernels=tuple(sorted((*kernels, *rest), key=lambda k: -k.time_s)),
        saved_bytes=sum(recorder.steps.saved_bytes.values()),
        bandwidth_gb_per_s=runtime.measured_bandwidth(threads) / 1e9,
        threads=threads,
        machine=processor(),
    )


def _kernel(step: runtime.StepTime, epochs: int, artifacts: set[str]) -> KernelProfile:
    source = f"kernels/{step.program}/{step.direction}_{step.step}.cpp"
    return KernelProfile(
        name=step.step,
        kind=KINDS[step.side],
        phase="forward" if step.direction == "forward" else "backward",
        node_id=step.program.removesuffix(FIRST_PRODUCT),
        fused_from=step.fused_from,
        calls=step.calls / epochs,
        time_s=step.seconds / epochs,
        bytes=round(step.bytes / epochs),
        gb_per_s=step.gigabytes_per_second,
        source=source if source in artifacts else None,
    )


def _rest(phase: Phase, total: float, kernels: list[KernelProfile]) -> KernelProfile:
    """What a phase took beside its kernels: dropout, activations and autograd's own work."""
    spent = sum(k.time_s for k in kernels if k.phase == phase)
    return KernelProfile(
        name=f"rest of {phase}",
        kind="other",
        phase=phase,
        node_id=None,
        fused_from=("layers that are plain torch", "autograd"),
        calls=1,
        time_s=max(0.0, total - spent),
        bytes=0,
        gb_per_s=0.0,
        source=None,
    )


def processor() -> str:
    """The processor's name as the system gives it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()

"""Turns what the runtime recorded into the table a page shows: where one mean epoch went, kernel by kernel."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

import torch

from workers.compiler.runtime import KernelInfo
from workers.compiler.runtime import profile as runtime
from workers.compiler.runtime.live import Point
from workers.training.loop import StepTimes
from workers.training.profile_spec import (
    KernelProfile,
    MemoryPoint,
    Phase,
    Profile,
    ProgramText,
    SavedTensor,
)
from workers.training.recorder import Recorder
from workers.zoo.bind import program_source
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import FIRST_PRODUCT

POINTS = 400  # of the memory curve at most
PHASES: tuple[Phase, ...] = ("forward", "backward")
Kind = Literal["row", "map", "dense", "other"]
KINDS: dict[str, Kind] = {"map": "map", "dense": "dense"}
"""By what a kernel walks; whatever else it is, it gathers items into rows."""


def artifact_name(kernel: KernelInfo, node_id: str) -> str:
    """Where the generated source of a kernel is stored with the job."""
    ending = "cpp" if kernel.target == "cpp" else "py"
    return f"kernels/{node_id}/{kernel.direction}_{kernel.name}.{ending}"


def sources(module: ModelModule) -> Iterator[tuple[str, str]]:
    """Artifact name and generated text of every kernel; a kernel that several variants share is given once."""
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
    machine, names = Machine.measured(), {name for name, _ in sources(module)}
    mean = {part: fmean(getattr(t, part) for t in recorder.times) for part in StepTimes.__dataclass_fields__}
    kernels = [_kernel(step, len(recorder.times), names, machine) for step in recorder.steps.steps.values()]
    rest = [_rest(phase, mean[phase], kernels) for phase in PHASES]
    return Profile(
        epochs=len(recorder.times),
        epoch_s=fmean(t.epoch for t in recorder.times),
        **{f"{part}_s": mean[part] for part in mean},
        kernels=tuple(sorted((*kernels, *rest), key=lambda k: -k.time_s)),
        saved=tuple(_saved(t) for tensors in recorder.steps.saved.values() for t in tensors),
        saved_bytes=sum(recorder.steps.saved_bytes.values()),
        memory=memory_curve(recorder.live.points),
        programs=tuple(_texts(module)),
        bandwidth_gb_per_s=machine.bytes_per_s / 1e9,
        gflop_per_s=machine.operations_per_s / 1e9,
        threads=machine.threads,
        machine=processor(),
    )


@dataclass(frozen=True)
class Machine:
    """What this machine can do with so many threads."""

    threads: int
    bytes_per_s: float
    operations_per_s: float

    @staticmethod
    def measured() -> Machine:
        threads = torch.get_num_threads()
        return Machine(threads, runtime.measured_bandwidth(threads), runtime.measured_operations(threads))

    def floor(self, least_bytes: float, operations: float) -> tuple[float, Literal["memory", "compute"]]:
        """Seconds that nothing can be quicker than, and what takes them."""
        memory, compute = least_bytes / self.bytes_per_s, operations / self.operations_per_s
        return (memory, "memory") if memory >= compute else (compute, "compute")


def _kernel(step: runtime.StepTime, epochs: int, artifacts: set[str], machine: Machine) -> KernelProfile:
    source = f"kernels/{step.program}/{step.direction}_{step.step}.cpp"  # only kernels for memory are measured
    floor, bound = machine.floor(step.least_bytes / epochs, step.operations / epochs)
    return KernelProfile(
        name=step.step,
        kind=KINDS.get(step.side, "row"),
        phase="forward" if step.direction == "forward" else "backward",
        node_id=_node(step.program),
        fused_from=step.fused_from,
        ir=step.ir,
        lines=step.lines,
        calls=step.calls / epochs,
        time_s=step.seconds / epochs,
        bytes=round(step.bytes / epochs),
        least_bytes=round(step.least_bytes / epochs),
        operations=round(step.operations / epochs),
        gb_per_s=step.gigabytes_per_second,
        floor_s=floor,
        bound=bound,
        source=source if source in artifacts else None,
    )


def _rest(phase: Phase, total: float, kernels: list[KernelProfile]) -> KernelProfile:
    """What a phase took beside its kernels: activations and autograd's own work."""
    spent = sum(k.time_s for k in kernels if k.phase == phase)
    return KernelProfile(
        name=f"rest of {phase}",
        kind="other",
        phase=phase,
        node_id=None,
        fused_from=("layers that are plain torch", "autograd"),
        ir=(),
        lines=(),
        calls=1,
        time_s=max(0.0, total - spent),
        bytes=0,
        least_bytes=0,
        operations=0,
        gb_per_s=0.0,
        floor_s=0.0,
        bound=None,
        source=None,
    )


def _saved(tensor: runtime.SavedTensor) -> SavedTensor:
    return SavedTensor(
        node_id=_node(tensor.program),
        value=tensor.value,
        op=tensor.op,
        shape=tensor.shape,
        bytes=tensor.bytes,
        shared=tensor.leaf,
    )


def memory_curve(points: Sequence[Point]) -> tuple[MemoryPoint, ...]:
    """At most `POINTS` of the points, the highest among them."""
    kept, stride = list(enumerate(points)), -(-len(points) // POINTS)
    runs = [kept[at : at + stride] for at in range(0, len(kept), stride)] if kept else []
    return tuple(_memory_point(max(run, key=lambda p: p[1].bytes)[1]) for run in runs)


def _memory_point(point: Point) -> MemoryPoint:
    phase = "forward" if point.part == "forward" else "backward"
    return MemoryPoint(phase=phase, node_id=_node(point.program) or None, step=point.step, bytes=point.bytes)


def _texts(module: ModelModule) -> Iterator[ProgramText]:
    for node_id, layer in module.program_layers.items():
        yield ProgramText(node_id=node_id, text=program_source(layer.step))


def _node(program: str) -> str:
    """The node whose program it is: a first product over sparse features belongs to its layer's."""
    return program.removesuffix(FIRST_PRODUCT)


def processor() -> str:
    """The processor's name as the system gives it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()

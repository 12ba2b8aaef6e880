"""What each kernel of a model does in an epoch, and what the machine needs at least: bytes, operations, floor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch.nn import functional

from tests.benchmarks import ours
from tests.benchmarks.workloads import WORKLOADS
from workers.compiler.runtime.profile import StepTime, profiled
from workers.training.profile import Machine

WARM_UP = 3
HEAD = (
    f"{'model':10}{'kernel':18}{'layer':10}{'phase':10}{'ms':>8}{'moved MB':>10}{'GB/s':>7}{'of peak':>9}"
    f"{'least MB':>10}{'MFLOP':>9}{'floor ms':>10}{'by':>9}{'x floor':>9}"
)


@dataclass(frozen=True)
class Row:
    """One kernel in a mean epoch. `moved_mb` has a gathered row for every edge, `least_mb` each tensor once."""

    model: str
    workload: str
    kernel: str
    layer: str
    phase: str
    ms: float
    moved_mb: float
    gb_per_s: float
    bandwidth_share: float
    least_mb: float
    mflop: float
    floor_ms: float
    bound: str
    times_floor: float


def measure(model: str, workload: str, epochs: int) -> tuple[Machine, list[Row]]:
    """Kernels in the order they run, over `epochs` warm epochs of training in this process."""
    w = WORKLOADS[workload]()
    x, y = ours.features(w), torch.from_numpy(w.y)
    net = ours.network(model, w, x)
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)

    def epoch() -> None:
        optimizer.zero_grad()
        functional.cross_entropy(net(x), y).backward()
        optimizer.step()

    for _ in range(WARM_UP):
        epoch()
    with profiled() as profile:
        for _ in range(epochs):
            epoch()
    machine = Machine.measured()
    return machine, [_row(model, workload, step, epochs, machine) for step in profile.steps.values()]


def _row(model: str, workload: str, step: StepTime, epochs: int, machine: Machine) -> Row:
    seconds = step.seconds / epochs
    floor, bound = machine.floor(step.least_bytes / epochs, step.operations / epochs)
    return Row(
        model=model,
        workload=workload,
        kernel=step.step,
        layer=step.program,
        phase=step.direction,
        ms=round(1e3 * seconds, 3),
        moved_mb=round(step.bytes / epochs / 1e6, 2),
        gb_per_s=round(step.gigabytes_per_second, 2),
        bandwidth_share=round(1e9 * step.gigabytes_per_second / machine.bytes_per_s, 3),
        least_mb=round(step.least_bytes / epochs / 1e6, 2),
        mflop=round(step.operations / epochs / 1e6, 2),
        floor_ms=round(1e3 * floor, 3),
        bound=bound,
        times_floor=round(seconds / floor, 2) if floor else 0.0,
    )


def lines(machine: Machine, rows: list[Row]) -> Iterator[str]:
    """The table as text."""
    rates = f"{machine.bytes_per_s / 1e9:.1f} GB/s copied, {machine.operations_per_s / 1e9:.0f} GFLOP/s multiplied"
    yield f"{rows[0].workload}, {machine.threads} threads: {rates}"
    for r in rows:
        yield (
            f"{r.model:10}{r.kernel:18}{r.layer:10}{r.phase:10}{r.ms:8.2f}{r.moved_mb:10.1f}{r.gb_per_s:7.1f}"
            f"{100 * r.bandwidth_share:8.0f}%{r.least_mb:10.1f}{r.mflop:9.1f}{r.floor_ms:10.3f}{r.bound:>9}"
            f"{r.times_floor:9.1f}"
        )

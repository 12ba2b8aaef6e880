"""What operators and collectives take on ranks, all ranks at it at once, as they are in a step.

Every operator is run forward and backward in each of its configurations, on pieces as large as the first rank's; of
those alike, one. Collectives are fitted: seconds = latency + bytes / bandwidth, by least squares of relative errors.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import prod
from statistics import median

import numpy as np
import torch
from torch import Tensor

from workers.spreading.capture.graph import Op, OpGraph, Value
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.layout import Layout, MeshShape, local_shape
from workers.spreading.configs.reshard import HopKind
from workers.spreading.costs.machine import Link, Machine, Measured, Rate
from workers.spreading.costs.memory import OptimizerName
from workers.spreading.costs.signature import signature
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.draws import Draws
from workers.spreading.execution.launcher import Emit, Launcher, World
from workers.spreading.execution.local import LocalCall, run_local
from workers.spreading.execution.training import Optimizer

KINDS: tuple[HopKind, ...] = ("all_gather", "all_reduce", "reduce_scatter", "all_to_all")
SIZES = tuple(1 << power for power in range(10, 25, 2))  # bytes of a group's tensor
REPEATS = 9
ENOUGH = 0.08  # seconds spent on one operator

Seconds = dict[str, tuple[float, float]]  # forward, backward, by signature


@dataclass(frozen=True)
class Calibration:
    """A machine as it was measured, and seconds of a model's operators on it."""

    machine: Machine
    operators: Seconds


@dataclass(frozen=True)
class _Part:
    graph: OpGraph
    mesh: MeshShape
    optimizer: OptimizerName


@dataclass(frozen=True)
class _Seen:
    """What one rank measured."""

    operators: Seconds
    collectives: dict[tuple[HopKind, int], list[tuple[int, float]]]  # kind, devices -> bytes, seconds
    copied: float  # bytes a second


def calibrate(
    graph: OpGraph, mesh: MeshShape, optimizer: OptimizerName, launcher: Launcher, seconds: float = 600.0
) -> Calibration:
    """Measure every operator of a model on a mesh of this host, the slowest rank's medians. Raises RankFailed."""
    seen: list[_Seen] = launcher.run(_measure, [_Part(graph, mesh, optimizer)] * prod(mesh), seconds)
    operators = {key: _slowest([one.operators[key] for one in seen]) for key in seen[0].operators}
    collectives = tuple(
        _fitted(*key, [max(column) for column in zip(*(one.collectives[key] for one in seen), strict=True)])
        for key in seen[0].collectives
    )
    return Calibration(_machine(prod(mesh), collectives, min(one.copied for one in seen)), operators)


def _slowest(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return max(times, key=sum)


def _machine(devices: int, collectives: tuple[Measured, ...], copied: float) -> Machine:
    link = Link(bandwidth=min((one.bandwidth for one in collectives), default=copied), latency=1e-4)
    return Machine(
        name=platform.node() or "this host",
        source="measured",
        taken=datetime.now(UTC).isoformat(timespec="seconds"),
        host={"processor": platform.machine(), "cores": str(os.cpu_count()), "torch": torch.__version__},
        backend="gloo",
        devices=devices,
        devices_per_host=devices,
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // devices,
        rates={"other": Rate(operations=1e10, bytes=copied, latency=1e-5)},
        fast=link,
        slow=link,
        collectives=collectives,
    )


def _fitted(kind: HopKind, devices: int, seen: list[tuple[int, float]]) -> Measured:
    """Least squares of relative errors, neither part below zero."""
    size, taken = (np.array(column, np.float64) for column in zip(*seen, strict=True))
    rows = np.stack([1 / taken, size / taken], axis=1)
    (latency, rate), *_ = np.linalg.lstsq(rows, np.ones(len(taken)), rcond=None)
    if latency < 0:
        latency, rate = 0.0, float(np.median(taken / size))
    if rate <= 0:
        latency, rate = float(np.median(taken)), 1e-15
    off = np.abs(latency + rate * size - taken) / taken
    return Measured(
        kind=kind, devices=devices, latency=float(latency), bandwidth=1 / float(rate), residual=float(np.median(off))
    )


def _measure(part: _Part, world: World, emit: Emit) -> _Seen:
    del emit
    with world.joined() as collectives:
        ranks = collectives(part.mesh)
        found = {(kind, ranks.mesh[m]): _collective(ranks, kind, m) for m in range(len(part.mesh)) for kind in KINDS}
        operators: Seconds = {}
        for op in part.graph.ops:
            for config in configurations(part.graph, op, part.mesh):
                updated = op.kind == "parameter" and op.outputs[0].differentiable
                if op.kind != "call" and not updated:
                    continue
                key = signature(part.graph, op, config, part.mesh, part.optimizer if updated else "")
                if key not in operators:
                    ranks.all_reduce(torch.zeros(1), 0)  # all at once
                    operators[key] = _update(part, op, config) if updated else _operator(part, op, config)
        return _Seen(operators, found, _copied())


def _collective(ranks: Collectives, kind: HopKind, m: int) -> list[tuple[int, float]]:
    """Bytes of the group's tensor and seconds, by size; every rank calls as often as the others."""
    p = ranks.mesh[m]
    seen = []
    for size in SIZES:
        tensor = torch.zeros(_SHAPES[kind](size // 4, p))
        call = partial(getattr(ranks, kind), tensor, m)
        seen.append((tensor.nbytes * (p if kind in ("all_gather", "all_to_all") else 1), _median(call, REPEATS)))
    return seen


_SHAPES: dict[HopKind, Callable[[int, int], tuple[int, ...]]] = {  # of a rank's tensor, of numbers and ranks
    "all_gather": lambda n, p: (n // p,),
    "all_reduce": lambda n, p: (n,),
    "reduce_scatter": lambda n, p: (p, n // p),
    "all_to_all": lambda n, p: (p, n // p // p),
}


def _median(call: Callable[[], object], times: int = 0) -> float:
    """Seconds of a call, of as many as there is time for if not told; the first two do not count."""
    call()
    began = time.perf_counter()
    call()
    times = times or min(REPEATS, max(3, int(ENOUGH / max(time.perf_counter() - began, 1e-6))))
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return median(taken)


class _Alone(Collectives):
    """Sums inside operators cost what their hops cost, so here they cost nothing."""

    def _all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        del mesh_dim
        return tensor

    def _all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        raise NotImplementedError

    def _reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        raise NotImplementedError

    def _all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        raise NotImplementedError


def _operator(part: _Part, op: Op, config: OpConfig) -> tuple[float, float]:
    graph, mesh = part.graph, part.mesh
    values = graph.inputs_of(op)
    call = LocalCall(op, config, values, _Alone(mesh, (0,) * len(mesh)), Draws(0, torch.device("cpu")))
    tensors = [_piece(value, layout, mesh) for value, layout in zip(values, config.inputs, strict=True)]
    trained = any(value.differentiable for value in op.outputs)
    with torch.set_grad_enabled(trained):
        fresh = [i for i in op.mutates if tensors[i].requires_grad]

        def forward() -> Sequence[Tensor]:
            return run_local(call, [x.clone() if i in fresh else x for i, x in enumerate(tensors)])

        there = _median(forward)
        if not trained:
            return there, 0.0
        outputs = [x for x in forward() if x.requires_grad]
        wanted = [x for x in tensors if x.requires_grad]
        given = [torch.full_like(x, 1e-3) for x in outputs]
        back = _median(lambda: torch.autograd.grad(outputs, wanted, given, retain_graph=True, allow_unused=True))
    return there, back


def _update(part: _Part, op: Op, config: OpConfig) -> tuple[float, float]:
    """Of the optimizer, and of giving the gradient to the parameter."""
    parameter = _piece(op.outputs[0], config.outputs[0], part.mesh)
    stepping = Optimizer(part.optimizer, 1e-6).of([parameter])
    parameter.grad = torch.full_like(parameter, 1e-3)
    return 0.0, _median(stepping.step)


def _piece(value: Value, layout: Layout, mesh: MeshShape) -> Tensor:
    shape, dtype = local_shape(value.shape, layout, mesh), getattr(torch, value.dtype)
    if not dtype.is_floating_point:
        return torch.randint(0, 2, shape).to(dtype)
    return (torch.randn(shape) * 0.1).to(dtype).requires_grad_(value.differentiable)


def _copied() -> float:
    """Bytes a second read and written by a copy."""
    source, target = torch.zeros(1 << 21), torch.zeros(1 << 21)
    return 2 * source.nbytes / _median(lambda: target.copy_(source))

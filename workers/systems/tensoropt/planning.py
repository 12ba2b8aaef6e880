"""Frontiers for every number of devices: over all meshes of so many, with blocks kept or computed again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from workers.core.channel import Channel
from workers.core.errors import JobError
from workers.planning.pareto import pareto, thin
from workers.planning.search import Limits, search
from workers.spreading.capture.graph import OpGraph
from workers.spreading.configs.configurations import roles
from workers.spreading.configs.document import document
from workers.spreading.configs.known import Use, known
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.segments import Segment, segments
from workers.spreading.configs.strategy import CannotMove, Strategy
from workers.spreading.costs.breakdown import memory_by_cause, time_by_cause
from workers.spreading.costs.machine import Machine
from workers.spreading.costs.memory import OptimizerName
from workers.spreading.costs.prices import Prices
from workers.spreading.costs.problem import Setting
from workers.spreading.execution.calibration import calibrate
from workers.spreading.execution.local_launcher import LocalLauncher
from workers.systems.tensoropt.spec import FrontierOf, Named, Planned, PlanTask, Point, declared

PATIENCE = Limits(candidates=4_000_000)  # seconds a mesh; what is proven by then is what is said
MOST_POINTS = 32  # of a frontier that are given whole
NAMES: dict[Use, str] = {"data": "data parallel", "sharded": "fully sharded", "tensor": "tensor parallel"}


@dataclass(frozen=True)
class _Found:
    """A point of one search: where it was found, what it costs, and its configurations."""

    setting: Setting
    memory: float
    seconds: float
    choices: np.ndarray[tuple[int], np.dtype[np.int64]]


class TooFewCores(JobError):
    """This host cannot be measured with so many processes."""


class _Pricing:
    """Prices for every mesh: of the machine that is declared, or of this host, measured once a mesh."""

    def __init__(self, graph: OpGraph, optimizer: OptimizerName, task: PlanTask, channel: Channel) -> None:
        self._graph, self._optimizer, self._channel = graph, optimizer, channel
        self._declared = declared(task)
        self._measured: dict[MeshShape, Prices] = {}
        cores = os.cpu_count() or 1
        if self._declared is None and max(task.devices) > cores:
            raise TooFewCores(f"This host has {cores} cores, so it runs up to {cores} devices. Plan for fewer.")

    @property
    def machine(self) -> Machine:
        return self._declared or max((one.machine for one in self._measured.values()), key=lambda m: m.devices)

    def of(self, mesh: MeshShape) -> Prices:
        if self._declared is not None:
            return Prices(self._declared, mesh)
        if mesh not in self._measured:
            began = time.monotonic()
            found = calibrate(self._graph, mesh, self._optimizer, LocalLauncher(threads=1))
            self._measured[mesh] = Prices(found.machine, mesh, found.operators)
            seconds = time.monotonic() - began
            self._channel.log(f"measured {len(found.operators)} operators on {prod(mesh)} devices in {seconds:.1f} s")
        return self._measured[mesh]


def plan(graph: OpGraph, optimizer: OptimizerName, task: PlanTask, channel: Channel) -> Planned:
    """The frontier of every number of devices asked for; strategies become artifacts."""
    pricing = _Pricing(graph, optimizer, task, channel)
    numbers = sorted(set(task.devices))
    frontiers = []
    for number, devices in enumerate(numbers):
        channel.progress(number, len(numbers), "frontiers")
        frontiers.append(_frontier(graph, optimizer, task, pricing, devices, channel))
    channel.progress(len(numbers), len(numbers), "frontiers")
    parameters = [op.outputs[0] for op in graph.of_kind("parameter")]
    calls = graph.of_kind("call")
    return Planned(
        parameters=sum(prod(value.shape) for value in parameters),
        operators=len(calls),
        whole=tuple(sorted({op.target for op in calls if not roles(graph, op).known})),
        machine=pricing.machine,
        frontiers=tuple(frontiers),
    )


def meshes(devices: int, dims: int) -> Iterator[MeshShape]:
    """Shapes of so many devices with up to `dims` dimensions, none of them of one device."""
    yield (devices,)
    if dims == 2:
        yield from ((n, devices // n) for n in range(2, devices) if devices % n == 0)


def _frontier(
    graph: OpGraph, optimizer: OptimizerName, task: PlanTask, pricing: _Pricing, devices: int, channel: Channel
) -> FrontierOf:
    began = time.monotonic()
    found: list[_Found] = []
    names: list[Named] = []
    exact, eps = True, task.eps
    parts: list[tuple[Segment, ...]] = [()]
    if task.checkpointing and (blocks := tuple(segments(graph).values())):
        parts += [blocks[: len(blocks) // 2], blocks] if len(blocks) > 1 else [blocks]
    for mesh, again in product(meshes(devices, task.mesh_dims), parts):
        channel.checkpoint()
        setting = Setting(graph, pricing.of(mesh), optimizer, again)
        result = search(setting.problem, task.eps, PATIENCE, tick=lambda done, total: channel.checkpoint())
        exact, eps = exact and result.exact, max(eps, result.eps)
        found += map(_Found, [setting] * len(result), result.memory, result.time, result.choices)
        if not again:
            names += _known(setting, devices, len(names), channel)
    kept = pareto(np.array([one.memory for one in found]), np.array([one.seconds for one in found]))
    best = [found[i] for i in kept]
    seconds = time.monotonic() - began
    channel.log(f"devices {devices}: {len(best):,} strategies on the frontier in {seconds:.1f} s")
    return FrontierOf(
        devices=devices,
        points=tuple(_point(one, devices, i, channel) for i, one in enumerate(_thinned(best))),
        found=len(best),
        known=tuple(names),
        exact=exact and len(parts) == 1,
        eps=eps,
        search_s=seconds,
    )


def _thinned(best: list[_Found]) -> list[_Found]:
    memory, seconds = np.array([one.memory for one in best]), np.array([one.seconds for one in best])
    kept, _ = thin(memory, seconds, np.array([len(best)]), MOST_POINTS)
    return [best[i] for i in kept]


def _point(one: _Found, devices: int, number: int, channel: Channel) -> Point:
    strategy = one.setting.strategy(one.choices)
    artifact = _store(strategy, f"{devices}-{number:02}", channel)
    return Point(artifact=artifact, **_figures(one.setting, strategy, one.memory, one.seconds))


def _store(strategy: Strategy, name: str, channel: Channel) -> str:
    artifact = f"strategies/{name}.json"
    channel.artifact(artifact, document(strategy).model_dump_json().encode(), "application/json")
    return artifact


def _known(setting: Setting, devices: int, first: int, channel: Channel) -> Iterator[Named]:
    """Strategies known by name on this mesh, numbered from `first`; one that cannot be is left out."""
    number = first
    for uses in product(NAMES, repeat=len(setting.mesh)):
        if len(set(uses)) < len(uses) or prod(setting.mesh) == 1:
            continue  # the same along both dimensions is that on a mesh of one
        try:
            strategy = known(setting.graph, setting.mesh, uses, setting.prices.hop, setting.prices.machine.all_to_all)
        except CannotMove:
            continue
        name = " × ".join(f"{NAMES[use]} {n}" for use, n in zip(uses, setting.mesh, strict=True))
        artifact = _store(strategy, f"{devices}-known-{number}", channel)
        number += 1
        yield Named(name=name, artifact=artifact, **_figures(setting, strategy, *setting.costs(strategy)))


def _figures(setting: Setting, strategy: Strategy, memory: float, seconds: float) -> dict[str, object]:
    return {
        "mesh": setting.mesh,
        "memory_bytes": memory,
        "step_s": seconds,
        "memory": memory_by_cause(setting, strategy, memory),
        "time": time_by_cause(setting, strategy),
        "recomputed": len(strategy.recomputed),
    }

"""Finding strategies: how long it takes, and how much better than what people pick the best under a cap is.

Costs are those of the declared cluster of eight GPUs, so figures of steps are costs, not measurements.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import torch

from tests.workers.spreading.integer_program import IntegerProgram, NotFound
from workers.planning.frontier import Frontier
from workers.planning.problem import Problem
from workers.planning.search import Limits, on_the_hull, search
from workers.spreading.capture.export import capture
from workers.spreading.capture.graph import OpGraph
from workers.spreading.configs.known import Use, known
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.strategy import CannotMove
from workers.spreading.costs.machine import eight_gpus
from workers.spreading.costs.prices import Prices
from workers.spreading.costs.problem import Setting
from workers.spreading.zoo.sizes import TransformerSizes
from workers.spreading.zoo.table import build

MESHES: tuple[MeshShape, ...] = ((8,), (2, 4))
LAYERS = (24, 48)
EPS = 0.05
PATIENCE = Limits(candidates=4_000_000)
ILP_SECONDS = 60.0
USES: tuple[Use, ...] = ("data", "sharded", "tensor")
CAPS = 10
CAPPED_MESHES: tuple[MeshShape, ...] = ((8,), (2, 4), (4, 2))
CAPPED = TransformerSizes(batch=32, length=512, width=1024, hidden=4096, heads=16, vocabulary=16384, layers=6)
TIMES_HEAD = (
    f"{'layers':>6}  {'mesh':8}{'capture s':>10}{'tables s':>10}{'search s':>10}{'points':>8}{'within':>8}"
    f"{'ILP, one cap, s':>17}"
)
CAPS_HEAD = (
    f"{'cap MiB':>8}{'frontier':>10}{'one aim':>10}{'data':>10}{'sharded':>10}{'tensor':>10}   ms; - where none fits"
)


@dataclass(frozen=True)
class PlanTime:
    """Seconds that planning takes on one core, and an integer program (HiGHS) under one cap."""

    layers: int
    mesh: MeshShape
    capture_s: float
    tables_s: float
    search_s: float
    points: int
    proven: float  # tolerance
    ilp_s: float | None  # None where it was not done in ILP_SECONDS

    def line(self) -> str:
        ilp = "" if self.layers != LAYERS[0] else f"> {ILP_SECONDS:g}" if self.ilp_s is None else f"{self.ilp_s:.1f}"
        seconds = f"{self.capture_s:10.1f}{self.tables_s:10.1f}{self.search_s:10.1f}"
        return f"{self.layers:6}  {'x'.join(map(str, self.mesh)):8}{seconds}{self.points:8}{self.proven:8.1%}{ilp:>17}"


@dataclass(frozen=True)
class Capped:
    """Milliseconds of the best step under a cap, by who looks for it; None where nothing fits."""

    cap_bytes: float
    frontier: float | None
    single_aim: float | None  # the least of weighted sums of memory and time, all weightings: the hull alone
    data: float | None
    sharded: float | None
    tensor: float | None

    def line(self) -> str:
        values = (self.frontier, self.single_aim, self.data, self.sharded, self.tensor)
        return f"{self.cap_bytes / 2**20:8.0f}" + "".join(f"{'-' if v is None else f'{v:.1f}':>10}" for v in values)


@lru_cache(None)
def _graph(sizes: TransformerSizes) -> OpGraph:
    example = build(sizes)
    return capture(example.model, example.inputs).graph


def planning_times() -> Iterator[PlanTime]:
    """A Transformer of width 256 by layers and mesh, to a proven tolerance of EPS, one thread."""
    torch.set_num_threads(1)
    for layers, mesh in product(LAYERS, MESHES):
        _graph.cache_clear()
        began = time.perf_counter()
        graph = _graph(_deep(layers))
        captured = time.perf_counter()
        setting = Setting(graph, Prices(eight_gpus(), mesh), "adam")
        problem = setting.problem
        built = time.perf_counter()
        found = search(problem, EPS, PATIENCE)
        done = time.perf_counter()
        cap = float(np.sqrt(found.memory[0] * found.memory[-1]))
        ilp = _ilp(problem, cap) if layers == LAYERS[0] else None
        yield PlanTime(layers, mesh, captured - began, built - captured, done - built, len(found), found.eps, ilp)


def _deep(layers: int) -> TransformerSizes:
    return TransformerSizes(batch=64, length=128, width=256, hidden=1024, heads=8, vocabulary=8192, layers=layers)


def _ilp(problem: Problem, cap: float) -> float | None:
    began = time.perf_counter()
    try:
        IntegerProgram(problem).least_time(cap, ILP_SECONDS)
    except NotFound:
        return None
    return time.perf_counter() - began


def under_caps() -> Iterator[Capped]:
    """The best under caps from the least memory there is to what the hungriest known strategy takes."""
    torch.set_num_threads(1)
    settings = [Setting(_graph(CAPPED), Prices(eight_gpus(), mesh), "adam") for mesh in CAPPED_MESHES]
    frontier = [(m, t) for one in settings for m, t in _points(search(one.problem, EPS, PATIENCE))]
    single = [(m, t) for one in settings for m, t in _points(on_the_hull(one.problem))]
    by_name = {use: [cost for one in settings for cost in _known(one, use)] for use in USES}
    low, high = min(m for m, _ in frontier), max(m for points in by_name.values() for m, _ in points)
    for cap in np.geomspace(low * 1.02, high, CAPS):
        yield Capped(float(cap), *(_best(points, float(cap)) for points in (frontier, single, *by_name.values())))


def _points(found: Frontier) -> Iterator[tuple[float, float]]:
    return zip(found.memory.tolist(), found.time.tolist(), strict=True)


def _known(setting: Setting, use: Use) -> Iterator[tuple[float, float]]:
    """Of that use alone, or with data parallel along the other dimension of the mesh."""
    names: tuple[Use, ...] = ("data", use)
    for uses in product(names, repeat=len(setting.mesh)):
        if use not in uses:
            continue
        try:
            chosen = known(setting.graph, setting.mesh, uses, setting.prices.hop, setting.prices.machine.all_to_all)
        except CannotMove:
            continue
        yield setting.costs(chosen)


def _best(points: list[tuple[float, float]], cap: float) -> float | None:
    return min((time * 1e3 for memory, time in points if memory <= cap), default=None)

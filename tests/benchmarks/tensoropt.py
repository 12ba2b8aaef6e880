"""Finding strategies: how long it takes, and how much better than what people pick the best under a cap is.

Costs are those of the declared cluster of eight GPUs, so figures of steps are costs, not measurements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import torch

from tests.workers.spreading.integer_program import NotFound, least_time_within
from workers.planning.frontier import Frontier
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
SOLVED: tuple[tuple[int, MeshShape], ...] = ((6, (8,)), (24, (8,)), (24, (2, 4)))
USES: tuple[Use, ...] = ("data", "sharded", "tensor")
CAPS = 10
CAPPED_MESHES: tuple[MeshShape, ...] = ((8,), (2, 4), (4, 2))
CAPPED = TransformerSizes(batch=32, length=512, width=1024, hidden=4096, heads=16, vocabulary=16384, layers=6)
TIMES_HEAD = f"{'layers':>6}  {'mesh':8}{'capture s':>10}{'tables s':>10}{'search s':>10}{'points':>8}{'within':>8}"
ILP_HEAD = f"{'layers':>6}  {'mesh':8}{'frontier s':>11}   integer program, one cap"
CAPS_HEAD = (
    f"{'cap MiB':>8}{'frontier':>10}{'one aim':>10}{'data':>10}{'sharded':>10}{'tensor':>10}   ms; - where none fits"
)


@dataclass(frozen=True)
class PlanTime:
    """Seconds that planning takes on one core."""

    layers: int
    mesh: MeshShape
    capture_s: float
    tables_s: float
    search_s: float
    points: int
    proven: float  # tolerance

    def line(self) -> str:
        seconds = f"{self.capture_s:10.1f}{self.tables_s:10.1f}{self.search_s:10.1f}"
        return f"{self.layers:6}  {_shown(self.mesh):8}{seconds}{self.points:8}{self.proven:8.1%}"


@dataclass(frozen=True)
class Solved:
    """Seconds of a whole frontier, and of an integer program (HiGHS) under one cap, start and building included."""

    layers: int
    mesh: MeshShape
    frontier_s: float
    solved_s: float | None
    why_not: str | None
    above: float | None  # how much longer the frontier's best step under the cap is, relative

    def line(self) -> str:
        solved = self.why_not or f"{self.solved_s:.1f} s, the frontier's step {self.above:+.2%}"
        return f"{self.layers:6}  {_shown(self.mesh):8}{self.frontier_s:11.1f}   {solved}"


def _shown(mesh: MeshShape) -> str:
    return "x".join(map(str, mesh))


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
        yield PlanTime(layers, mesh, captured - began, built - captured, done - built, len(found), found.eps)


def by_integer_program() -> Iterator[Solved]:
    """The best under one cap, the geometric middle of the frontier, by a solver that shares nothing with the search."""
    torch.set_num_threads(1)
    for layers, mesh in SOLVED:
        problem = Setting(_graph(_deep(layers)), Prices(eight_gpus(), mesh), "adam").problem
        began = time.perf_counter()
        found = search(problem, EPS, PATIENCE)
        frontier_s = time.perf_counter() - began
        cap = float(np.sqrt(found.memory[0] * found.memory[-1]))
        ours = float(found.time[found.memory <= cap].min())
        began = time.perf_counter()
        try:
            least = least_time_within(problem, cap, ILP_SECONDS)
        except NotFound as error:
            yield Solved(layers, mesh, frontier_s, None, str(error), None)
        else:
            yield Solved(layers, mesh, frontier_s, time.perf_counter() - began, None, ours / least - 1)


def _deep(layers: int) -> TransformerSizes:
    return TransformerSizes(batch=64, length=128, width=256, hidden=1024, heads=8, vocabulary=8192, layers=layers)


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


Part = tuple[str, Callable[[], Iterable[PlanTime | Solved | Capped]]]
PARTS: dict[str, Part] = {
    "times": (TIMES_HEAD, planning_times),
    "ilp": (ILP_HEAD, by_integer_program),
    "caps": (CAPS_HEAD, under_caps),
}

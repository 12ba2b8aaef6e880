"""What users of other libraries complained of, as four figures with a bound each: weights, threads, tiny graphs.

A weight an edge may cost a little, two threads must be worth having, and a small molecule must not wait for threads.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from tests.benchmarks.workloads import WORKLOADS
from workers.compiler.parse import parse_program
from workers.compiler.runtime import GraphIndex, compile_program

PLAIN = 'def plain(v: Vertex(h="width")):\n    return sum(nb.h for nb in v.innbs)\n'
WEIGHTED = 'def weighted(v: Vertex(h="width", edges=Edge(w=""))):\n    return sum(e.w * e.src.h for e in v.inedges)\n'
WIDE, NARROW = 256, 32
MANY_VERTICES, MANY_ARCS = 1_000_000, 5_000_000
FEW_VERTICES, FEW_ARCS, CALLS = 30, 64, 200
HEAD = f"{'measure':64}{'seen':>10}{'bound':>12}"


@dataclass(frozen=True)
class Guard:
    """One figure; `least` marks one that must not be below its bound."""

    measure: str
    seen: float
    bound: float
    unit: str
    least: bool = False

    @property
    def met(self) -> bool:
        return self.seen >= self.bound if self.least else self.seen <= self.bound


def line(guard: Guard) -> str:
    bound = f"{'>=' if guard.least else '<='} {guard.bound:g} {guard.unit}"
    return f"{guard.measure:64}{guard.seen:10.2f}{bound:>12}" + ("" if guard.met else "  MISSED")


def measure(rounds: int) -> Iterator[Guard]:
    yield _weights(rounds)
    yield _threads(rounds)
    yield _tiny(rounds)


def _weights(rounds: int) -> Guard:
    w = WORKLOADS["skewed-50k"]()
    graph = GraphIndex(w.src, w.dst, w.n, w.n)
    h, weights = torch.randn(w.n, WIDE), torch.rand(len(w.src))
    plain, weighted = _medians(_call(PLAIN, graph, h=h), _call(WEIGHTED, graph, h=h, w=weights), rounds=rounds)
    return Guard("skewed-50k, width 256: weighted sum over plain sum", weighted / plain, 1.3, "x")


def _threads(rounds: int) -> Guard:
    rng = np.random.default_rng(0)
    src, dst = (rng.integers(0, MANY_VERTICES, MANY_ARCS) for _ in range(2))
    call = _call(PLAIN, GraphIndex(src, dst, MANY_VERTICES, MANY_VERTICES), h=torch.randn(MANY_VERTICES, NARROW))

    def on(threads: int) -> None:
        torch.set_num_threads(threads)
        call()

    before = torch.get_num_threads()
    try:
        one, two = _medians(lambda: on(1), lambda: on(2), rounds=rounds)
    finally:
        torch.set_num_threads(before)
    return Guard("1,000,000 vertices, 5,000,000 arcs: one thread over two", one / two, 1.6, "x", least=True)


def _tiny(rounds: int) -> Guard:
    rng = np.random.default_rng(0)
    src, dst = (rng.integers(0, FEW_VERTICES, FEW_ARCS) for _ in range(2))
    call = _call(PLAIN, GraphIndex(src, dst, FEW_VERTICES, FEW_VERTICES), h=torch.randn(FEW_VERTICES, NARROW))

    def many() -> None:
        for _ in range(CALLS):
            call()

    (took,) = _medians(many, rounds=rounds)
    return Guard("30 vertices: one call of a fused program", 1e6 * took / CALLS, 50, "us")


def _call(source: str, graph: GraphIndex, **given: torch.Tensor) -> Callable[[], None]:
    compiled = compile_program(parse_program(source, {"width": given["h"].shape[1]}))

    def run() -> None:
        with torch.no_grad():
            compiled(graph, given)

    run()
    return run


def _medians(*runs: Callable[[], None], rounds: int) -> list[float]:
    """Seconds of each, in alternation."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, seen in zip(runs, times, strict=True):
            began = time.perf_counter()
            run()
            seen.append(time.perf_counter() - began)
    return [statistics.median(seen) for seen in times]

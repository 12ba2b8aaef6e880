"""Seeded graphs that every system is measured on; plain numpy, so no system under test is needed to make them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Workload:
    """n vertices; src, dst: int64[E] with one self-loop a vertex; x: float32[n, F]; y: int64[n] below `classes`."""

    name: str
    n: int
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    x: NDArray[np.float32]
    y: NDArray[np.int64]
    classes: int


def skewed(name: str, n: int, arcs: int, *, width: int = 64, classes: int = 16, seed: int = 0) -> Workload:
    """In- and out-degrees follow a power law on differently shuffled vertices; repeated arcs are kept.

    Ends are drawn from the density proportional to u^1.5 on [0, 1), once from each end of the order.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)

    def ends(flipped: bool) -> NDArray[np.int64]:
        u = rng.power(2.5, size=arcs)
        rank = (n * (1 - u if flipped else u)).astype(np.int64)
        return np.asarray(order[rank % n], np.int64)

    heads, tails, loops = ends(False), ends(True), np.arange(n)
    return Workload(
        name=name,
        n=n,
        src=np.concatenate([tails, loops]),
        dst=np.concatenate([heads, loops]),
        x=rng.standard_normal((n, width), dtype=np.float32),
        y=rng.integers(0, classes, n),
        classes=classes,
    )


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "skewed-50k": lambda: skewed("skewed-50k", 50_000, 1_000_000),
    "skewed-200k": lambda: skewed("skewed-200k", 200_000, 4_000_000),
}

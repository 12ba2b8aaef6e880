"""What is still worth finding once some strategies are known: the corners of the staircase they make.

A strategy that none of the known ones beats lies below and left of some corner: less memory than one known strategy,
less time than the one before. With a tolerance it must do better by that much, so a corner shrinks by it. What costs
too much to get below any corner, by the bounds of its table, can be left out: no answer is lost but for the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workers.planning.bounds import Bounds, Weights
from workers.planning.problem import Floats, Ints
from workers.planning.tables import Bools

# What rounding of weighted sums may amount to, relative to the sums.
ROUNDING = 1e-11


@dataclass(frozen=True)
class Known:
    """A frontier of strategies that were found: bytes ascending, picoseconds descending."""

    memory: Floats
    time: Floats


@dataclass(frozen=True)
class Corners:
    """For each weighting [W]: the largest weighted cost, memory and time of the corners it is the one to ask for."""

    cost: Floats
    memory: Floats
    time: Floats

    @property
    def none(self) -> bool:
        return bool(np.isneginf(self.cost).all())

    @property
    def asked(self) -> Ints:
        """Memory alone, time alone, and the weightings that some corner asks for."""
        return np.union1d([0, 1], np.flatnonzero(~np.isneginf(self.cost)))

    def only(self, weightings: Ints) -> Corners:
        return Corners(self.cost[weightings], self.memory[weightings], self.time[weightings])


def hull_weights(known: Known) -> Weights:
    """Memory alone, time alone, and the weightings under which neighbours on the lower hull of what is known tie."""
    hull = _hull(known.memory, known.time)
    memory, time = known.memory[hull], known.time[hull]
    steps = np.stack([time[:-1] - time[1:], memory[1:] - memory[:-1]])
    steps = steps / np.maximum(np.abs(steps).max(axis=0), 1e-300)
    return Weights(np.array([1.0, 0.0, *steps[0]]), np.array([0.0, 1.0, *steps[1]]))


def corners(known: Known, weights: Weights, least: Floats, tolerance: float) -> Corners:
    """Corners of what is known, shrunk by a tolerance, with the weighting that bounds each best.

    `least` [W] is what any strategy costs at least under each weighting.
    """
    memory = np.append(known.memory, np.inf) / (1 + tolerance)
    time = np.insert(known.time, 0, np.inf) / (1 + tolerance)
    count = len(weights.memory)
    with np.errstate(invalid="ignore"):
        cost = np.where(weights.memory[:, None] > 0, weights.memory[:, None] * memory, 0.0)
        cost += np.where(weights.time[:, None] > 0, weights.time[:, None] * time, 0.0)
        slack = (cost - least[:, None]) / np.maximum(least[:, None], 1.0)
    best = np.argmin(slack, axis=0)
    open_ = np.flatnonzero(slack.min(axis=0) > -ROUNDING)
    found = Corners(*(np.full(count, -np.inf) for _ in range(3)))
    for into, values in ((found.cost, cost[best, np.arange(len(memory))]), (found.memory, memory), (found.time, time)):
        np.maximum.at(into, best[open_], values[open_])
    return found


def reachable(at: Corners, cost: Floats) -> Bools:
    """Which of the weighted costs [W, ...] of whole strategies, at least so much, may be below some corner.

    The first weighting is memory alone, the second time alone.
    """
    memory, time = cost[0] * (1 - ROUNDING), cost[1] * (1 - ROUNDING)
    found = np.zeros(cost.shape[1:], bool)
    for w in np.flatnonzero(~np.isneginf(at.cost)):
        found |= (cost[w] * (1 - ROUNDING) < at.cost[w]) & (memory < at.memory[w]) & (time < at.time[w])
    return found


@dataclass(frozen=True)
class Alive:
    """Whether a point of a table can be part of a strategy below a corner."""

    bounds: Bounds
    corners: Corners
    number: int

    def __call__(self, cell: Ints, memory: Floats, time: Floats) -> Bools:
        cost = self.bounds.weights.of(memory, time) + self.bounds.outside[self.number][:, cell]
        return reachable(self.corners, cost)


def _hull(memory: Floats, time: Floats) -> Ints:
    """Indices of the lower convex hull of a frontier (Andrew's monotone chain)."""
    hull: list[int] = []
    for i in range(len(memory)):
        while len(hull) > 1 and _turn(memory, time, hull[-2], hull[-1], i) <= 0:
            hull.pop()
        hull.append(i)
    return np.array(hull)


def _turn(memory: Floats, time: Floats, a: int, b: int, c: int) -> float:
    return float((memory[b] - memory[a]) * (time[c] - time[a]) - (time[b] - time[a]) * (memory[c] - memory[a]))

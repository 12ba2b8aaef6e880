"""Frontier Tracking: the frontier of a whole graph from those of its parts (TensorOpt, TPDS 2022).

1. Plan which operator to eliminate when (`order.py`); where every table would be too large, fix an operator and
   search once for each of its configurations.
2. Find the lower hull of the frontier: between neighbours the weighting under which they tie either shows a strategy
   below the line between them or proves that there is none (dichotomic search, `best.py`).
3. Mix each strategy on the hull with the next: layers that are alike change one after the other, so the hull alone has
   wide gaps. Every operator has two configurations there, so that is quick, and few points a table are kept.
4. Run the plan and keep every point that can still be part of a strategy better than all known (`bounds.py`,
   `corners.py`). That is exact up to the tolerance, which does not add up over tables, since all is held against whole
   strategies. Repeat with smaller tolerances until the one that was asked for: each round knows more, so it leaves out
   more, and where what is known proves enough, nothing is run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workers.planning.best import best_under
from workers.planning.bounds import Bounds, Weights, bounds, joined
from workers.planning.corners import Alive, Corners, Known, corners, hull_weights, reachable
from workers.planning.frontier import Frontier
from workers.planning.order import Elimination, Leaf, Order, plan
from workers.planning.pareto import pareto
from workers.planning.problem import PICOSECONDS, Floats, Ints, Problem, Terms
from workers.planning.tables import Pruning, Table, TooMany, eliminated, given, unroll

# Tolerances of the rounds; the one that was asked for comes last.
ROUNDS = (0.05, 0.02, 0.005)
MIXED_WIDTH = 24  # points a table keeps where two strategies are mixed
MOST_MIXED = 1 << 16  # cells of a table there
_ENDS = Weights(np.array([1.0, 1e-9]), np.array([1e-9, 1.0]))  # of equal ends the one that is good in both


@dataclass(frozen=True)
class Limits:
    """How far a search goes: cells of one table, and searches with operators fixed, before it leaves something out.

    `candidates` of one table: beyond, a search keeps what it has, and says what tolerance that is proven to be within.
    """

    cells: int = 4_000_000
    branches: int = 256
    candidates: int = 400_000_000


@dataclass(frozen=True)
class Found:
    """Strategies on the grid: bytes ascending, picoseconds descending, configurations [P, nodes]."""

    memory: Floats
    time: Floats
    choices: Ints

    @property
    def known(self) -> Known:
        return Known(self.memory, self.time)

    def better_of(self, *others: Found) -> Found:
        all_of = (self, *others)
        memory, time = np.concatenate([f.memory for f in all_of]), np.concatenate([f.time for f in all_of])
        kept = pareto(memory, time)
        return Found(memory[kept], time[kept], np.concatenate([f.choices for f in all_of])[kept])


_NONE = Found(np.zeros(0), np.zeros(0), np.zeros((0, 0), np.int64))


def on_the_hull(problem: Problem) -> Frontier:
    """What a search for one aim finds, the weighted sum of memory and time, under any weighting."""
    found = Found(np.zeros(0), np.zeros(0), np.zeros((0, len(problem.sizes)), np.int64))
    for branch in _branches(problem.terms, Limits())[0]:
        hull = _hull(branch)
        if len(hull.memory):
            found = found.better_of(branch.whole(hull))
    return Frontier(found.memory, found.time / PICOSECONDS, found.choices, exact=False, eps=np.inf)


class NoStrategy(ValueError):
    """What was asked for allows no strategy."""


Tick = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    del done, total


def search(problem: Problem, eps: float = 0.0, limits: Limits | None = None, tick: Tick = _silent) -> Frontier:
    """The frontier of `problem`; `tick` hears how many of how many tables are made. Empty where nothing is allowed."""
    terms, most = problem.terms, limits or Limits()
    branches, exact = _branches(terms, most)
    found = Found(np.zeros(0), np.zeros(0), np.zeros((0, len(terms.sizes)), np.int64))
    proven = eps
    for branch in branches:
        found, within = _search(branch, found, eps, most.candidates, tick)
        proven = max(proven, within)
    return Frontier(found.memory, found.time / PICOSECONDS, found.choices, exact and proven == 0.0, proven)


def least_memory(terms: Terms, allowed: Sequence[Ints]) -> Ints:
    """The strategy [nodes] of least memory, of equals the fastest, where node i may only have `allowed[i]`.

    Raises NoStrategy where that allows none, or leaves too much open.
    """
    left = terms.among(allowed)
    order = plan(left, Limits().cells)
    if not isinstance(order, Order) or not len(choices := best_under(order, _ENDS.only(np.array([0])), len(allowed))):
        raise NoStrategy("No strategy has these configurations.")
    return np.array([numbers[c] for numbers, c in zip(allowed, choices[0], strict=True)])


@dataclass(frozen=True)
class _Branch:
    """A search with some operators fixed: their configurations, and the order for the rest."""

    terms: Terms
    order: Order
    fixed: tuple[tuple[int, int], ...] = ()

    def whole(self, found: Found) -> Found:
        """Strategies of this search as strategies of all: with the configurations that are fixed."""
        for node, choice in self.fixed:
            found.choices[:, node] = choice
        return found


def _branches(terms: Terms, limits: Limits) -> tuple[list[_Branch], bool]:
    """Searches that together see everything, and whether they do."""
    left: list[tuple[Terms, tuple[tuple[int, int], ...]]] = [(terms, ())]
    done, exact = [], True
    while left:
        here, fixed = left.pop()
        order = plan(here, limits.cells)
        if isinstance(order, Order):
            done.append(_Branch(here, order, fixed))
            continue
        room = limits.branches - len(done) - len(left)
        choices = _promising(here, order.node, max(room, 1))
        exact &= len(choices) == here.sizes[order.node]
        left += [(here.fixed(order.node, c), (*fixed, (order.node, c))) for c in choices]
    return done, exact


def _promising(terms: Terms, node: int, most: int) -> list[int]:
    """Configurations of an operator, the most promising by what it and its neighbours cost at least."""
    costs = np.zeros((2, terms.sizes[node]))
    for term in terms.terms:
        if node in term.scope:
            others = tuple(axis for axis, member in enumerate(term.scope) if member != node)
            costs += np.stack([term.memory.min(axis=others), term.time.min(axis=others)])
    finite = np.where(np.isfinite(costs), costs, np.nanmax(np.where(np.isfinite(costs), costs, 0.0)) * 10 + 1)
    score = (finite / np.maximum(finite.max(axis=1, keepdims=True), 1e-300)).sum(axis=0)
    return sorted(np.argsort(score, kind="stable")[:most].tolist())


def _search(branch: _Branch, known: Found, eps: float, most: int, tick: Tick) -> tuple[Found, float]:
    """What is known, and what this branch has to add to it; within what tolerance nothing is missed."""
    hull = _hull(branch)
    if not len(hull.memory):
        return known, eps
    weights = hull_weights(hull.known)
    least = weights.of(hull.memory, hull.time).min(axis=1)
    found = known.better_of(branch.whole(_mixed(branch, hull)))
    for tolerance in (*(r for r in ROUNDS if r > eps), eps):
        open_ = corners(found.known, weights, least, tolerance)
        if open_.none:
            continue
        bound = bounds(branch.order, weights.only(open_.asked))
        try:
            new = _run(branch, _pruner(bound, open_.only(open_.asked), most), tick)
        except TooMany:
            return found, _proven(found, weights, least, eps)
        found = found.better_of(branch.whole(new))
    return found, eps


def _proven(found: Found, weights: Weights, least: Floats, eps: float) -> float:
    """The smallest tolerance, to a hundredth of itself, under which the bounds leave no corner open."""
    low, high = eps, max(2 * eps, 0.01)
    while not corners(found.known, weights, least, high).none:
        low, high = high, 2 * high
    while high - low > low / 100:
        middle = (low + high) / 2
        none = corners(found.known, weights, least, middle).none
        low, high = (low, middle) if none else (middle, high)
    return high


def _hull(branch: _Branch) -> Found:
    """The strategies on the lower hull, and others found on the way."""
    nodes, asked, weights = len(branch.terms.sizes), set[tuple[float, float]](), _ENDS
    found = _NONE
    while True:
        new = [pair for pair in zip(weights.memory, weights.time, strict=True) if pair not in asked]
        if not new:
            return found
        asked.update(new)
        choices = best_under(branch.order, Weights(*np.array(new).T), nodes)
        if not len(choices):
            return found
        choices = np.concatenate([found.choices.reshape(-1, nodes), choices])
        memory, time = branch.terms.evaluate(choices)
        kept = pareto(memory, time)
        found = Found(memory[kept], time[kept], choices[kept])
        weights = hull_weights(found.known)


def _mixed(branch: _Branch, hull: Found) -> Found:
    """The hull, and strategies that take some configurations from one on it and the others from the next."""
    mixed = []
    for one, other in pairwise(hull.choices):
        allowed = [np.unique(pair) for pair in zip(one, other, strict=True)]
        terms = branch.terms.among(allowed)
        order = plan(terms, MOST_MIXED)
        if isinstance(order, Order):
            mixes = _run(_Branch(terms, order), _narrow, _silent)
            choices = np.stack([a[c] for a, c in zip(allowed, mixes.choices.T, strict=True)], axis=1)
            mixed.append(Found(mixes.memory, mixes.time, choices))
    return hull.better_of(*mixed)


Prune = Callable[[int, Elimination], Pruning]


def _narrow(number: int, recipe: Elimination) -> Pruning:
    del number, recipe
    return Pruning(width=MIXED_WIDTH)


def _pruner(bound: Bounds, open_: Corners, most: int) -> Prune:
    def prune(number: int, recipe: Elimination) -> Pruning:
        cost = joined(recipe, bound.inside) + np.repeat(bound.outside[number], recipe.k, axis=1)
        return Pruning(reachable(open_, cost), Alive(bound, open_, number), most=most)

    return prune


def _run(branch: _Branch, prune: Prune, tick: Tick) -> Found:
    """Make all tables and read the strategies off the last."""
    tables: list[Table] = []
    recipes = branch.order.recipes
    for number, recipe in enumerate(recipes):
        tables.append(given(recipe) if isinstance(recipe, Leaf) else eliminated(recipe, tables, prune(number, recipe)))
        tick(number + 1, len(recipes))
    return _read(branch, tables)


def _read(branch: _Branch, tables: list[Table]) -> Found:
    """The product of all roots, with the strategy of each point."""
    roots = branch.order.roots
    memory, time, points = np.zeros(1), np.zeros(1), list[Ints]()
    for root in roots:
        table = tables[root.recipe]
        memory = np.add.outer(memory, table.memory).ravel()
        time = np.add.outer(time, table.time).ravel()
        grid = np.indices((len(points[0]) if points else 1, len(table.memory)))
        kept = pareto(memory, time)
        points = [p[grid[0].ravel()[kept]] for p in points] + [grid[1].ravel()[kept]]
        memory, time = memory[kept], time[kept]
    choices = unroll(roots, tables, points, len(branch.terms.sizes))
    return Found(memory, time, choices)

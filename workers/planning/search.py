"""Frontier Tracking: the frontier of a whole graph from those of its parts (TensorOpt, TPDS 2022).

1. Plan which operator to eliminate when (`order.py`); where every table would be too large, fix an operator and
   search once for each of its configurations.
2. Run the plan keeping few points a table. That is fast and gives strategies, good ones but not surely the best.
3. Run it again and keep every point that can still be part of a strategy better than all known (`bounds.py`,
   `corners.py`). That is exact up to the tolerance, which does not add up over tables, since all is held against whole
   strategies.
4. Repeat with smaller tolerances until the one that was asked for: each round knows more, so it leaves out more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workers.planning.bounds import Bounds, bounds, joined
from workers.planning.corners import Alive, Corners, Known, corners, hull_weights, reachable
from workers.planning.frontier import Frontier
from workers.planning.order import Elimination, Leaf, Order, plan
from workers.planning.pareto import pareto
from workers.planning.problem import PICOSECONDS, Floats, Ints, Problem, Terms
from workers.planning.tables import Pruning, Table, eliminated, given, unroll

# Tolerances of the rounds; the one that was asked for comes last.
ROUNDS = (0.05, 0.02, 0.005)
FIRST_WIDTH = 12


@dataclass(frozen=True)
class Limits:
    """How far a search goes: cells of one table, and searches with operators fixed, before it leaves something out."""

    cells: int = 4_000_000
    branches: int = 256


@dataclass(frozen=True)
class Found:
    """Strategies on the grid: bytes ascending, picoseconds descending, configurations [P, nodes]."""

    memory: Floats
    time: Floats
    choices: Ints

    def better_of(self, other: Found) -> Found:
        memory, time = np.append(self.memory, other.memory), np.append(self.time, other.time)
        kept = pareto(memory, time)
        return Found(memory[kept], time[kept], np.concatenate([self.choices, other.choices])[kept])


Tick = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    del done, total


def search(problem: Problem, eps: float = 0.0, limits: Limits | None = None, tick: Tick = _silent) -> Frontier:
    """The frontier of `problem`; `tick` hears how many of how many tables are made. Empty where nothing is allowed."""
    terms, most = problem.terms, limits or Limits()
    branches, exact = _branches(terms, most)
    found = Found(np.zeros(0), np.zeros(0), np.zeros((0, len(terms.sizes)), np.int64))
    for branch in branches:
        found = _search(branch, found, eps, tick)
    return Frontier(found.memory, found.time / PICOSECONDS, found.choices, exact and eps == 0.0, eps)


@dataclass(frozen=True)
class _Branch:
    """A search with some operators fixed: their configurations, and the order for the rest."""

    terms: Terms
    order: Order
    fixed: tuple[tuple[int, int], ...]


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


def _search(branch: _Branch, known: Found, eps: float, tick: Tick) -> Found:
    """What is known, and what this branch has to add to it."""
    found = known.better_of(_run(branch, _narrow, tick))
    if not len(found.memory):
        return found
    for tolerance in (*(r for r in ROUNDS if r > eps), eps):
        at = Known(found.memory, found.time)
        bound = bounds(branch.order, hull_weights(at))
        if not np.isfinite(bound.least).all():
            return found
        shrink = tolerance * bound.least[0], tolerance * bound.least[1]
        open_ = corners(at, bound, shrink)
        if not open_.none:
            found = found.better_of(_run(branch, _pruner(bound, open_), tick))
    return found


Prune = Callable[[int, Elimination], Pruning]


def _narrow(number: int, recipe: Elimination) -> Pruning:
    del number, recipe
    return Pruning(width=FIRST_WIDTH)


def _pruner(bound: Bounds, open_: Corners) -> Prune:
    def prune(number: int, recipe: Elimination) -> Pruning:
        cost = joined(recipe, bound.inside) + np.repeat(bound.outside[number], recipe.k, axis=1)
        return Pruning(reachable(open_, cost), Alive(bound, open_, number))

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
    for node, choice in branch.fixed:
        choices[:, node] = choice
    return Found(memory, time, choices)

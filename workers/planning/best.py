"""The best strategy under a weighting of memory and time: eliminations with plain minima in place of frontiers.

Many weightings at once, and so quick that it is asked first: what is best under some weighting lies on the lower hull
of the frontier.
"""

from __future__ import annotations

import numpy as np

from workers.planning.bounds import Weights, joined
from workers.planning.order import Elimination, Factor, Leaf, Order
from workers.planning.problem import Floats, Ints
from workers.planning.tables import part_cells


def best_under(order: Order, weights: Weights, nodes: int) -> Ints:
    """A strategy [W, nodes] of least weighted cost for each weighting; none at all where nothing is allowed."""
    least: list[Floats] = []
    picked: list[Ints] = []
    for recipe in order.recipes:
        if isinstance(recipe, Leaf):
            least.append(weights.of(recipe.term.memory.ravel(), recipe.term.time.ravel()))
            picked.append(np.zeros((0, 0), np.int64))
        else:
            total = joined(recipe, least).reshape(len(weights.memory), -1, recipe.k)
            at = total.argmin(axis=2)
            least.append(np.take_along_axis(total, at[:, :, None], axis=2)[:, :, 0])
            picked.append(at)
    if not all(np.isfinite(least[root.recipe]).all() for root in order.roots):
        return np.zeros((0, nodes), np.int64)
    return _unrolled(order, picked, len(weights.memory), nodes)


def _unrolled(order: Order, picked: list[Ints], count: int, nodes: int) -> Ints:
    """From the roots down: the cell of each part follows from that of the table and what was picked in it."""
    choices = np.zeros((count, nodes), np.int64)
    every = np.arange(count)
    cells: dict[tuple[int, tuple[int, ...]], Ints] = {}
    left: list[tuple[Factor, Ints]] = [(root, np.zeros(count, np.int64)) for root in order.roots]
    while left:
        factor, cell = left.pop()
        recipe = order.recipes[factor.recipe]
        if factor.node is None or not isinstance(recipe, Elimination):
            continue
        choice = picked[factor.recipe][every, cell]
        choices[:, factor.node] = choice
        for (_, axes), part in zip(recipe.parts, factor.parts, strict=True):
            key = factor.recipe, axes
            if key not in cells:
                cells[key] = part_cells(recipe, axes)
            left.append((part, cells[key][cell * recipe.k + choice]))
    return choices

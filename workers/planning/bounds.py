"""What a strategy costs at least, given one cell of one table: bounds that say early what cannot be an answer.

Under weights w, memory and time become one number, w_memory * memory + w_time * time, and the least of it is found by
the same eliminations with plain minima in place of frontiers: `inside`, the least of what a cell is made of, and
`outside`, the least of all the rest. Both are had for several weights at once, a table at a time: outside of a table
that repeated layers share is the least over its places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workers.planning.order import Axes, Elimination, Leaf, Order, Recipe
from workers.planning.problem import Floats, Ints


@dataclass(frozen=True)
class Weights:
    """Weights [W] of bytes and of picoseconds."""

    memory: Floats
    time: Floats

    def only(self, weightings: Ints) -> Weights:
        return Weights(self.memory[weightings], self.time[weightings])

    def of(self, memory: Floats, time: Floats) -> Floats:
        """Weighted costs [W, ...]."""
        with np.errstate(invalid="ignore"):
            weighted = np.multiply.outer(self.memory, memory) + np.multiply.outer(self.time, time)
        return np.where(np.isfinite(memory) & np.isfinite(time), weighted, np.inf)


@dataclass(frozen=True)
class Bounds:
    """`outside` [W, cells] and `joined` [W, cells of the join] for each recipe, `least` [W] for the whole."""

    weights: Weights
    least: Floats
    outside: list[Floats]
    inside: list[Floats]


def bounds(order: Order, weights: Weights) -> Bounds:
    """Least weighted costs inside and outside of every cell of every table."""
    inside: list[Floats] = []
    for recipe in order.recipes:
        inside.append(_inside(recipe, inside, weights))
    least: Floats = np.sum([inside[root.recipe][:, 0] for root in order.roots], axis=0)
    return Bounds(weights, least, _outside(order, inside, least), inside)


def joined(recipe: Elimination, inside: Sequence[Floats]) -> Floats:
    """Least weighted cost [W, cells of the join] of what is added up there."""
    shape = (*recipe.shape, recipe.k)
    count = len(inside[recipe.parts[0][0]])
    total = np.zeros((count, *shape))
    for number, axes in recipe.parts:
        total += _along(inside[number], shape, axes)
    return total.reshape(count, -1)


def _along(cost: Floats, shape: tuple[int, ...], axes: Axes) -> Floats:
    """A part's costs [W, cells of the part], laid out so that they spread over a join of that shape."""
    table = cost.reshape(-1, *(shape[axis] for axis in axes))
    ascending = sorted(range(len(axes)), key=axes.__getitem__)
    sizes = (size if axis in axes else 1 for axis, size in enumerate(shape))
    return table.transpose(0, *(at + 1 for at in ascending)).reshape(len(table), *sizes)


def _inside(recipe: Recipe, inside: list[Floats], weights: Weights) -> Floats:
    if isinstance(recipe, Leaf):
        return weights.of(recipe.term.memory.ravel(), recipe.term.time.ravel())
    total = joined(recipe, inside)
    least: Floats = total.reshape(len(total), -1, recipe.k).min(axis=2)
    return least


def _outside(order: Order, inside: list[Floats], least: Floats) -> list[Floats]:
    """From the roots down: what surrounds a part is what surrounds the join, and the other parts."""
    outside = [np.full(values.shape, np.inf) for values in inside]
    if not np.isfinite(least).all():
        return outside
    for root in order.roots:
        np.minimum(outside[root.recipe][:, 0], least - inside[root.recipe][:, 0], out=outside[root.recipe][:, 0])
    for number in reversed(range(len(order.recipes))):
        recipe = order.recipes[number]
        if isinstance(recipe, Elimination):
            total = joined(recipe, inside) + np.repeat(outside[number], recipe.k, axis=1)
            for part, axes in recipe.parts:
                around = _least_along(total, recipe, axes)
                finite = np.isfinite(around)
                around[finite] -= inside[part][finite]
                np.minimum(outside[part], around, out=outside[part])
    return outside


def _least_along(total: Floats, recipe: Elimination, axes: Axes) -> Floats:
    """The least over all cells of the join that share a part's cell [W, cells of the part]."""
    shape = (*recipe.shape, recipe.k)
    others = tuple(axis + 1 for axis in range(len(shape)) if axis not in axes)
    least = total.reshape(len(total), *shape).min(axis=others)
    kept = sorted(axes)
    order = (0, *(kept.index(axis) + 1 for axis in axes))
    return np.ascontiguousarray(least.transpose(order)).reshape(len(total), -1)

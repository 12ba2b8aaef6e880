"""Which operator to eliminate when: the search's plan, made before any cost is added.

Eliminating an operator replaces every table that mentions it by one over its neighbours: for each of their
configurations, the frontier over its own. An operator between two others, a leaf, parallel edges and branches
are all cases of this. Only the tables' shapes and which of them are equal matter here, so of repeated layers
the first is worked out and the others refer to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heapify, heappop, heappush
from math import prod

from workers.planning.problem import Term, Terms

Axes = tuple[int, ...]


@dataclass(frozen=True)
class Leaf:
    """A table that was given: the costs of one node or edge, shared by all that cost the same."""

    shape: tuple[int, ...]
    term: Term


@dataclass(frozen=True)
class Elimination:
    """A table to be made: over the axes of `shape`, the frontier over `k` configurations of what is eliminated.

    `parts` are what is added up: the number of a table, and for each of its axes the axis here it runs along; the
    eliminated operator is the axis after the last.
    """

    shape: tuple[int, ...]
    k: int
    parts: tuple[tuple[int, Axes], ...]

    @property
    def cells(self) -> int:
        """How many combinations of configurations are looked at."""
        return prod(self.shape) * self.k


Recipe = Leaf | Elimination


@dataclass(frozen=True)
class Factor:
    """A table in its place: which operators its axes are, and for one that was made, what it was made from."""

    recipe: int
    scope: tuple[int, ...]
    node: int | None = None
    parts: tuple[Factor, ...] = ()


@dataclass(frozen=True)
class Blocked:
    """Eliminating any operator that is left would take a table larger than allowed; `node` has most neighbours."""

    node: int
    cells: int


@dataclass
class Order:
    """Recipes, those they refer to first, and the factors without scope that are left: their product is the answer."""

    recipes: list[Recipe] = field(default_factory=list)
    roots: list[Factor] = field(default_factory=list)

    @property
    def cells(self) -> int:
        return sum(r.cells for r in self.recipes if isinstance(r, Elimination))


def plan(terms: Terms, most_cells: int) -> Order | Blocked:
    """Eliminate what is cheapest next, and before that whatever was worked out already."""
    return _Planner(terms, most_cells).plan()


class _Planner:
    """The factors that are left, by operator, and recipes by what they are made of."""

    def __init__(self, terms: Terms, most_cells: int) -> None:
        self.sizes = terms.sizes
        self.most_cells = most_cells
        self.order = Order()
        self.known: dict[object, int] = {}
        self.factors: list[dict[int, Factor]] = [{} for _ in self.sizes]
        for term in terms.terms:
            recipe = self._number(_digest(term), Leaf(term.memory.shape, term))
            self._add(Factor(recipe, term.scope))

    def plan(self) -> Order | Blocked:
        costs = {node: self._cost(node) for node, factors in enumerate(self.factors) if factors}
        cheapest = [(cost, node) for node, cost in costs.items()]  # a heap, with entries that no longer hold
        heapify(cheapest)
        while costs:
            cost, node = heappop(cheapest)
            if costs.get(node) != cost:
                continue
            if cost > self.most_cells:
                return self._blocked(list(costs), cost)
            del costs[node]
            for neighbour in self._eliminate(node):
                costs[neighbour] = self._cost(neighbour)
                heappush(cheapest, (costs[neighbour], neighbour))
        return self.order

    def _blocked(self, left: Sequence[int], cells: int) -> Blocked:
        undecided = [node for node in left if self.sizes[node] > 1]
        return Blocked(max(undecided, key=lambda n: (len(self._pattern(n)[1]), -self.sizes[n], -n)), cells)

    def _cost(self, node: int) -> int:
        """Cells of the join, none if such a join is known."""
        parts, scope = self._pattern(node)
        recipe = self._recipe(node, parts, scope)
        return 0 if recipe in self.known else recipe.cells

    def _eliminate(self, node: int) -> tuple[int, ...]:
        parts, scope = self._pattern(node)
        recipe = self._recipe(node, parts, scope)
        for factor in parts:
            for member in factor.scope:
                del self.factors[member][id(factor)]
        made = Factor(self._number(recipe, recipe), scope, node, tuple(parts))
        self._add(made)
        return scope

    def _pattern(self, node: int) -> tuple[list[Factor], tuple[int, ...]]:
        """What mentions the operator, in an order that equal surroundings share, and its neighbours, likewise."""
        parts = sorted(self.factors[node].values(), key=lambda f: (f.recipe, f.scope.index(node)))
        scope = dict.fromkeys(member for factor in parts for member in factor.scope if member != node)
        return parts, tuple(scope)

    def _recipe(self, node: int, parts: list[Factor], scope: tuple[int, ...]) -> Elimination:
        axis = {member: at for at, member in enumerate((*scope, node))}
        return Elimination(
            tuple(self.sizes[member] for member in scope),
            self.sizes[node],
            tuple((f.recipe, tuple(axis[member] for member in f.scope)) for f in parts),
        )

    def _number(self, key: object, recipe: Recipe) -> int:
        number = self.known.setdefault(key, len(self.order.recipes))
        if number == len(self.order.recipes):
            self.order.recipes.append(recipe)
        return number

    def _add(self, factor: Factor) -> None:
        if not factor.scope:
            self.order.roots.append(factor)
        for member in factor.scope:
            self.factors[member][id(factor)] = factor


def _digest(term: Term) -> tuple[bytes, tuple[int, ...]]:
    digest = blake2b(term.memory.tobytes())
    digest.update(term.time.tobytes())
    return digest.digest(), term.memory.shape

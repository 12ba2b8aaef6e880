"""What a search is given: operators with a cost for each configuration, and what it costs to connect two of them.

Costs lie on a grid, whole bytes and whole picoseconds, kept in float64: sums of whole numbers below 2^53 are exact in
any order, so two strategies cost the same exactly where they should, and a strategy found costs what it is said
to cost. An infinite cost says that a configuration, or a pair of them, is not allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PICOSECONDS = 1e12
WHOLE = 2.0**53


class ProblemInvalid(ValueError):
    """The costs given contradict each other; the message says which."""


@dataclass(frozen=True)
class Node:
    """An operator. `memory` [K] bytes a device holds, `time` [K] seconds a step takes, for each of K configurations."""

    name: str
    memory: Floats
    time: Floats
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edge:
    """A tensor that `source` hands to `target`: `memory`, `time` [K of source, K of target], as of nodes."""

    source: int
    target: int
    memory: Floats
    time: Floats


@dataclass(frozen=True)
class Term:
    """One addend of the total: a table over the configurations of `scope`, bytes and picoseconds, on the grid."""

    scope: tuple[int, ...]
    memory: Floats
    time: Floats

    def fixed(self, node: int, choice: int) -> Term:
        if node not in self.scope:
            return self
        at = tuple(slice(choice, choice + 1) if n == node else slice(None) for n in self.scope)
        return Term(self.scope, self.memory[at], self.time[at])


@dataclass(frozen=True)
class Terms:
    """All addends of a total, over nodes with so many configurations."""

    sizes: tuple[int, ...]
    terms: tuple[Term, ...]

    def fixed(self, node: int, choice: int) -> Terms:
        """What is left to decide where a node's configuration is known: it has that one alone."""
        sizes = tuple(1 if n == node else size for n, size in enumerate(self.sizes))
        return Terms(sizes, tuple(term.fixed(node, choice) for term in self.terms))

    def among(self, allowed: Sequence[Ints]) -> Terms:
        """What is left to decide where node i may have the configurations `allowed[i]` alone, which become 0, 1, …

        Tables run along the nodes that have a choice; what none decides is one addend of the first node.
        """
        sizes = tuple(len(one) for one in allowed)
        parts = []
        for term in self.terms:
            scope = tuple(n for n in term.scope if sizes[n] > 1)
            at, shape = np.ix_(*(allowed[n] for n in term.scope)), tuple(sizes[n] for n in scope)
            parts.append(Term(scope, term.memory[at].reshape(shape), term.time[at].reshape(shape)))
        fixed = [part for part in parts if not part.scope]
        settled = (np.full(sizes[0], sum(float(values) for values in column)) for column in _columns(fixed))
        nodes = (Term((n,), np.zeros(size), np.zeros(size)) for n, size in enumerate(sizes) if size > 1)
        return Terms(sizes, (*(part for part in parts if part.scope), Term((0,), *settled), *nodes))

    def evaluate(self, choices: Ints) -> tuple[Floats, Floats]:
        """Bytes and picoseconds of strategies [P, nodes]."""
        memory, time = np.zeros(len(choices)), np.zeros(len(choices))
        for term in self.terms:
            at = tuple(choices[:, node] for node in term.scope)
            memory += term.memory[at]
            time += term.time[at]
        return memory, time


@dataclass(frozen=True)
class Problem:
    """A graph of operators. A strategy is one configuration a node; it costs the sum over its nodes and edges.

    Raises ProblemInvalid where shapes do not match, a cost is negative or not a number, or totals leave the grid.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        if not self.nodes:
            raise ProblemInvalid("There is no operator to place.")
        for fault in self._faults():
            raise ProblemInvalid(fault)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of configurations of each node."""
        return tuple(len(node.memory) for node in self.nodes)

    @cached_property
    def terms(self) -> Terms:
        """Nodes, then edges, on the grid. An edge from a node to itself is an addend of that node."""
        nodes = [Term((i,), _bytes(node.memory), _picoseconds(node.time)) for i, node in enumerate(self.nodes)]
        return Terms(self.sizes, (*nodes, *(_edge_term(edge) for edge in self.edges)))

    def evaluate(self, choices: Ints) -> tuple[Floats, Floats]:
        """Bytes and seconds of strategies [P, nodes] (int64)."""
        memory, time = self.terms.evaluate(choices)
        return memory, time / PICOSECONDS

    def _faults(self) -> Iterator[str]:
        for i, node in enumerate(self.nodes):
            yield from _cost_faults(f"Operator {i} ({node.name})", node, (len(node.memory),))
        if any(len(node.memory) == 0 for node in self.nodes):
            yield "An operator has no configuration at all."
        for edge in self.edges:
            if not (0 <= edge.source < len(self.nodes) and 0 <= edge.target < len(self.nodes)):
                yield f"The edge from {edge.source} to {edge.target} leaves the graph."
                continue
            ends = len(self.nodes[edge.source].memory), len(self.nodes[edge.target].memory)
            yield from _cost_faults(f"The edge from {edge.source} to {edge.target}", edge, ends)
        for unit, scale in (("memory", 1.0), ("time", PICOSECONDS)):
            most = sum(_largest(getattr(part, unit)) for part in (*self.nodes, *self.edges)) * scale
            if most >= WHOLE:
                yield f"The largest total of {unit} is too large to be counted exactly."


def _cost_faults(what: str, part: Node | Edge, shape: tuple[int, ...]) -> Iterator[str]:
    for unit, costs in (("memory", part.memory), ("time", part.time)):
        if costs.shape != shape:
            yield f"{what} has costs in {unit} of shape {costs.shape}, not {shape}."
        elif np.isnan(costs).any() or (costs < 0).any():
            yield f"{what} has a cost in {unit} that is negative or not a number."


def _largest(costs: Floats) -> float:
    finite = costs[np.isfinite(costs)]
    return float(finite.max()) if finite.size else 0.0


def _columns(terms: Sequence[Term]) -> tuple[list[Floats], list[Floats]]:
    return [term.memory for term in terms], [term.time for term in terms]


def _edge_term(edge: Edge) -> Term:
    memory, time = _bytes(edge.memory), _picoseconds(edge.time)
    if edge.source == edge.target:
        return Term((edge.source,), memory.diagonal(), time.diagonal())
    return Term((edge.source, edge.target), memory, time)


def _bytes(memory: Floats) -> Floats:
    return np.rint(np.asarray(memory, np.float64))


def _picoseconds(time: Floats) -> Floats:
    return np.rint(np.asarray(time, np.float64) * PICOSECONDS)

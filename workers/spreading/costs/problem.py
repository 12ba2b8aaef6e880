"""A model on a mesh of a machine as the search sees it: tables of bytes and seconds over configurations.

Operators that are alike share one table, and so do edges between them, so that the search sees that layers repeat.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workers.planning.problem import Edge as Joint
from workers.planning.problem import Floats, Node, Problem
from workers.planning.search import least_memory
from workers.spreading.capture.graph import Edge, Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.segments import Segment
from workers.spreading.configs.strategy import Move, Strategy, between, strategy
from workers.spreading.costs.keeping import Keeping
from workers.spreading.costs.memory import MemoryCosts, OptimizerName
from workers.spreading.costs.prices import Prices
from workers.spreading.costs.signature import described


@dataclass(frozen=True)
class Choice:
    """A configuration, and whether readers may count on its outputs being kept."""

    config: OpConfig
    kept: bool


class Setting:
    """What is searched: a graph on a mesh with prices, an optimizer, and the parts that are computed again."""

    def __init__(
        self,
        graph: OpGraph,
        prices: Prices,
        optimizer: OptimizerName = "sgd",
        recomputed: tuple[Segment, ...] = (),
    ) -> None:
        self.graph, self.prices, self.optimizer, self.recomputed = graph, prices, optimizer, recomputed
        self.keeping = Keeping(graph, recomputed)
        self.memory = MemoryCosts(graph, prices.mesh, self.keeping, optimizer)
        self._choices: dict[Hashable, tuple[Choice, ...]] = {}
        self._nodes: dict[Hashable, tuple[Floats, Floats]] = {}
        self._edges: dict[Hashable, tuple[Floats, Floats]] = {}

    @property
    def mesh(self) -> MeshShape:
        return self.prices.mesh

    @cached_property
    def problem(self) -> Problem:
        """Nodes are the graph's operators, in their order."""
        number = {op.name: i for i, op in enumerate(self.graph.ops)}
        nodes = tuple(Node(op.name, *self._node(op)) for op in self.graph.ops)
        joints = (
            Joint(number[edge.source.op], number[edge.consumer], *self._edge(edge)) for edge in self.graph.edges()
        )
        return Problem(nodes, tuple(joints))

    def choices(self, op: Op) -> tuple[Choice, ...]:
        """What a strategy may choose for an operator, in the order of the problem's configurations."""
        kind = self._classes[op.name]
        if kind not in self._choices:
            both = self.keeping.way(op) == "choice"
            self._choices[kind] = tuple(
                Choice(config, kept)
                for kept in ((True, False) if both else (self.keeping.way(op) == "always",))
                for config in configurations(self.graph, op, self.mesh)
            )
        return self._choices[kind]

    def strategy(self, picked: NDArray[np.int64]) -> Strategy:
        """What is run where operator i has its configuration `picked[i]`."""
        configs = {
            op.name: self.choices(op)[int(number)].config for op, number in zip(self.graph.ops, picked, strict=True)
        }
        return strategy(
            self.graph, self.mesh, configs, self.prices.hop, self.prices.machine.all_to_all, self.recomputed
        )

    def costs(self, given: Strategy) -> tuple[float, float]:
        """Bytes and seconds of any strategy of this graph and mesh, what is kept being kept by whom it costs least."""
        allowed = [self._alike(op, given.configs[op.name]) for op in self.graph.ops]
        memory, time = self.problem.evaluate(least_memory(self.problem.terms, allowed)[None])
        return float(memory[0]), float(time[0])

    def _alike(self, op: Op, config: OpConfig) -> NDArray[np.int64]:
        """Numbers of the choices that run an operator so."""
        return np.array(
            [
                i
                for i, choice in enumerate(self.choices(op))
                if (choice.config.inputs, choice.config.outputs) == (config.inputs, config.outputs)
                and choice.config.gradients == config.gradients
            ],
            np.int64,
        )

    def again(self, op: Op) -> bool:
        return self.keeping.again(op)

    def move(self, edge: Edge, given: OpConfig, wanted: OpConfig) -> Move | None:
        return between(self.graph, edge, self.mesh, given, wanted, self.prices.hop, self.prices.machine.all_to_all)

    def move_seconds(self, edge: Edge, move: Move) -> float:
        """There and back, and there once more where the reader is computed again."""
        there = sum(self.prices.hop(hop) for hop in move.forward)
        back = sum(self.prices.hop(hop) for hop in move.backward)
        return there * (2 if self.again(self.graph.by_name[edge.consumer]) else 1) + back

    def operator_seconds(self, op: Op, config: OpConfig) -> tuple[float, float]:
        """Of computing, forward and backward; the forward twice where it is computed again."""
        price = self.prices.operator(self.graph, op, config, self.optimizer)
        return price.forward * (2 if self.again(op) else 1), price.backward

    @cached_property
    def _classes(self) -> dict[str, Hashable]:
        """Operators of one class have the same choices, at the same costs."""
        return {op.name: self._class(op) for op in self.graph.ops}

    def _class(self, op: Op) -> Hashable:
        outputs = range(len(op.outputs))
        kept = tuple(self.keeping.kept(op, i) for i in outputs)
        roots = tuple(self.keeping.root(source).bytes for source in op.inputs)
        return described(self.graph, op), self.keeping.way(op), self.again(op), kept, roots

    def _node(self, op: Op) -> tuple[Floats, Floats]:
        kind = self._classes[op.name]
        if kind not in self._nodes:
            choices = self.choices(op)
            memory = [self.memory.node(op, choice.config, choice.kept) for choice in choices]
            time = [sum(self.operator_seconds(op, choice.config)) for choice in choices]
            self._nodes[kind] = np.array(memory, np.float64), np.array(time, np.float64)
        return self._nodes[kind]

    def _edge(self, edge: Edge) -> tuple[Floats, Floats]:
        source, reader = self._classes[edge.source.op], self._classes[edge.consumer]
        needs = self.keeping.need(edge), self.keeping.depends(edge)
        kind = source, edge.source.output, reader, edge.index, needs
        if kind not in self._edges:
            self._edges[kind] = self._table(edge)
        return self._edges[kind]

    def _table(self, edge: Edge) -> tuple[Floats, Floats]:
        givens = self.choices(self.graph.by_name[edge.source.op])
        wanteds = self.choices(self.graph.by_name[edge.consumer])
        memory = np.full((len(givens), len(wanteds)), np.inf)
        time = np.full_like(memory, np.inf)
        moves: dict[tuple[Hashable, ...], tuple[Move, float] | None] = {}
        for i, given in enumerate(givens):
            for j, wanted in enumerate(wanteds):
                output, to = edge.source.output, edge.index
                lies = given.config.outputs[output], given.config.expects(output)
                key = *lies, wanted.config.inputs[to], wanted.config.gradients[to]
                if key not in moves:
                    move = self.move(edge, given.config, wanted.config)
                    moves[key] = None if move is None else (move, self.move_seconds(edge, move))
                found = moves[key]
                if found is not None:
                    memory[i, j] = self.memory.edge(
                        edge, given.config, wanted.config, found[0], (given.kept, wanted.kept)
                    )
                    time[i, j] = found[1]
        return memory, time

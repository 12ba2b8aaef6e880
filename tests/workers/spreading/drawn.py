"""Strategies drawn at random, every operator by itself as far as there are moves between them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from workers.spreading.capture.graph import Edge, Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.strategy import Strategy, between, strategy


class Drawer:
    """Draws strategies of one graph on one mesh."""

    def __init__(self, graph: OpGraph, mesh: MeshShape, all_to_all: bool = False) -> None:
        self.graph, self.mesh, self.all_to_all = graph, mesh, all_to_all
        self.choices = {op.name: configurations(graph, op, mesh) for op in graph.ops}
        self.readers: dict[str, list[Edge]] = {op.name: [] for op in graph.ops}
        for edge in graph.edges():
            self.readers[edge.source.op].append(edge)
        self.possible = lru_cache(None)(self._possible)

    def draw(self, random: Random) -> Strategy:
        """From the last operator to the first, each with a configuration from which its readers can be reached."""
        while True:
            chosen: dict[str, OpConfig] = {}
            if all(self._choose(op, chosen, random) for op in reversed(self.graph.ops)):
                return strategy(self.graph, self.mesh, chosen, all_to_all=self.all_to_all)

    def _choose(self, op: Op, chosen: dict[str, OpConfig], random: Random) -> bool:
        for config in random.sample(self.choices[op.name], len(self.choices[op.name])):
            if self._reaches(op, config, chosen):
                chosen[op.name] = config
                return True
        return False

    def _reaches(self, op: Op, config: OpConfig, chosen: Mapping[str, OpConfig]) -> bool:
        return all(self.possible(edge, config, chosen[edge.consumer]) for edge in self.readers[op.name])

    def _possible(self, edge: Edge, given: OpConfig, wanted: OpConfig) -> bool:
        return between(self.graph, edge, self.mesh, given, wanted, all_to_all=self.all_to_all) is not None

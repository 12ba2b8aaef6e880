"""Strategies that people know by name, to compare a frontier with. No torch here.

    data parallel     every device has the whole model and part of the batch
    fully sharded     the same, but each device keeps part of every parameter and gathers the rest when it is used
    tensor parallel   every device has the batch and part of the operators that have parameters (Megatron-like)

Along the dimensions of a mesh they may be mixed. Inputs are laid first; then every operator, from first to last, takes
the configuration that moves the fewest bytes of what comes to it and, of those, computes the least on a device.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Literal

from workers.spreading.capture.graph import FORK, Edge, Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations, whole
from workers.spreading.configs.layout import PARTIAL, REPLICATED, Layout, MeshShape, Placement, split
from workers.spreading.configs.reshard import Weight, path, volume
from workers.spreading.configs.strategy import Strategy, between, strategy

Use = Literal["data", "sharded", "tensor"]  # of a mesh dimension: data parallel, fully sharded, tensor parallel


def known(
    graph: OpGraph, mesh: MeshShape, uses: tuple[Use, ...], weight: Weight = volume, all_to_all: bool = False
) -> Strategy:
    """The strategy that uses every dimension of the mesh as told."""
    choice = _Choice(graph, mesh, uses)
    for op in graph.ops:
        choice.take(op)
    return strategy(graph, mesh, choice.finished(), weight, all_to_all)


@dataclass
class _Choice:
    graph: OpGraph
    mesh: MeshShape
    uses: tuple[Use, ...]

    def __post_init__(self) -> None:
        self.chosen: dict[str, OpConfig] = {}
        self._read_by: dict[str, list[Edge]] = {}
        for edge in self.graph.edges():
            self._read_by.setdefault(edge.source.op, []).append(edge)
        self.fed: set[str] = set()  # operators whose values depend on inputs
        self.placed: set[str] = set()  # operators whose values are placed when a reader wants them
        self.wanted: dict[str, list[Layout]] = {}  # of those, how readers want them

    def take(self, op: Op) -> None:
        """Choose for an operator whose inputs are chosen."""
        if op.kind == "input" or any(source.op in self.fed for source in op.inputs):
            self.fed.add(op.name)
        if op.kind == "input":
            layout = tuple(REPLICATED if use == "tensor" else split(0) for use in self.uses)
            self.chosen[op.name] = self._leaf(op, [layout])
        elif op.kind == "output":
            self.chosen[op.name] = whole(self.graph, op, self.mesh)
        elif op.kind != "call":
            self.placed.add(op.name)
        else:
            self._take_call(op)

    def _take_call(self, op: Op) -> None:
        priced = [(cost, c) for c in self._configs(op) if (cost := self._cost(op, c)) is not None]
        self.chosen[op.name] = min(priced, key=lambda one: one[0])[1]
        for edge in op.edges():
            if edge.source.op in self.placed:
                self.wanted.setdefault(edge.source.op, []).append(self.chosen[op.name].inputs[edge.index])

    def _configs(self, op: Op) -> tuple[OpConfig, ...]:
        return configurations(self.graph, op, self.mesh)

    def _cost(self, op: Op, config: OpConfig) -> tuple[float, float] | None:
        """Bytes moved to the inputs, then operations; None where that is not how these dimensions are used."""
        moved = 0.0
        for edge in op.edges():
            target = config.inputs[edge.index]
            if op.target == FORK and PARTIAL in target:
                return None  # summed once, for all of its readers
            if edge.source.op in self.placed:
                if not self._may_lie(edge, target):
                    return None
                continue
            value = self.graph.value(edge.source)
            source = self.chosen[edge.source.op].outputs[edge.source.output]
            if edge.index in op.mutates and source != target:
                return None
            hops = path(value.shape, value.itemsize, self.mesh, source, target)
            if hops is None or (edge.source.op in self.fed and _splits(source, target)):
                return None
            moved += sum(volume(hop) for hop in hops)
        return moved, config.flops

    def _may_lie(self, edge: Edge, target: Layout) -> bool:
        """Parameters are split by what is computed along tensor parallel dimensions only."""
        if self.graph.by_name[edge.source.op].kind != "parameter":
            return True
        kept = [placement for use, placement in zip(self.uses, target, strict=True) if use != "tensor"]
        return all(placement in (REPLICATED, PARTIAL) for placement in kept)

    def finished(self) -> dict[str, OpConfig]:
        """All configurations, with parameters and buffers where their readers want them."""
        for op in self.graph.ops:
            if op.name in self.placed:
                self.chosen[op.name] = self._place(op)
            elif op.target == FORK:
                self.chosen[op.name] = self._gathering(op)
        return self.chosen

    def _gathering(self, fork: Op) -> OpConfig:
        """A fork that lies as chosen, with gradients that come as it takes the fewest bytes."""
        lies = self.chosen[fork.name].outputs
        return min((c for c in self._configs(fork) if c.outputs == lies), key=lambda c: self._gradient_bytes(fork, c))

    def _gradient_bytes(self, fork: Op, config: OpConfig) -> float:
        """Moved from a fork's readers to it and on to what it reads; infinite where that is not possible."""
        (source,) = fork.edges()
        there = [(source, self.chosen[source.source.op], config)]
        there += [(edge, config, self.chosen[edge.consumer]) for edge in self._read_by[fork.name]]
        moves = [between(self.graph, edge, self.mesh, given, wanted) for edge, given, wanted in there]
        return sum(inf if move is None else sum(volume(hop) for hop in move.backward) for move in moves)

    def _place(self, op: Op) -> OpConfig:
        """Split where all readers want it so, and a parameter along another dimension where it is fully sharded."""
        base = tuple(self._agreed(op, m) for m in range(len(self.mesh)))
        if op.kind != "parameter" or "sharded" not in self.uses:
            return self._leaf(op, [base])
        free = [split(dim) for dim in range(len(op.outputs[0].shape)) if split(dim) not in base]
        return self._leaf(op, [*(self._sharded(base, placement) for placement in free), base])

    def _agreed(self, op: Op, m: int) -> Placement:
        wants = {layout[m] for layout in self.wanted.get(op.name, [])}
        return wants.pop() if len(wants) == 1 and PARTIAL not in wants else REPLICATED

    def _sharded(self, base: Layout, placement: Placement) -> Layout:
        return tuple(placement if use == "sharded" else x for use, x in zip(self.uses, base, strict=True))

    def _leaf(self, op: Op, layouts: Iterable[Layout]) -> OpConfig:
        """The configuration with the first of the layouts that its sizes allow, whole where none is."""
        by_layout = {config.outputs[0]: config for config in self._configs(op)}
        return next((by_layout[x] for x in layouts if x in by_layout), whole(self.graph, op, self.mesh))


def _splits(source: Layout, target: Layout) -> bool:
    """Whether a move cuts what was not cut so: of a batch that is whole that would be data parallel."""
    return any(after[0] == "S" and after != before for before, after in zip(source, target, strict=True))

"""Bytes of one device, the one with the largest pieces: what each operator holds.

From step to step parameters with their gradients and what the optimizer keeps of them, buffers and inputs; until the
backward what autograd keeps. What there is only for a moment is not among them: `rehearse` sees it, for one strategy.
"""

from __future__ import annotations

from math import prod
from typing import Literal

from workers.spreading.capture.graph import Edge, Op, OpGraph, Source, Value
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.layout import Layout, MeshShape, local_numel
from workers.spreading.configs.strategy import Move
from workers.spreading.costs.keeping import Keeping

OptimizerName = Literal["sgd", "momentum", "adam"]

# Tensors of a parameter's size that stay from step to step: itself, its gradient, and the optimizer's.
COPIES: dict[OptimizerName, int] = {"sgd": 2, "momentum": 3, "adam": 4}
COUNTER = 4  # bytes of the step that Adam counts for each parameter

NOT_ALLOWED = float("inf")


class MemoryCosts:
    """What operators and edges of a graph hold on a mesh, under an optimizer."""

    def __init__(self, graph: OpGraph, mesh: MeshShape, keeping: Keeping, optimizer: OptimizerName) -> None:
        self.graph, self.mesh, self.keeping, self.optimizer = graph, mesh, keeping, optimizer

    def node(self, op: Op, config: OpConfig, kept: bool) -> float:
        """Bytes of an operator's own; `kept` says whether readers may count on its outputs."""
        if op.kind == "output":
            return 0.0
        if op.kind != "call":
            return self._leaf(op, config)
        return self._others(op, config) + (self._outputs(op, config) if kept else 0.0)

    def edge(self, edge: Edge, given: OpConfig, wanted: OpConfig, move: Move, kept: tuple[bool, bool]) -> float:
        """Bytes that an edge adds; infinite where its reader counts on what is not `kept` (source, reader)."""
        need = self.keeping.need(edge)
        if need == "no" or (self.keeping.depends(edge) and not kept[1]):
            return 0.0
        if need == "read" and move.forward:
            return self.bytes(edge.source, wanted.inputs[edge.index], copied=True)
        way = self.keeping.way(self.graph.by_name[edge.source.op])
        if way == "once":
            return self.bytes(edge.source, given.outputs[edge.source.output])
        return 0.0 if kept[0] or way in ("free", "always") else NOT_ALLOWED

    def bytes(self, source: Source, layout: Layout, copied: bool = False) -> float:
        """Bytes under a value that lies so: its own if it was copied, else of the memory it is a view of."""
        value = self.graph.value(source)
        here = value.itemsize * local_numel(value.shape, layout, self.mesh)
        root = self.keeping.root(source)
        return here if copied or not value.bytes else here * root.bytes / value.bytes

    def bytes_of(self, op: Op, config: OpConfig) -> float:
        """Bytes of a leaf's own piece."""
        value = op.outputs[0]
        return value.itemsize * local_numel(value.shape, config.outputs[0], self.mesh)

    def _leaf(self, op: Op, config: OpConfig) -> float:
        value, here = op.outputs[0], self.bytes_of(op, config)
        if op.kind != "parameter" or not value.differentiable:
            return here
        return here * COPIES[self.optimizer] + (COUNTER if self.optimizer == "adam" else 0)

    def _outputs(self, op: Op, config: OpConfig) -> float:
        """Outputs that somebody keeps and that are no view."""
        own = (
            Source(op.name, i)
            for i, value in enumerate(op.outputs)
            if value.storage == f"{op.name}:{i}" and self.keeping.kept(op, i)
        )
        return sum(self.bytes(source, config.outputs[source.output]) for source in own)

    def _others(self, op: Op, config: OpConfig) -> float:
        """What is kept and neither input nor output, cut as the smallest of them is."""
        if self.keeping.again(op) or not op.saved.others:
            return 0.0
        tensors = [
            *zip(self.graph.inputs_of(op), config.inputs, strict=True),
            *zip(op.outputs, config.outputs, strict=True),
        ]
        return op.saved.others * min(self._share(value, layout) for value, layout in tensors)

    def _share(self, value: Value, layout: Layout) -> float:
        return local_numel(value.shape, layout, self.mesh) / max(prod(value.shape), 1)

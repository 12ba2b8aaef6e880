"""A strategy run on a rank: operators on pieces, moves on edges."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from workers.spreading.capture.graph import Edge, Op, OpGraph, Source
from workers.spreading.configs.layout import Layout
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.draws import Draws
from workers.spreading.execution.local import LocalCall, run_local
from workers.spreading.execution.moves import Route, along

_LEAVES = ("input", "parameter", "buffer", "constant")


class Program:
    """A model's graph on one rank. Values are dropped after their last reader."""

    def __init__(self, graph: OpGraph, strategy: Strategy, ranks: Collectives, seed: int = 0) -> None:
        self.graph, self.strategy, self.ranks, self.seed = graph, strategy, ranks, seed
        self._routes = {(e.consumer, e.index): self._route(e) for e in graph.edges()}
        self._readers = {source: op.name for op in graph.ops for source in op.inputs}  # the last one
        self._last: dict[str, list[Source]] = {}
        for source, reader in self._readers.items():
            self._last.setdefault(reader, []).append(source)

    def __call__(self, leaves: Mapping[str, Tensor], step: int = 0, device: str = "cpu") -> list[Tensor]:
        """What the model returns, whole on every rank.

        `leaves` are the rank's pieces of parameters, buffers, constants and inputs, by operator; buffers may be
        written. `step` only chooses random numbers. A gradient comes to parameters from the first output alone.
        """
        draws = Draws(self.seed, step, torch.device(device))
        values = {Source(op.name): leaves[op.name] for op in read_leaves(self.graph)}
        outputs: list[Tensor] = []
        for op in self.graph.ops:
            if op.kind == "output":
                outputs = [self._read(op, index, values) for index in range(len(op.inputs))]
            elif op.kind not in _LEAVES:
                self._run(op, values, draws)
        return outputs

    def _run(self, op: Op, values: dict[Source, Tensor], draws: Draws) -> None:
        """Run one operator, drop what it was the last to read, and keep what somebody will read."""
        tensors = [self._read(op, index, values) for index in range(len(op.inputs))]
        for source in self._last.get(op.name, ()):
            del values[source]
        for i, out in enumerate(self._call(op, tensors, draws)):
            if Source(op.name, i) in self._readers:
                values[Source(op.name, i)] = out

    def _read(self, op: Op, index: int, values: Mapping[Source, Tensor]) -> Tensor:
        value = values[op.inputs[index]]
        if op.kind == "output" and index > 0:
            value = value.detach()
        return along(self._routes[op.name, index], value)

    def _call(self, op: Op, tensors: list[Tensor], draws: Draws) -> list[Tensor]:
        call = LocalCall(op, self.strategy.configs[op.name], self.graph.inputs_of(op), self.ranks, draws)
        with torch.set_grad_enabled(torch.is_grad_enabled() and any(v.differentiable for v in op.outputs)):
            return run_local(call, tensors, draws.device)

    def _route(self, edge: Edge) -> Route:
        configs = self.strategy.configs
        source = configs[edge.source.op].outputs[edge.source.output]
        gradient: Layout = configs[edge.consumer].gradients[edge.index]
        move = self.strategy.moves[edge.consumer, edge.index]
        return Route(self.graph.value(edge.source).shape, move, source, gradient, self.ranks)


def read_leaves(graph: OpGraph) -> list[Op]:
    """Parameters, buffers, constants and inputs that some operator reads."""
    read = {source.op for op in graph.ops for source in op.inputs}
    return [op for op in graph.ops if op.kind in _LEAVES and op.name in read]

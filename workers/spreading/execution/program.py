"""A strategy run on a rank: operators on pieces, moves on edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from workers.spreading.capture.graph import Edge, Op, OpGraph, Source
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.draws import Draws
from workers.spreading.execution.local import LocalCall, run_local
from workers.spreading.execution.moves import Route, along
from workers.spreading.execution.recompute import recomputed

_LEAVES = ("input", "parameter", "buffer", "constant")


@dataclass(frozen=True)
class _Step:
    """One operator, with the places of its tensors in the list of values."""

    call: LocalCall
    reads: list[tuple[int, Route]]
    drops: list[int]  # what nobody reads after it
    keeps: list[tuple[int, int]]  # outputs that somebody will read, and their places
    differentiable: bool


@dataclass(frozen=True)
class _Again:
    """Operators that run a second time in the backward."""

    steps: list[_Step]
    reads: list[int]  # from before them, but for buffers
    buffers: list[int]
    drops: list[int]  # of those, what nobody reads after them
    keeps: list[int]  # what somebody reads after them


class Program:
    """A model's graph on one rank. Values are dropped after their last reader."""

    def __init__(
        self, graph: OpGraph, strategy: Strategy, ranks: Collectives, seed: int = 0, device: str = "cpu"
    ) -> None:
        self._graph, self._strategy, self._ranks = graph, strategy, ranks
        self._draws = Draws(seed, torch.device(device))
        last = {source: op.name for op in graph.ops for source in op.inputs}
        self._places = {source: place for place, source in enumerate(last)}
        self._routes = {(e.consumer, e.index): self._route(e) for e in graph.edges()}
        self._leaves = [(op.name, self._places[Source(op.name)]) for op in read_leaves(graph)]
        self._steps = self._grouped([self._step(op, last) for op in graph.ops if op.kind == "call"])
        (output,) = graph.of_kind("output")
        self._outputs = self._reads(output)

    def __call__(self, leaves: Mapping[str, Tensor], step: int = 0) -> list[Tensor]:
        """What the model returns, whole on every rank.

        `leaves` are the rank's pieces of parameters, buffers, constants and inputs, by operator; buffers may be
        written. `step` only chooses random numbers. A gradient comes to parameters from the first output alone.
        """
        self._draws.step = step
        values: list[Tensor | None] = [None] * len(self._places)
        for name, place in self._leaves:
            values[place] = leaves[name]
        for one in self._steps:
            if isinstance(one, _Again):
                _run_again(one, values)
            else:
                _run(one, values)
        given = [values[place] for place, _ in self._outputs]
        return [
            along(route, value if number == 0 else value.detach())  # type: ignore[union-attr, arg-type]
            for number, (value, (_, route)) in enumerate(zip(given, self._outputs, strict=True))
        ]

    def _step(self, op: Op, last: Mapping[Source, str]) -> _Step:
        call = LocalCall(op, self._strategy.configs[op.name], self._graph.inputs_of(op), self._ranks, self._draws)
        drops = [self._places[source] for source in dict.fromkeys(op.inputs) if last[source] == op.name]
        kept = [(i, Source(op.name, i)) for i in range(len(op.outputs))]
        keeps = [(i, self._places[source]) for i, source in kept if source in self._places]
        return _Step(call, self._reads(op), drops, keeps, any(v.differentiable for v in op.outputs))

    def _grouped(self, steps: list[_Step]) -> list[_Step | _Again]:
        """The steps, with those that are computed again put together."""
        first = {segment[0]: len(segment) for segment in self._strategy.recomputed}
        grouped: list[_Step | _Again] = []
        while steps:
            size = first.get(steps[0].call.op.name, 0)
            grouped.append(self._again(steps[:size]) if size else steps[0])
            steps = steps[max(size, 1) :]
        return grouped

    def _again(self, steps: list[_Step]) -> _Again:
        made = {place for step in steps for _, place in step.keeps}
        dropped = {place for step in steps for place in step.drops}
        buffers = {self._places[Source(op.name)] for op in read_leaves(self._graph) if op.kind == "buffer"}
        read = dict.fromkeys(place for step in steps for place, _ in step.reads if place not in made)
        return _Again(
            steps,
            reads=[place for place in read if place not in buffers],
            buffers=[place for place in read if place in buffers],
            drops=[place for place in read if place in dropped],
            keeps=sorted(made - dropped),
        )

    def _reads(self, op: Op) -> list[tuple[int, Route]]:
        return [(self._places[source], self._routes[op.name, i]) for i, source in enumerate(op.inputs)]

    def _route(self, edge: Edge) -> Route:
        configs = self._strategy.configs
        source = configs[edge.source.op].outputs[edge.source.output]
        gradient = configs[edge.consumer].gradients[edge.index]
        move = self._strategy.moves[edge.consumer, edge.index]
        return Route(self._graph.value(edge.source).shape, move, source, gradient, self._ranks)


def _run(step: _Step, values: list[Tensor | None]) -> None:
    """One operator: read, drop what it was the last to read, and keep what somebody will read."""
    tensors: list[Tensor] = [along(route, values[place]) for place, route in step.reads]  # type: ignore[arg-type]
    for place in step.drops:
        values[place] = None
    if step.differentiable:
        outputs = run_local(step.call, tensors)
    else:
        with torch.no_grad():
            outputs = run_local(step.call, tensors)
    for i, place in step.keeps:
        values[place] = outputs[i]


def _run_again(part: _Again, values: list[Tensor | None]) -> None:
    """Operators that keep only what they read. The second time they write to copies of buffers."""
    buffers = [values[place] for place in part.buffers]

    def body(tensors: Sequence[Tensor], second: bool) -> list[Tensor]:
        inside: list[Tensor | None] = [None] * len(values)
        for place, tensor in zip(part.reads, tensors, strict=True):
            inside[place] = tensor
        for place, buffer in zip(part.buffers, buffers, strict=True):
            inside[place] = buffer.clone() if second else buffer  # type: ignore[union-attr]
        for step in part.steps:
            _run(step, inside)
        return [inside[place] for place in part.keeps]  # type: ignore[misc]

    outputs = recomputed(body, [values[place] for place in part.reads])  # type: ignore[misc]
    for place in part.drops:
        values[place] = None
    for place, output in zip(part.keeps, outputs, strict=True):
        values[place] = output


def read_leaves(graph: OpGraph) -> list[Op]:
    """Parameters, buffers, constants and inputs that some operator reads."""
    read = {source.op for op in graph.ops for source in op.inputs}
    return [op for op in graph.ops if op.kind in _LEAVES and op.name in read]

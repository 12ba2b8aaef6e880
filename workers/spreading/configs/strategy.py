"""A strategy: a configuration for every operator, and the moves between them. What a plan says and execution does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from workers.core.errors import JobError
from workers.spreading.capture.graph import Edge, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.layout import Layout, MeshShape
from workers.spreading.configs.reshard import COLLECTIVES, Hop, Weight, paths, volume
from workers.spreading.configs.segments import CannotRecompute, Segment, problem


class CannotMove(JobError):
    """Two operators next to each other want a value in layouts between which there is no move."""


@dataclass(frozen=True)
class Move:
    """How a value gets from its operator to a reader, and its gradient back."""

    forward: tuple[Hop, ...]
    backward: tuple[Hop, ...]


Table = tuple[tuple[Move | None, ...], ...]
End = tuple[Layout, Layout]  # of an edge: how the value lies there, and how its gradient lies


@dataclass(frozen=True)
class Strategy:
    """How a model runs on a mesh. Moves are by reader and input."""

    mesh: MeshShape
    configs: dict[str, OpConfig]
    moves: dict[tuple[str, int], Move]
    recomputed: tuple[Segment, ...] = ()  # calls whose values are not kept but computed again in the backward

    def collectives(self, graph: OpGraph, training: bool = True) -> Iterator[Hop]:
        """Every collective of one step, forward and backward: what an audit of a run must find."""
        for op in graph.ops:
            config = self.configs[op.name]
            needed = training and any(v.differentiable for v in op.outputs)
            yield from (*config.forward, *(config.backward if needed else ()))
        for move in self.moves.values():
            yield from (hop for hop in move.forward if hop.kind in COLLECTIVES)
            yield from (hop for hop in move.backward if training and hop.kind in COLLECTIVES)
        if training:
            yield from self._again(graph)

    def _again(self, graph: OpGraph) -> Iterator[Hop]:
        """Collectives of forwards that are made a second time."""
        for segment in self.recomputed:
            ops = [graph.by_name[name] for name in segment]
            if not any(v.differentiable for op in ops for v in op.outputs):
                continue  # no backward comes to it
            for op in ops:
                yield from self.configs[op.name].forward
                for index in range(len(op.inputs)):
                    yield from (hop for hop in self.moves[op.name, index].forward if hop.kind in COLLECTIVES)

    def audit(self, graph: OpGraph, training: bool = True) -> Counter[tuple[str, int, int]]:
        """Collectives of one step, counted by kind, size of the group and bytes."""
        return Counter((hop.kind, hop.devices, hop.bytes) for hop in self.collectives(graph, training))


def between(
    graph: OpGraph,
    edge: Edge,
    mesh: MeshShape,
    given: OpConfig,
    wanted: OpConfig,
    weight: Weight = volume,
    all_to_all: bool = False,
) -> Move | None:
    """The cheapest move along an edge, there and back; None if there is none.

    What an operator writes in place (statistics of a batch norm) must lie as it wants it, or it would write a copy.
    """
    return _move(_needs(graph, edge, mesh, weight, all_to_all), _given(edge, given), _wanted(edge, wanted))


def moves(
    graph: OpGraph,
    edge: Edge,
    mesh: MeshShape,
    givens: Sequence[OpConfig],
    wanteds: Sequence[OpConfig],
    weight: Weight = volume,
    all_to_all: bool = False,
) -> Table:
    """`between` for every configuration of the operator (rows) and of the reader (columns); edges alike share one."""
    ends = tuple(_given(edge, config) for config in givens), tuple(_wanted(edge, config) for config in wanteds)
    return _table(_needs(graph, edge, mesh, weight, all_to_all), *ends)


@dataclass(frozen=True)
class _Needs:
    """What the moves along an edge depend on besides the layouts at its ends."""

    shape: tuple[int, ...]
    itemsize: int
    mesh: MeshShape
    back: bool  # a gradient returns
    in_place: bool
    weight: Weight
    all_to_all: bool

    def paths(self, source: Layout) -> dict[Layout, tuple[Hop, ...]]:
        return paths(self.shape, self.itemsize, self.mesh, source, self.weight, self.all_to_all)


def _needs(graph: OpGraph, edge: Edge, mesh: MeshShape, weight: Weight, all_to_all: bool) -> _Needs:
    value = graph.value(edge.source)
    back = value.differentiable and gives_gradient(graph, edge)
    in_place = edge.index in graph.by_name[edge.consumer].mutates
    return _Needs(value.shape, value.itemsize, mesh, back, in_place, weight, all_to_all)


def _given(edge: Edge, config: OpConfig) -> End:
    return config.outputs[edge.source.output], config.expects(edge.source.output)


def _wanted(edge: Edge, config: OpConfig) -> End:
    return config.inputs[edge.index], config.gradients[edge.index]


@lru_cache(maxsize=1 << 12)
def _table(needs: _Needs, givens: tuple[End, ...], wanteds: tuple[End, ...]) -> Table:
    return tuple(tuple(_move(needs, given, wanted) for wanted in wanteds) for given in givens)


@lru_cache(maxsize=1 << 16)
def _move(needs: _Needs, given: End, wanted: End) -> Move | None:
    if needs.in_place and given[0] != wanted[0]:
        return None
    forward = needs.paths(given[0]).get(wanted[0])
    backward = needs.paths(wanted[1]).get(given[1]) if needs.back else ()
    return None if forward is None or backward is None else Move(forward, backward)


def gives_gradient(graph: OpGraph, edge: Edge) -> bool:
    """Whether a gradient comes back along an edge, if its value takes one."""
    consumer = graph.by_name[edge.consumer]
    if consumer.kind == "output":
        return edge.index == 0
    return edge.index not in consumer.unfelt and any(v.differentiable for v in consumer.outputs)


def strategy(
    graph: OpGraph,
    mesh: MeshShape,
    configs: Mapping[str, OpConfig],
    weight: Weight = volume,
    all_to_all: bool = False,
    recomputed: Iterable[Segment] = (),
) -> Strategy:
    """The strategy of these configurations with the cheapest moves; raises CannotMove where there is no move.

    Raises CannotRecompute where a segment cannot be run twice.
    """
    segments = tuple(recomputed)
    for segment in segments:
        if (reason := problem(graph, segment)) is not None:
            raise CannotRecompute(f"{reason} Choose another part to compute again.")
    found = {}
    for edge in graph.edges():
        given, wanted = configs[edge.source.op], configs[edge.consumer]
        move = between(graph, edge, mesh, given, wanted, weight, all_to_all)
        if move is None:
            raise CannotMove(
                f"{edge.consumer} wants input {edge.index} as {wanted.inputs[edge.index]}, but {edge.source.op} gives "
                f"{given.outputs[edge.source.output]}, and there is no way between. Choose otherwise."
            )
        found[edge.consumer, edge.index] = move
    return Strategy(mesh, dict(configs), found, segments)

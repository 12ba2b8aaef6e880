"""A strategy as a document that can be stored, and read for the model it was made for. No torch here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from workers.core.errors import JobError
from workers.spreading.capture.graph import Edge, Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.layout import Layout, MeshShape
from workers.spreading.configs.reshard import Hop, hop_between
from workers.spreading.configs.segments import CannotRecompute, problem
from workers.spreading.configs.strategy import Move, Strategy, gives_gradient

Text = str  # a layout: its placements with spaces between, "S0 R"


class WrongPlan(JobError):
    """A plan does not fit the model; it was made for another one, or for other sizes."""


class OperatorDocument(BaseModel):
    """How the tensors of an operator lie."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inputs: tuple[Text, ...] = ()
    outputs: tuple[Text, ...] = ()
    expected: tuple[Text, ...] = ()  # of outputs' gradients, where not as usual


class MoveDocument(BaseModel):
    """The layouts that a value goes through on its way to input `index` of operator `reader`, and its gradient back."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reader: str
    index: int
    forward: tuple[Text, ...] = ()
    backward: tuple[Text, ...] = ()


class StrategyDocument(BaseModel):
    """All that runs: hops are written down, so that what was planned is what is read. Edges without hops are not."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mesh: MeshShape
    operators: dict[str, OperatorDocument]
    moves: tuple[MoveDocument, ...] = ()
    recomputed: tuple[tuple[str, ...], ...] = ()


def document(strategy: Strategy) -> StrategyDocument:
    """The strategy written down."""
    return StrategyDocument(
        mesh=strategy.mesh,
        operators={name: _operator(config) for name, config in strategy.configs.items()},
        moves=tuple(_move(*at, move) for at, move in strategy.moves.items() if move.forward or move.backward),
        recomputed=strategy.recomputed,
    )


def _operator(config: OpConfig) -> OperatorDocument:
    inputs, outputs, expected = (
        tuple(" ".join(layout) for layout in layouts) for layouts in (config.inputs, config.outputs, config.expected)
    )
    return OperatorDocument(inputs=inputs, outputs=outputs, expected=expected)


def _move(reader: str, index: int, move: Move) -> MoveDocument:
    forward, backward = (tuple(" ".join(hop.after) for hop in hops) for hops in (move.forward, move.backward))
    return MoveDocument(reader=reader, index=index, forward=forward, backward=backward)


def read(graph: OpGraph, written: StrategyDocument) -> Strategy:
    """The strategy of a document; raises WrongPlan saying what of the model it does not fit."""
    if missing := sorted(set(graph.by_name) ^ set(written.operators)):
        raise WrongPlan(f"The plan is of another model: {missing[0]} is in only one of the two. Plan again.")
    configs = {op.name: _config(graph, op, written) for op in graph.ops}
    moves = {(move.reader, move.index): move for move in written.moves}
    found = {
        (edge.consumer, edge.index): _read_move(graph, edge, written.mesh, configs, moves) for edge in graph.edges()
    }
    for segment in written.recomputed:
        if not set(segment) <= set(graph.by_name) or (reason := problem(graph, segment)) is not None:
            raise CannotRecompute(reason or "The plan computes again what the model has not.")
    return Strategy(written.mesh, configs, found, written.recomputed)


def _config(graph: OpGraph, op: Op, written: StrategyDocument) -> OpConfig:
    wanted = written.operators[op.name]
    for config in configurations(graph, op, written.mesh):
        if _operator(config) == wanted:
            return config
    inputs, outputs = ", ".join(wanted.inputs), ", ".join(wanted.outputs)
    raise WrongPlan(f"{op.name} cannot run as the plan says ({inputs} -> {outputs}) at these sizes. Plan again.")


def _read_move(
    graph: OpGraph,
    edge: Edge,
    mesh: MeshShape,
    configs: dict[str, OpConfig],
    moves: dict[tuple[str, int], MoveDocument],
) -> Move:
    move = moves.get((edge.consumer, edge.index), MoveDocument(reader=edge.consumer, index=edge.index))
    source, wanted = configs[edge.source.op].outputs[edge.source.output], configs[edge.consumer]
    forward = tuple(_hops(graph, edge, mesh, source, move.forward))
    backward = tuple(_hops(graph, edge, mesh, wanted.gradients[edge.index], move.backward))
    if (forward[-1].after if forward else source) != wanted.inputs[edge.index]:
        raise WrongPlan(f"The plan does not bring input {edge.index} of {edge.consumer} to how it is read. Plan again.")
    back = backward[-1].after if backward else wanted.gradients[edge.index]
    gives = graph.value(edge.source).differentiable and gives_gradient(graph, edge)
    if gives and back != configs[edge.source.op].expects(edge.source.output):
        raise WrongPlan(f"The plan does not bring the gradient back to {edge.source.op}. Plan again.")
    return Move(forward, backward)


def _hops(graph: OpGraph, edge: Edge, mesh: MeshShape, layout: Layout, texts: Sequence[Text]) -> Iterator[Hop]:
    value = graph.value(edge.source)
    for text in texts:
        after = tuple(text.split())
        hop = hop_between(value.shape, value.itemsize, mesh, layout, after)
        if hop is None:
            raise WrongPlan(f"{edge.consumer} cannot get {' '.join(layout)} to {text} in one hop. Plan again.")
        yield hop
        layout = after

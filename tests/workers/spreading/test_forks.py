"""A fork hands a value to its readers: where there are forks, how they may lie, and that they change no result."""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random

import pytest
import torch
from torch import Tensor, nn

from tests.workers.spreading.drawn import Drawer
from tests.workers.spreading.test_execution import MODELS, assert_equals_one_device, made
from workers.spreading.capture.export import capture, from_program
from workers.spreading.capture.graph import FORK, Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations
from workers.spreading.configs.document import StrategyDocument, WrongPlan, document, read
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.strategy import CannotMove, Strategy, strategy
from workers.spreading.costs.machine import eight_gpus
from workers.spreading.costs.prices import Prices
from workers.spreading.costs.problem import Setting
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.training import Optimizer


class Branching(nn.Module):
    """Values read once, twice by one operator, by calls and the result, and written before or after they are read."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        squared = x * self.scale
        squared = squared * squared
        written = squared.exp()
        view = written.view(-1)
        first = view + 1
        torch.relu_(written)  # so a fork of the view would have to be a copy
        second = view.reshape(x.shape) + written
        return (second * first.view(x.shape) + written + squared).sum(), squared


def forks_of(graph: OpGraph) -> list[Op]:
    return [op for op in graph.ops if op.target == FORK]


def test_there_is_a_fork_where_a_value_is_read_again_and_not_written_later() -> None:
    graph = capture(Branching(), (torch.ones(3, 4),)).graph
    assert [op.inputs[0].op for op in forks_of(graph)] == ["mul", "mul_1", "relu_"]
    readers = [op for op in graph.ops if any(s.op == "fork_mul_1" for s in op.inputs)]
    assert {op.kind for op in readers} == {"call", "output"}
    for op in graph.ops:
        assert all(graph.ops.index(graph.by_name[s.op]) < graph.ops.index(op) for s in op.inputs)


def test_forks_lie_in_the_memory_and_the_module_of_what_they_hand_on() -> None:
    graph = made("zoo/transformer")[0].graph
    found = forks_of(graph)
    assert len(found) == 3  # of what comes into a block, what attention reads, and what comes out of attention
    for op in found:
        source = graph.by_name[op.inputs[0].op]
        assert op.outputs[0] == graph.value(op.inputs[0])
        assert op.module == source.module


def test_a_whole_value_takes_its_gradient_whole_or_in_summands() -> None:
    graph = made("zoo/transformer")[0].graph
    fork = forks_of(graph)[1]
    ends = {(c.inputs[0][0], c.outputs[0][0], c.expects(0)[0], c.gradients[0][0]) for c in _of(graph, fork, (2,))}
    splits = {(f"S{dim}",) * 4 for dim in range(3)}
    assert ends == {("R", "R", "R", "R"), ("R", "R", "P", "P"), ("P", "P", "R", "R"), *splits}
    assert len(_of(graph, fork, (2, 2))) == 6 * 6


def _of(graph: OpGraph, op: Op, mesh: MeshShape) -> tuple[OpConfig, ...]:
    return configurations(graph, op, mesh)


@pytest.mark.parametrize("mesh", [(2,), (2, 2)], ids=str)
@pytest.mark.parametrize("name", [*MODELS, "zoo/transformer", "zoo/vit"])
def test_gradients_that_forks_take_in_summands_are_those_of_one_device(name: str, mesh: MeshShape) -> None:
    graph = made(name)[0].graph
    summed = _summing(graph, Drawer(graph, mesh).draw(Random(str(mesh))))
    assert_equals_one_device(name, summed)
    assert rehearse(graph, summed, Optimizer())[1] == summed.audit(graph)


def _summing(graph: OpGraph, drawn: Strategy) -> Strategy:
    """The strategy with every fork that may be whole, with gradients in summands where its readers allow it."""
    configs, mesh = dict(drawn.configs), drawn.mesh
    for fork in forks_of(graph):
        most = max(_of(graph, fork, mesh), key=lambda c: sum(layout.count("P") for layout in c.expected))
        try:
            strategy(graph, mesh, {**configs, fork.name: most})
        except CannotMove:
            continue
        configs[fork.name] = most
    return strategy(graph, mesh, configs)


class Shared(nn.Module):
    """Three products of one value."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.products = nn.ModuleList(nn.Linear(8, 6, bias=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(x * self.scale)
        return torch.stack([product(y) for product in self.products]).sum()


def test_readers_share_one_gather_and_one_sum_of_gradients() -> None:
    captured = capture(Shared(), (torch.ones(4, 8),))
    for forks, times in ((False, 3), (True, 1)):
        graph = from_program(captured.program, forks).graph
        configs = {op.name: _by_columns(graph, op) for op in graph.ops}
        audit = strategy(graph, (2,), configs).audit(graph)
        assert (audit["all_gather", 2, 128], audit["reduce_scatter", 2, 128]) == (times, times)


def _by_columns(graph: OpGraph, op: Op) -> OpConfig:
    """Rows of y split, gathered for products whose columns are split; all else whole."""
    choices = configurations(graph, op, (2,))
    if op.name in ("mul", "tanh"):
        return next(c for c in choices if c.outputs == (("S0",),))
    if op.target == "aten.linear.default":
        return next(c for c in choices if c.outputs == (("S1",),))
    return next((c for c in choices if c.expected), choices[0])


def test_a_strategy_with_forks_survives_its_document() -> None:
    graph = made("transformer")[0].graph
    chosen = _summing(graph, Drawer(graph, (2, 2)).draw(Random(3)))
    written = document(chosen)
    assert any("P" in text for one in written.operators.values() for text in one.expected)
    assert read(graph, StrategyDocument.model_validate_json(written.model_dump_json())) == chosen


def test_a_plan_from_before_there_were_forks_is_read_for_the_graph_without() -> None:
    captured = made("transformer")[0]
    without = from_program(captured.program, forks=False).graph
    assert not forks_of(without)
    written = document(Drawer(without, (2,)).draw(Random(0)))
    old = written.model_dump()
    for operator in old["operators"].values():
        del operator["expected"]
    assert read(without, StrategyDocument.model_validate(old)).configs.keys() == without.by_name.keys()
    with pytest.raises(WrongPlan, match="is in only one of the two"):
        read(captured.graph, written)


def test_what_reads_a_value_for_its_type_gives_it_no_gradient() -> None:
    graph = made("typed")[0].graph
    (typed,) = (op for op in graph.ops if op.target == "aten.type_as.default")
    assert typed.unfelt == {1}
    value, unread = (graph.value(source) for source in typed.inputs)
    assert value.differentiable
    assert unread.differentiable  # by others
    moved = [m for at, m in Drawer(graph, (2,)).draw(Random(0)).moves.items() if at == (typed.name, 1)]
    assert [move.backward for move in moved] == [()]


def test_a_fork_that_takes_summands_saves_its_readers_the_sum_in_what_is_searched() -> None:
    """Prices of edges are those of their moves, for every pair of configurations."""
    graph = made("zoo/transformer")[0].graph
    setting = Setting(graph, Prices(eight_gpus(), (2,)))
    joints = zip(graph.edges(), setting.problem.edges, strict=True)
    forks = {op.name for op in forks_of(graph)}
    near = [(edge, joint) for edge, joint in joints if {edge.source.op, edge.consumer} & forks]
    assert len(near) == 3 + 2 + 3 + 2  # each fork's own, and those of its readers
    for edge, joint in near:
        givens, wanteds = (setting.choices(graph.by_name[name]) for name in (edge.source.op, edge.consumer))
        for (i, given), (j, wanted) in product(enumerate(givens), enumerate(wanteds)):
            move = setting.move(edge, given.config, wanted.config)
            assert joint.time[i, j] == (inf if move is None else setting.move_seconds(edge, move))

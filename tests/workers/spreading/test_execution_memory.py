"""Bytes counted while a step runs, against what can be told beforehand."""

from __future__ import annotations

import torch
from torch import nn

from workers.spreading.capture.export import capture
from workers.spreading.capture.graph import Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations, whole
from workers.spreading.configs.strategy import Strategy, strategy
from workers.spreading.execution.collectives import Collectives
from workers.spreading.execution.leaves import cut_leaves, inputs, state
from workers.spreading.execution.memory import Memory, Meter
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.simulated import simulate
from workers.spreading.execution.training import Optimizer, Task, train_rank
from workers.spreading.zoo.sizes import LstmSizes
from workers.spreading.zoo.table import build


def test_a_tensor_counts_from_when_it_is_made_until_it_is_gone() -> None:
    x = torch.ones(100, dtype=torch.float64)
    with Meter([x, x.view(10, 10)]) as meter:
        assert meter.live == 800
        y = x * 2
        z = y.view(4, 25) + 1
        assert meter.live == 2400
        del y, z
        assert (meter.live, meter.peak) == (800, 2400)
        x += 1
        assert meter.live == 800


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(64, 32)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.layer(x)).sum()


def test_a_rank_holds_its_pieces_their_gradients_and_twice_that_for_adam() -> None:
    torch.manual_seed(0)
    batch = (torch.randn(16, 64),)
    captured = capture(Net(), batch)
    graph = captured.graph
    for columns, share in ((False, 1), (True, 2)):
        chosen = strategy(graph, (2,), {op.name: _config(graph, op, columns) for op in graph.ops})

        def rank(ranks: Collectives, chosen: Strategy = chosen) -> Memory:
            mine = [cut_leaves(graph, chosen, x, ranks.place) for x in (state(captured), inputs(captured, batch))]
            return train_rank(Task(graph, chosen, mine[0], mine[1:], Optimizer("adam"), steps=2), ranks).memory

        parameters = 4 * (64 * 32 + 32) // share
        for memory in simulate((2,), rank):
            assert (memory.parameters, memory.gradients, memory.buffers) == (parameters, parameters, 0)
            assert memory.optimizer == 2 * parameters + 2 * 4  # and a counter a parameter
            assert memory.inputs == 4 * 16 * 64
            assert memory.saved == 4 * 16 * 32 // share  # of the sigmoid; the layer keeps its input
            assert memory.peak >= 4 * parameters + memory.inputs


def _config(graph: OpGraph, op: Op, columns: bool) -> OpConfig:
    """Everything whole, or the layer's outputs split up to the sum."""
    split = {"parameter": ("S0",), "call": ("S1",)}.get(op.kind) if columns else None
    found = (c for c in configurations(graph, op, (2,)) if split in (*c.outputs, *c.inputs[:1]))
    if op.target == "aten.linear.default":
        found = (c for c in configurations(graph, op, (2,)) if c.outputs == (split,))
    return next(found, whole(graph, op, (2,)))


def test_the_workspace_of_a_recurrent_layer_is_foreseen() -> None:
    example = build(LstmSizes(batch=8, vocabulary=20, length=4, width=8))
    captured = capture(example.model, example.inputs)
    graph = captured.graph
    chosen = strategy(graph, (1,), {op.name: whole(graph, op, (1,)) for op in graph.ops})
    leaves = cut_leaves(graph, chosen, {**state(captured), **inputs(captured, example.inputs)}, (0,))
    batch = {name: leaves.pop(name) for name in inputs(captured, example.inputs)}
    task = Task(graph, chosen, leaves, [batch], Optimizer(), steps=2)
    (measured,) = simulate((1,), lambda ranks: train_rank(task, ranks).memory)
    assert rehearse(graph, chosen, Optimizer())[0] == measured
    (layer,) = (op for op in graph.ops if op.target == "aten.lstm.input")
    assert layer.saved.others > 1000

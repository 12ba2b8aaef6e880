"""A step of the first rank without data, devices or other ranks: what memory it takes, and what it would ask of others.

The same program runs on tensors that have shapes only, so this is what a run will show, before there is one.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from workers.spreading.capture.graph import OpGraph
from workers.spreading.capture.workspace import Workspaces
from workers.spreading.configs.layout import local_shape
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Audit, Collectives
from workers.spreading.execution.memory import Memory
from workers.spreading.execution.program import read_leaves
from workers.spreading.execution.training import METERED, Optimizer, Stepper, Task


class _Alone(Collectives):
    """Gives what others would have given: shapes."""

    def _all_gather(self, tensor: Tensor, mesh_dim: int) -> Tensor:
        return tensor.new_empty((self.mesh[mesh_dim], *tensor.shape))

    def _all_reduce(self, tensor: Tensor, mesh_dim: int) -> Tensor:  # noqa: ARG002 - as all collectives take it
        return torch.empty_like(tensor)

    def _reduce_scatter(self, pieces: Tensor, mesh_dim: int) -> Tensor:
        return self._all_to_all(pieces, mesh_dim).sum(0, dtype=pieces.dtype)

    def _all_to_all(self, pieces: Tensor, mesh_dim: int) -> Tensor:  # noqa: ARG002
        return torch.empty_like(pieces)


def rehearse(graph: OpGraph, strategy: Strategy, optimizer: Optimizer) -> tuple[Memory, Audit]:
    """Memory and collectives of a step on the first rank, which has the largest pieces."""
    with FakeTensorMode(), Workspaces():
        leaves = {op.name: _piece(graph, strategy, op.name) for op in read_leaves(graph)}
        batch = {name: x for name, x in leaves.items() if graph.by_name[name].kind == "input"}
        state = {name: x for name, x in leaves.items() if name not in batch}
        ranks = _Alone(strategy.mesh, (0,) * len(strategy.mesh))
        stepper = Stepper(Task(graph, strategy, state, [batch], optimizer, METERED + 1), ranks)
        stepper.step(0)
        ranks.log = Audit()
        stepper.metered(METERED)
    assert stepper.memory is not None
    return stepper.memory, ranks.log


def _piece(graph: OpGraph, strategy: Strategy, name: str) -> Tensor:
    op = graph.by_name[name]
    value, layout = op.outputs[0], strategy.configs[name].outputs[0]
    piece = torch.empty(local_shape(value.shape, layout, strategy.mesh), dtype=getattr(torch, value.dtype))
    return piece.requires_grad_(op.kind == "parameter" and value.differentiable)

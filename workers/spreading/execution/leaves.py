"""Tensors of a captured model by leaf of its graph, whole and cut for a rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor
from torch.export.graph_signature import InputKind
from torch.utils._pytree import tree_leaves

from workers.core.errors import JobError
from workers.spreading.capture.export import Captured
from workers.spreading.capture.graph import OpGraph
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.pieces import Place, cut
from workers.spreading.execution.program import read_leaves


class WrongInputs(JobError):
    """A batch has not the tensors that the model was captured with."""


def state(captured: Captured) -> dict[str, Tensor]:
    """Parameters, buffers and constants, by leaf."""
    held = {**captured.program.constants, **captured.program.state_dict}
    return {op.name: held[op.target].detach() for op in read_leaves(captured.graph) if op.kind != "input"}


def inputs(captured: Captured, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> dict[str, Tensor]:
    """Tensors of a batch, by leaf; raises WrongInputs if they are not as in the example."""
    specs = [s for s in captured.program.graph_signature.input_specs if s.kind is InputKind.USER_INPUT]
    given = tree_leaves((tuple(args), dict(kwargs or {})))
    if len(given) != len(specs):
        raise WrongInputs(f"The model takes {len(specs)} inputs, the batch has {len(given)}.")
    named = {spec.arg.name: x for spec, x in zip(specs, given, strict=True)}
    found = {op.name: named[op.name] for op in read_leaves(captured.graph) if op.kind == "input"}
    for name, tensor in found.items():
        wanted = captured.graph.by_name[name].outputs[0]
        if tuple(tensor.shape) != wanted.shape or str(tensor.dtype) != f"torch.{wanted.dtype}":
            shape = f"{tuple(tensor.shape)} of {str(tensor.dtype).removeprefix('torch.')}"
            raise WrongInputs(f"Input {name} is {shape}, but was captured as {wanted.shape} of {wanted.dtype}.")
    return found


def cut_leaves(graph: OpGraph, strategy: Strategy, whole: Mapping[str, Tensor], place: Place) -> dict[str, Tensor]:
    """A rank's pieces. Parameters that are trained want a gradient."""
    pieces = {}
    for name, tensor in whole.items():
        piece = cut(tensor.detach(), strategy.configs[name].outputs[0], strategy.mesh, place)
        op = graph.by_name[name]
        pieces[name] = piece.requires_grad_(op.kind == "parameter" and op.outputs[0].differentiable)
    return pieces

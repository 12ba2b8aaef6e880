"""Every way to run an operator of a graph on a mesh. No torch here."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from workers.spreading.capture.graph import Op, OpGraph, Value
from workers.spreading.configs.config import OpConfig, gradients
from workers.spreading.configs.layout import MeshShape, replicated
from workers.spreading.configs.roles import Roles, combine, leaf, replicated_only
from workers.spreading.configs.rules import RULES
from workers.spreading.configs.rules.rule import Call


def roles(graph: OpGraph, op: Op) -> Roles:
    """What may be split of an operator. One without a rule stays whole (`known` is False), it is never an error."""
    return _roles(op, graph.inputs_of(op))


def _roles(op: Op, inputs: tuple[Value, ...]) -> Roles:
    if op.kind in ("input", "parameter", "buffer"):
        return leaf(op)
    if op.kind != "call":
        return replicated_only(op, inputs)
    rule = RULES.get(op.target)
    return rule(Call(op, inputs)) if rule else replicated_only(op, inputs, known=False)


def configurations(graph: OpGraph, op: Op, mesh: MeshShape) -> tuple[OpConfig, ...]:
    """The configurations of an operator on a mesh, the one where every device does everything first."""
    inputs = graph.inputs_of(op)
    return _configurations(_Alike(_described(op, inputs), op, inputs), mesh)


@dataclass(frozen=True)
class _Alike:
    """An operator that equals all that have the same configurations: those of every layer, where layers repeat."""

    text: str
    op: Op = field(compare=False)
    inputs: tuple[Value, ...] = field(compare=False)


def _described(op: Op, inputs: tuple[Value, ...]) -> str:
    """All that a rule may look at."""
    values = [(v.shape, v.dtype, v.itemsize, v.differentiable) for v in (*inputs, *op.outputs)]
    return f"{op.kind} {op.target if op.kind == 'call' else ''} {op.args} {op.kwargs} {values} {len(inputs)}"


@lru_cache(maxsize=1 << 12)
def _configurations(alike: _Alike, mesh: MeshShape) -> tuple[OpConfig, ...]:
    return combine(alike.op, _roles(alike.op, alike.inputs), alike.inputs, mesh)


def whole(graph: OpGraph, op: Op, mesh: MeshShape) -> OpConfig:
    """Every device does everything."""
    ins = (replicated(mesh),) * len(op.inputs)
    outs = (replicated(mesh),) * len(op.outputs)
    moved = sum(v.bytes for v in (*graph.inputs_of(op), *op.outputs))
    return OpConfig(ins, outs, gradients(ins, outs), roles(graph, op).flops, moved)

"""Every way to run an operator of a graph on a mesh. No torch here."""

from __future__ import annotations

from workers.spreading.capture.graph import Op, OpGraph
from workers.spreading.configs.config import OpConfig, gradients
from workers.spreading.configs.layout import MeshShape, replicated
from workers.spreading.configs.roles import Roles, combine, leaf, replicated_only
from workers.spreading.configs.rules import RULES
from workers.spreading.configs.rules.rule import Call


def roles(graph: OpGraph, op: Op) -> Roles:
    """What may be split of an operator. One without a rule stays whole (`known` is False), it is never an error."""
    inputs = graph.inputs_of(op)
    if op.kind in ("input", "parameter", "buffer"):
        return leaf(op)
    if op.kind != "call":
        return replicated_only(op, inputs)
    rule = RULES.get(op.target)
    return rule(Call(op, inputs)) if rule else replicated_only(op, inputs, known=False)


def configurations(graph: OpGraph, op: Op, mesh: MeshShape) -> tuple[OpConfig, ...]:
    """The configurations of an operator on a mesh, the one where every device does everything first."""
    return combine(op, roles(graph, op), graph.inputs_of(op), mesh)


def whole(graph: OpGraph, op: Op, mesh: MeshShape) -> OpConfig:
    """Every device does everything."""
    ins = (replicated(mesh),) * len(op.inputs)
    outs = (replicated(mesh),) * len(op.outputs)
    moved = sum(v.bytes for v in (*graph.inputs_of(op), *op.outputs))
    return OpConfig(ins, outs, gradients(ins, outs), roles(graph, op).flops, moved)

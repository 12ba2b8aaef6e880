"""What an epoch of a model takes, counted from its shapes. Nothing is run or guessed; sparse features count as dense.

Rows: N vertices, E edges of the graph a layer runs on (with the self-loops it asks for). Widths are of one row.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.cost import value_operations
from workers.compiler.ir import Domain, Program
from workers.core.dataset import DatasetInfo, Heterogeneous
from workers.zoo.bind import vertex_program
from workers.zoo.chosen_relations import read_relations
from workers.zoo.step import Step
from workers.zoo.typed_rules import ENCODER
from workers.zoo.validate import Validation

BACKWARD = 2
"""Gradients take about two forward passes: one product for the input and one for the weight of every product."""
FLOAT_BYTES = 4
COPIES = 4
"""Of each parameter: itself, its gradient and Adam's two moments."""


@dataclass(frozen=True)
class Work:
    """Operations of one training epoch, and bytes held meanwhile (float32)."""

    flops: int
    activation_bytes: int
    parameter_bytes: int


def work(found: Validation, info: DatasetInfo) -> Work | None:
    """Work of an epoch of a checked model on a dataset, or None where it has errors."""
    if found.parameters is None:
        return None
    steps = [s for s in found.steps if s.node.id in found.used]
    forward = sum(_step_flops(s, info) for s in steps)
    held = sum(_width(t.width) for s in steps for t in s.outputs.values() if t.kind == "vertex") * info.vertices
    return Work((1 + BACKWARD) * forward, held * FLOAT_BYTES, found.parameters * COPIES * FLOAT_BYTES)


def _step_flops(step: Step, info: DatasetInfo) -> int:
    if step.program:
        typed = read_relations(info.typed, step.placed.relations)
        edges = sum(r.edges for r in typed.relations) + info.vertices * step.preparation.self_loops
        return program_flops(vertex_program(step), info.vertices, edges, typed)
    if step.layer.type == ENCODER:
        return 2 * _width(step.outputs["y"].width) * sum(t.vertices * t.features for t in info.typed.types)
    return _plain_flops(step) * info.vertices


def program_flops(program: Program, vertices: int, edges: int, typed: Heterogeneous | None = None) -> int:
    """Operations of one run of a vertex program on a graph of that size.

    How many vertices have edges in each relation is not known: at most all of its types', at most one an edge.
    """
    rows = {Domain.VERTEX: vertices, Domain.SRC: vertices, Domain.DST: vertices, Domain.EDGE: edges, Domain.PARAM: 1}
    if typed is not None:
        counts = {t.name: t.vertices for t in typed.types}
        rows |= {Domain.TYPE: len(typed.types), Domain.RELATION: len(typed.relations)}
        rows[Domain.RECEIVER] = sum(min(r.edges, counts[r.target]) for r in typed.relations)
        rows[Domain.SENDER] = sum(min(r.edges, counts[r.source]) for r in typed.relations)
    return sum(value_operations(program, value.id, rows) for value in program.values)


def _plain_flops(step: Step) -> int:
    """Operations a vertex of a layer without a vertex program."""
    width = sum(_width(t.width) for t in step.outputs.values())
    if step.layer.type == "linear":
        return 2 * width * _width(step.placed.arriving().width)
    return width if step.placed.inputs else 0


def _width(width: int | str) -> int:
    return width if isinstance(width, int) else 0

"""What a step of a schedule takes at least, counted from shapes: arithmetic operations and bytes moved. Needs no torch.

Operations: one a number that an op computes, one a number that an aggregation takes, two a product that is summed.
Bytes: `moved` has every tensor once, every row gathered from a far end once an edge, and the ids once a loop.
`least` has every tensor and the ids once, as if a cache kept all that is gathered: no implementation moves less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workers.compiler.ir import Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import DenseStep, RowKernel, Schedule, Side, Step, root, size

Shape = tuple[int, ...]

OPERATIONS_A_ROW: dict[str, Callable[[Shape, Shape], int]] = {
    "leaf": lambda taken, given: 0,
    "shape": lambda taken, given: 0,
    "movement": lambda taken, given: 0,
    "pointwise": lambda taken, given: math.prod(given),
    "aggregation": lambda taken, given: math.prod(taken),
    "dense": lambda taken, given: 2 * math.prod(taken) * math.prod(given[-1:]),
    "sum_rows": lambda taken, given: math.prod(taken),
}
"""By op, else by its group, from the shapes of the first operand and of the result; rows are those of the former."""


@dataclass(frozen=True)
class Extent:
    """A graph and a number format: vertices of each domain, edges, bytes of a number and of an id."""

    rows: dict[Domain, int]
    number_bytes: int
    id_bytes: int

    @property
    def edges(self) -> int:
        return self.rows[Domain.EDGE]


@dataclass(frozen=True)
class Cost:
    """What one call of a step takes."""

    operations: int
    moved: int
    least: int


def step_cost(schedule: Schedule, step: Step, extent: Extent) -> Cost:
    """The cost of one call of `step`."""
    own = extent.number_bytes * sum(_numbers(schedule.program[i], extent) for i in {*step.loads, *step.stores})
    operations = sum(value_operations(schedule.program, i, extent.rows) for i in computed(step))
    if isinstance(step, DenseStep):
        return Cost(operations, own, own)
    loops = sum(p.loop for p in step.phases)
    ids = 0 if step.side is Side.MAP else extent.edges * extent.id_bytes
    far = extent.number_bytes * extent.edges * sum(_gathered(schedule.program, step))
    return Cost(operations, own + far + ids * loops, own + ids * min(loops, 1))


def value_operations(program: Program, i: int, rows: dict[Domain, int]) -> int:
    """Operations of computing value `i` once for every row."""
    value = program[i]
    taken = program[value.args[0]].type if value.args else value.type
    counted = OPERATIONS_A_ROW.get(value.op) or OPERATIONS_A_ROW[OPS[value.op].group]
    return counted(taken.shape, value.type.shape) * rows[taken.domain]


def computed(step: Step) -> Iterator[int]:
    """The values a step computes, in the order it does; those of edges again in every loop that needs them again."""
    if isinstance(step, DenseStep):
        yield from (step.value, *(step.stores if step.total is not None else ()))
        return
    for phase in step.phases:
        yield from (*phase.rows, *phase.edges, *phase.aggregations)
    yield from step.reductions


def _numbers(value: Value, extent: Extent) -> int:
    return size(value.type) * extent.rows[value.type.domain]


def _gathered(program: Program, kernel: RowKernel) -> Iterator[int]:
    """Numbers an edge reads from far ends, each loop by itself."""
    for phase in kernel.phases:
        yield from {
            root(program, program[i].args[0]): size(program[i].type) for i in phase.edges if _is_far(program, kernel, i)
        }.values()


def _is_far(program: Program, kernel: RowKernel, i: int) -> bool:
    op = program[i].op
    return OPS[op].group == "movement" and op != f"gather_{kernel.side.value}"

"""How much there is to do in a program: operations, launches, bytes moved, kept and allocated on a graph of some size.

Before anything is fused every operation is a launch of its own, reads its operands and writes a new tensor; views of
the same numbers cost nothing. `fused` counts what is left of that in the steps of a plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from workers.compiler.cost import Extent, step_cost
from workers.compiler.directions import early_values, read_late
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Domain, Program
from workers.compiler.ops import OPS
from workers.compiler.rows import Schedule, root

NUMBER_BYTES, ID_BYTES = 4, 4  # float32 and graphs below two thousand million edges, as jobs have by default


@dataclass(frozen=True)
class Counts:
    """Values computed by op, and once an edge; launches of kernels and products; bytes on the stated graph.

    `saved` are kept between the forward and the backward pass, results that the caller holds anyway among them.
    """

    ops: dict[str, int]
    on_edges: int
    launches: int
    moved: int
    saved: int
    allocated: int

    @property
    def total(self) -> int:
        return sum(self.ops.values())


def count(program: Program, graph: GraphSize = USUAL) -> Counts:
    """Everything but leaves, each operation by itself."""
    computed = [v for v in program.values if OPS[v.op].group != "leaf"]
    edges = sum(v.type.domain is Domain.EDGE for v in computed)
    launched = [v for v in computed if v.op != "reshape"]
    written = sum(_bytes(program, v.id, graph) for v in launched)
    read = sum(_bytes(program, a, graph) for v in launched for a in {root(program, a) for a in v.args})
    return Counts(
        ops=dict(sorted(Counter(v.op for v in computed).items())),
        on_edges=edges,
        launches=len(launched),
        moved=written + read,
        saved=kept_bytes(program, read_late(program, early_values(program), _gradients(program)), graph),
        allocated=written,
    )


def kept_bytes(program: Program, kept: Iterable[int], graph: GraphSize) -> int:
    """Bytes of the tensors behind `kept`; leaves are left out, they exist anyway."""
    tensors = {root(program, i) for i in kept}
    return sum(_bytes(program, i, graph) for i in tensors if OPS[program[i].op].group != "leaf")


def _gradients(program: Program) -> list[int]:
    return [i for name, i in program.outputs if name.startswith("grad:")]


def fused(before: Counts, schedules: Collection[Schedule], graph: GraphSize = USUAL) -> Counts:
    """`before` with what the steps of `schedules` launch, move and allocate."""
    extent = Extent({d: graph.rows(d) for d in Domain}, NUMBER_BYTES, ID_BYTES)
    steps = [(s, step) for s in schedules for step in s.steps]
    return replace(
        before,
        launches=len(steps),
        moved=sum(step_cost(schedule, step, extent).moved for schedule, step in steps),
        allocated=sum(_bytes(s.program, i, graph) for s, step in steps for i in step.stores if i not in s.reuses),
    )


def _bytes(program: Program, i: int, graph: GraphSize) -> int:
    return NUMBER_BYTES * graph.numbers(program[i].type)

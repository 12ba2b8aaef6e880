"""Which of the tensors it reads a step may write its result over.

A tensor that dies with the step, as large as the result, gives its memory to the result where every number is read
before its place is written:

1. A product added to a tensor is added in place.
2. A kernel reads the tensor only at its own row, and once in the row statements before the store: by a pointwise
   statement of the result, which reads it in the place where it writes; or in loops over edges that ended before.
"""

from __future__ import annotations

from collections.abc import Iterator

from workers.compiler.ir import Program
from workers.compiler.ops import OPS
from workers.compiler.rows import DenseStep, RowKernel, Schedule, Step, cone, root, size


def overwritable(schedule: Schedule, step: Step, result: int) -> Iterator[int]:
    """The tensors of `step` that `result` may take the place of, as far as reading and writing go."""
    if isinstance(step, DenseStep):
        yield from (i for i in (step.added,) if i is not None and _alike(schedule.program, i, result))
        return
    if not any(result in p.rows for p in step.phases):
        return
    for i in step.loads:
        if _alike(schedule.program, i, result) and _read_in_place(schedule.program, step, i, result):
            yield i


def _alike(program: Program, a: int, b: int) -> bool:
    ours, theirs = program[a].type, program[b].type
    return ours.domain is theirs.domain and size(ours) == size(theirs)


def _read_in_place(program: Program, kernel: RowKernel, tensor: int, result: int) -> bool:
    last = next(k for k, p in enumerate(kernel.phases) if result in p.rows)
    rows, edges = set[int](), set[int]()
    for k, phase in enumerate(kernel.phases):
        rows |= {i for i in (*phase.rows, *kernel.reductions) if _reads(program, i, tensor)}
        loop = [i for i in (*phase.edges, *phase.aggregations) if _reads(program, i, tensor)]
        edges |= {i for i in loop if k >= last or program[i].op != f"gather_{kernel.side}"}
    if edges or len(rows) > 1:
        return False
    return all(OPS[program[i].op].group == "pointwise" and i in cone(program, [result], range(i)) for i in rows)


def _reads(program: Program, i: int, tensor: int) -> bool:
    return any(root(program, a) == tensor for a in program[i].args)

"""In a program of half-width numbers, the tensors that hold full-width ones all the same.

Arithmetic is float32 where tensors are bfloat16. What one kernel hands to another rounds in between, which would cost a
softmax its digits: maxima and sums of exponentials stay float32. They are narrow, so this costs little memory.
"""

from __future__ import annotations

from workers.compiler.ops import OPS
from workers.compiler.rows import Schedule, root, size

NARROW = 8  # numbers a row


def precise(schedule: Schedule, value: int) -> bool:
    """Whether the tensor of `value` is stored as it is computed: degrees, and narrow values that only kernels read."""
    program = schedule.program
    if program[value].op == "degree":
        return True
    if program[value].op in ("input", "param") or size(program[value].type) > NARROW:
        return False
    return value not in _seen_outside(schedule)


def _seen_outside(schedule: Schedule) -> set[int]:
    """Results, and what the BLAS reads or writes."""
    program = schedule.program
    dense = [v for v in program.values if OPS[v.op].group == "dense" and v.op != "sum_rows"]
    found = {root(program, i) for _, i in program.outputs} | {v.id for v in dense}
    found |= {v.id for v in program.values if v.op == "add" and any(program[a].op == "matmul" for a in v.args)}
    return found | {root(program, a) for v in dense for a in v.args}

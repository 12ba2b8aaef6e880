"""Which values are printed inside the one statement that uses them, instead of getting an array."""

from __future__ import annotations

from workers.compiler.codegen.local_names import VIEWS
from workers.compiler.ir import Program, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import root

Shape = tuple[int, ...]


def inlined(
    program: Program,
    scope: tuple[int, ...],
    *,
    readers: tuple[int, ...],
    outside: tuple[int, ...],
    stored: tuple[int, ...],
) -> set[int]:
    """The pointwise values of `scope` with one use, by a reader (or store) that visits exactly their shape.

    A use from `outside` (another loop or phase) or through a view needs the numbers in an array.
    """
    uses: dict[int, list[Shape | None]] = {i: [] for i in scope}
    for i in stored:
        uses.setdefault(i, []).append(program[i].type.shape)
    for i in (*readers, *outside):
        for a in program[i].args:
            uses.setdefault(root(program, a), []).append(_visited(program, program[i], a) if i in readers else None)
    return {i for i in scope if OPS[program[i].op].group == "pointwise" and _fits(program, i, uses[i])}


def _visited(program: Program, reader: Value, operand: int) -> Shape | None:
    """The shape over which `reader` loops when it reads `operand`; None when it only looks at it through a view."""
    group = OPS[reader.op].group
    if reader.op in VIEWS or group == "movement" or program[operand].op == "reshape":
        return None
    takes_whole = reader.op in ("sum_to", "concat") or group == "aggregation"
    return program[operand].type.shape if takes_whole else reader.type.shape


def _fits(program: Program, i: int, uses: list[Shape | None]) -> bool:
    return len(uses) == 1 and uses[0] is not None and _trimmed(uses[0]) == _trimmed(program[i].type.shape)


def _trimmed(shape: Shape) -> Shape:
    """Without leading axes of size 1, which broadcasting adds freely."""
    while shape[:1] == (1,):
        shape = shape[1:]
    return shape

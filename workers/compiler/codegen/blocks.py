"""Which edge loops take several edges at a time, and in which order their statements then run.

A value of one number or a few an edge (an attention score, its exponential) fills a small part of a vector. Where such
values take costly functions, the loop takes a block of edges: narrow values of the whole block lie side by side and are
computed in one go, whatever is wide still edge by edge.

1. Narrow are pointwise values of up to `WIDEST` numbers whose operands are as wide, or the same at every edge.
2. Statements form segments, alternately edge by edge and side by side. A narrow value is computed in the first segment
   of its kind in which all it reads is there, any other one in the last that is early enough for its readers.
3. A wide value that costs little is computed again where a later segment reads it, and not kept for the whole block.
4. Values are the same numbers as without blocks, and aggregations take their edges in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.codegen.local_names import VIEWS
from workers.compiler.ir import Domain, Program, Type
from workers.compiler.ops import OPS
from workers.compiler.rows import Phase, root, size

WIDEST = 8  # numbers of a narrow value
LANES = 32  # numbers side by side: two of the widest vectors, so that one's latency hides behind the other
COSTLY = frozenset({"exp", "log", "sqrt", "reciprocal", "elu", "sigmoid", "tanh", "div"})


@dataclass(frozen=True)
class Blocks:
    """`edges` are taken at a time. Segments alternate: the first is edge by edge, the next side by side, ...

    `kept` values have an array for the whole block: narrow ones, and what a later segment reads.
    """

    edges: int
    narrow: frozenset[int]
    kept: frozenset[int]
    segments: tuple[tuple[int, ...], ...]


def blocks(program: Program, phase: Phase) -> Blocks | None:
    """How the loop of `phase` is taken in blocks, or None where that gains nothing."""
    computed = tuple(i for i in phase.edges if program[i].args and OPS[program[i].op].group != "movement")
    narrow = frozenset(i for i in computed if _is_narrow(program, i))
    if not any(program[i].op in COSTLY for i in narrow) or any(program[i].op in VIEWS for i in computed):
        return None
    order = (*computed, *phase.aggregations)
    at = _segments(program, order, narrow)
    runs = [_again(program, order, at, k) for k in range(max(at.values()) + 1)]
    crossing = {a for run in runs for i in run for a in program[i].args if a in at and a not in run}
    crossing |= {i for i in phase.edge_stores if i in at and at[i] < len(runs) - 1}
    widest = max(size(program[i].type) for i in narrow)
    return Blocks(LANES // widest, narrow, narrow | crossing, tuple(runs))


def _again(program: Program, order: tuple[int, ...], at: dict[int, int], k: int) -> tuple[int, ...]:
    """The statements of segment `k`, with cheap wide values of earlier ones that they read."""
    found = {i for i in order if at[i] == k}
    stack = list(found) if k % 2 == 0 else []
    while stack:
        for a in program[stack.pop()].args:
            if a in at and a not in found and _is_cheap(program, a):
                found.add(a)
                stack.append(a)
    return tuple(i for i in order if i in found)


def _is_cheap(program: Program, i: int) -> bool:
    value = program[i]
    return OPS[value.op].group == "pointwise" and value.op not in COSTLY and size(value.type) > WIDEST


def same_at_every_edge(program: Program, operand: int, side: str) -> bool:
    """Whether an operand in a loop over the edges of a row of `side` does not depend on the edge."""
    value = program[operand]
    return value.type.domain is not Domain.EDGE or value.op == f"gather_{side}"


def _is_narrow(program: Program, i: int) -> bool:
    value = program[i]
    if OPS[value.op].group != "pointwise" or value.op == "dropout" or size(value.type) > WIDEST:
        return False
    return all(program[a].op == "constant" or _as_wide(value.type, program[root(program, a)].type) for a in value.args)


def _as_wide(result: Type, operand: Type) -> bool:
    single = operand.domain is not Domain.EDGE and size(operand) == 1
    return single or size(operand) == size(result)


def _segments(program: Program, order: tuple[int, ...], narrow: frozenset[int]) -> dict[int, int]:
    """Segment by statement: even ones edge by edge, odd ones side by side."""
    at: dict[int, int] = {}
    for i in order:
        first = max((at[a] for a in program[i].args if a in at), default=0)
        at[i] = first + (first % 2 != (i in narrow))
    for i in reversed(order):
        readers = [at[r] - (r in narrow) for r in order if i in program[r].args]
        if readers and i not in narrow:
            at[i] = min(readers)
    return at

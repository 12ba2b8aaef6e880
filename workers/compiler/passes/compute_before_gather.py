"""Compute at the vertices what would be computed at every edge from one end only.

1. An operation whose edge operands are all gathered from the same side, other operands being parameters, is done on the
   vertices first and its result gathered: `gather(x) @ W` becomes `gather(x @ W)`, one product a vertex, not an edge.
   So it is along every map of `maps.py`.
2. Dropout stays where it is: its mask belongs to the row it was written for.
3. Quotients, logarithms, exponentials and roots stay too: at a vertex without edges, where nothing asked for them,
   they could be infinite, and so make a gradient NaN that should be 0.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild
from workers.compiler.ops import OPS

GATHERS = tuple(name for name, op in OPS.items() if op.group == "movement")
STAYS = frozenset({"dropout", "div", "log", "exp", "sqrt"})
MOVABLE = ({name for name, op in OPS.items() if op.group in ("pointwise", "shape")} - STAYS) | {"matmul"}


def compute_before_gather(program: Program) -> Program:
    """The program with one-sided edge work moved to the vertices."""
    return rebuild(program, _move, share=False)[0]


def _move(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op not in MOVABLE or value.type.domain is Domain.PARAM:
        return None
    edges = [a for a in args if b.type(a).domain is value.type.domain]
    gathers = {b.values[a].op for a in edges}
    if len(gathers) != 1 or not gathers <= set(GATHERS):
        return None
    inner = tuple(b.values[a].args[0] if a in edges else a for a in args)
    return b.add(gathers.pop(), b.copy(value, inner))

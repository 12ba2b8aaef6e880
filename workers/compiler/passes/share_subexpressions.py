"""Compute equal things once.

1. Two values with the same op, attributes and operands are one. Features of a vertex as source and as destination are
   the same value in a square graph, so a projection written for both ends is one product over the vertices.
2. Where operands may trade places, the order does not matter.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Program, Value, rebuild

COMMUTATIVE = frozenset({"add", "mul", "maximum", "minimum", "eq"})


def share_subexpressions(program: Program) -> Program:
    """The program without duplicates."""
    return rebuild(program, _swapped)[0]


def _swapped(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    return b.find(value.op, *reversed(args)) if value.op in COMMUTATIVE else None

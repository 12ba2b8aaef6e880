"""Divide a softmax-weighted sum once a row instead of once an edge.

1. In `sum_edges(w * x)` over a row's edges, a factor `w = e * gather(r)` with r a reciprocal of the same row is a
   weight that was divided early: the sum becomes `r * sum_edges(e * x)`. Looks through `dropout(w)`, whose mask does
   not depend on what it multiplies.
2. Only sums that results need before any gradient are rewritten: elsewhere r was finished long ago.
3. Others may still use w; the point is that this sum no longer waits for r, so that the loop that finds the softmax's
   denominator also finds the weighted sum.
"""

from __future__ import annotations

from collections.abc import Collection

from workers.compiler.ir import Builder, Program, Value, rebuild
from workers.compiler.rows import cone


def divide_after_sum(program: Program, results: Collection[str]) -> Program:
    """The program with divisions by row sums moved behind the other sums that the named `results` need."""
    ids = dict(program.outputs)
    early = cone(program, [ids[name] for name in results])
    return rebuild(program, lambda b, value, args: _delay(b, value, args) if value.id in early else None)[0]


def _delay(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op != "sum_edges":
        return None
    found = _without_quotient(b, args[0], f"gather_{value.text('side')}")
    if found is None:
        return None
    rest, r = found
    if b.type(rest) != b.type(args[0]):
        return None
    return b.add("mul", b.copy(value, (rest,)), r)


def _without_quotient(b: Builder, x: int, gather: str) -> tuple[int, int] | None:
    """`x` without its factor `gather(r)`, and r; None where there is no such factor."""
    value = b.values[x]
    if value.op == "dropout":
        inner = _without_quotient(b, value.args[0], gather)
        if inner is None or b.type(inner[0]) != value.type:
            return None
        return b.copy(value, (inner[0],)), inner[1]
    if value.op != "mul":
        return None
    for factor, other in (value.args, value.args[::-1]):
        if b.values[factor].op == gather and b.values[b.values[factor].args[0]].op == "reciprocal":
            return other, b.values[factor].args[0]
        inner = _without_quotient(b, factor, gather)
        if inner is not None:
            return b.add("mul", inner[0], other), inner[1]
    return None

"""Sum over all edges in two steps: over the edges of each destination, then over the rows.

1. `sum_rows` of an edge value becomes `sum_edges` to the destinations and `sum_rows` of those, so the gradient of a
   parameter never needs one row an edge in memory.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild


def sum_edges_first(program: Program) -> Program:
    """A program whose `sum_rows` take vertex values only."""
    return rebuild(program, _split)[0]


def _split(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op != "sum_rows" or b.type(args[0]).domain is not Domain.EDGE:
        return None
    to = Domain.DST if b.bipartite else Domain.VERTEX
    return b.add("sum_rows", b.add("sum_edges", args[0], side="dst", to=to.value))

"""Write a mean over edges as a sum times the reciprocal of the degree.

1. `mean_edges(x)` becomes `sum_edges(x) * reciprocal(degree)`; `reciprocal` gives 0 for a row without edges.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Program, Value, rebuild


def lower_means(program: Program) -> Program:
    """A program without `mean_edges`."""
    return rebuild(program, _lower, share=False)[0]


def _lower(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op != "mean_edges":
        return None
    ends = dict(value.attrs)
    degree = b.add("degree", **ends)
    return b.add("mul", b.add("sum_edges", *args, **ends), b.add("reciprocal", degree))

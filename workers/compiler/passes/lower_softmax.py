"""Write softmax over the edges of a row as maximum, exponential, sum and quotient, all of which row programs know.

1. The maximum of each row is raised to a finite number, so that a row of -inf logits subtracts no infinity.
2. Each edge gets e^(logit - maximum): at most 1, and 0 where the logit is -inf.
3. Each row sums its exponentials; `reciprocal` gives 0 where there are none.
4. Each edge gets its exponential times its row's reciprocal.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Program, Value, rebuild
from workers.compiler.maps import rows_of
from workers.compiler.ops import softmax_side

LOWEST = -1e30  # finite in every float type down to bfloat16, and below every logit that means something


def lower_softmax(program: Program) -> Program:
    """A program without `edge_softmax`."""
    return rebuild(program, _lower, share=False)[0]


def _lower(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op != "edge_softmax":
        return None
    (logits,) = args
    side = softmax_side(value)
    row = {"side": side, "to": rows_of(side, bipartite=b.bipartite).value}
    highest = b.add("maximum", b.add("max_edges", logits, **row), b.add("constant", value=LOWEST))
    e = b.add("exp", b.add("sub", logits, b.add(f"gather_{side}", highest)))
    share = b.add("reciprocal", b.add("sum_edges", e, **row))
    return b.add("mul", e, b.add(f"gather_{side}", share))

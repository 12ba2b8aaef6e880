"""Sum over the edges of a relation in two steps: over those of each of its senders or receivers, then over these.

1. A sum over all edges of a relation, the gradient of its parameter, would walk the edges once more and compute again
   all that stands behind them. Where senders or receivers sum over their edges anyway, it is summed there first.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild

STOPS = {"sender": Domain.SENDER, "receiver": Domain.RECEIVER}


def sum_relations_by_row(program: Program) -> Program:
    """The program with sums over relations by way of the rows whose edges it walks anyway."""
    sums = [v for v in program.values if v.op == "sum_edges"]
    walked = {v.text("side") for v in sums}
    stop = next((name for name in STOPS if name in walked), None)
    if stop is None or "relation" not in walked:
        return program

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        if value.op != "sum_edges" or value.text("side") != "relation":
            return None
        inner = b.add("sum_edges", *args, side=stop, to=STOPS[stop].value)
        return b.add("sum_edges", inner, side=f"{stop}_relation", to=Domain.RELATION.value)

    return rebuild(program, rule)[0]

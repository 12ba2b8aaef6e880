"""What stitching saves: the launches of a model that loops over relations and types, beside those of one graph.

A loop runs every operation on edges, and on what belongs to one relation, once a relation; what belongs to a type once
a type. Stitched, the same operations run once each over all of them; fused, as few kernels and products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from workers.compiler.graph_size import GraphSize
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.plan import Plan
from workers.compiler.rows import DenseStep

BY_RELATION = frozenset({Domain.EDGE, Domain.SENDER, Domain.RECEIVER, Domain.RELATION})
VIEWS = frozenset({
    "reshape", "gather_sent", "gather_received", "gather_relation", "gather_sender_relation",
    "gather_receiver_relation",
})  # fmt: skip
"""What a loop has at hand without a launch: a shape, the rows of one relation, its slice of a parameter."""


Per = Literal["relation", "type", "graph"]


@dataclass(frozen=True)
class Repeated:
    """Operations of one kind: what a loop runs one of `per`, and how often, beside once each when stitched."""

    op: str
    per: Per
    looped: int
    stitched: int


@dataclass(frozen=True)
class RelationWork:
    """Launches of one forward and backward run on a graph of `relations` and `types`. `work` adds up to the totals."""

    relations: int
    types: int
    looped: int
    stitched: int
    fused: int
    bundled: dict[str, int]
    by_relation: tuple[str, ...]
    work: tuple[Repeated, ...] = ()


def relation_work(program: Program, plan: Plan, graph: GraphSize) -> RelationWork:
    """What a program over relations launches looped, stitched, and as planned.

    `bundled` counts the products that serve all relations or types at once, by op; `by_relation` names the operations
    of the program as written that a loop would repeat.
    """
    launched = [v for v in _with_gradients(program, plan).values if OPS[v.op].group != "leaf" and v.op != "reshape"]
    work = _repetitions(launched, graph)
    steps = (*plan.forward.steps, *plan.backward.steps)
    products = [s for s in steps if isinstance(s, DenseStep)]
    schedules = {id(s): d.program for d in (plan.forward, plan.backward) for s in d.steps}
    bundled = Counter(schedules[id(s)][s.value].op for s in products)
    return RelationWork(
        graph.relations,
        graph.types,
        sum(r.looped for r in work),
        len(launched),
        len(steps),
        {op: n for op, n in sorted(bundled.items()) if op.startswith("typed_")},
        tuple(dict.fromkeys(v.op for v in program.values if _repeated(v))),
        work,
    )


def _repetitions(launched: Sequence[Value], graph: GraphSize) -> tuple[Repeated, ...]:
    """By op and what a loop would go over, in the order of the program."""
    times: dict[Per, int] = {"relation": max(graph.relations, 1), "type": max(graph.types, 1), "graph": 1}
    counts = Counter((v.op, _per(v)) for v in launched)
    return tuple(Repeated(op, per, 0 if op in VIEWS else n * times[per], n) for (op, per), n in counts.items())


def _with_gradients(program: Program, plan: Plan) -> Program:
    return next((s.program for s in plan.stages if s.name == "differentiate"), program)


def _is_by_relation(value: Value) -> bool:
    return value.type.domain in BY_RELATION


def _repeated(value: Value) -> bool:
    return OPS[value.op].group != "leaf" and value.op not in VIEWS and _is_by_relation(value)


def _per(value: Value) -> Per:
    """What a loop runs it once each of. A product with matrices of types runs once a type, on the rows of that type."""
    if _is_by_relation(value):
        return "relation"
    return "type" if value.type.domain is Domain.TYPE or value.op.startswith("typed_") else "graph"

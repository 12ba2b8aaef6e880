"""Take out of a sum over edges whatever is the same at every edge of the row.

For `sum_edges(a * b * ...)` over the edges of one side:
1. A factor gathered from that same side, a parameter or a sign does not change within the row: multiply once a row,
   after the sum. What is left is often narrower, and never wider.
2. A factor `dropout(d)` whose mask is already applied to another factor a changes places with it:
   `a * dropout(d) = dropout(a) * d`.
3. Beside a factor a, a contraction `sum_to(g * x)` with g gathered from that same side trades places with the sum: the
   row's result is `sum_to(g * sum_edges(a * x))`. Done only where `sum_edges(a * x)` already exists. In the gradient of
   attention it does: it is the layer's result, so the sum that softmax's gradient asks for costs no loop over edges.

Products that others use too are left whole, unless they hold a factor that waits for the number of edges that reach a
row's extreme: taken out, the sum is found in the loop that counts them, not in one more.

A factor that may be infinite or no number (a quotient, a logarithm, an exponential or root of data) stays inside: a row
without edges must give 0, not infinity * 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.ir import Attr, Builder, Domain, Program, Value, rebuild
from workers.compiler.ops import OPS

UNBOUNDED = ("div", "log")
UNBOUNDED_IN_DATA = ("exp", "sqrt")  # harmless in degrees and constants: 1 / sqrt(degree) is written with `reciprocal`


def hoist_out_of_aggregations(program: Program) -> Program:
    """The program with row-constant factors outside its sums."""
    uses = _use_counts(program)
    shared = {i for i, n in enumerate(uses) if n > 1}
    kept: set[int] = set()

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        new = _hoisted(b, kept, value, args[0]) if value.op == "sum_edges" else None
        if new is None:
            new = b.copy(value, args)
        if value.id in shared:
            kept.add(new)
        return new

    return rebuild(program, rule, share=False)[0]


def _use_counts(program: Program) -> list[int]:
    counts = [0] * len(program.values)
    for value in program.values:
        for a in value.args:
            counts[a] += 1
    return counts


@dataclass(frozen=True)
class _Factors:
    """A product on edges, taken apart: what stays on the edges, what is pulled out to the rows, and the sign."""

    edges: tuple[int, ...]
    rows: tuple[int, ...]
    negative: bool


def _hoisted(b: Builder, kept: set[int], value: Value, x: int) -> int | None:
    """The new value of `sum_edges(x)`, or None where there is nothing to take out."""
    ends = dict(value.attrs)
    factors = _factors(b, kept, x, f"gather_{value.text('side')}")
    out = _moved_inside(b, factors, ends)
    if out is None:
        if not factors.rows and not factors.negative:
            return None
        out = _total(b, factors.edges, ends)
    for row in factors.rows:
        out = b.add("mul", out, row)
    return b.add("neg", out) if factors.negative else out


def _total(b: Builder, edges: tuple[int, ...], ends: dict[str, Attr]) -> int:
    return b.add("sum_edges", _product(b, edges), **ends) if edges else b.add("degree", **ends)


def _product(b: Builder, edges: tuple[int, ...]) -> int:
    out = edges[0]
    for e in edges[1:]:
        out = _found_product(b, out, e) or b.add("mul", out, e)
    return out


def _found_product(b: Builder, x: int, y: int) -> int | None:
    found = b.find("mul", x, y)
    return b.find("mul", y, x) if found is None else found


def _factors(b: Builder, kept: set[int], x: int, gather: str) -> _Factors:
    """Step 1: take the product `x` apart. Products that others use too are left whole, unless they are `x` itself."""
    value = b.values[x]
    if value.op == "neg":
        inner = _factors(b, kept, value.args[0], gather)
        return _Factors(inner.edges, inner.rows, not inner.negative)
    if value.op == "mul":
        left, right = (_part(b, kept, a, gather) for a in value.args)
        return _Factors(left.edges + right.edges, left.rows + right.rows, left.negative != right.negative)
    return _leaf(b, x, gather)


def _part(b: Builder, kept: set[int], x: int, gather: str) -> _Factors:
    left_whole = x in kept and not _waits_for_ties(b, x, gather)
    return _leaf(b, x, gather) if left_whole else _factors(b, kept, x, gather)


def _waits_for_ties(b: Builder, x: int, gather: str) -> bool:
    """Whether a factor of the product `x` is only known once the row's edges that reach its extreme are counted."""
    gathered = (b.values[a].args[0] for a in b.values[x].args if b.values[x].op == "mul" and b.values[a].op == gather)
    return any(_counts_ties(b, i) for g in gathered for i in _row_by_row(b, g))


def _counts_ties(b: Builder, x: int) -> bool:
    return b.values[x].op == "sum_edges" and b.values[b.values[x].args[0]].op == "eq"


def _leaf(b: Builder, x: int, gather: str) -> _Factors:
    value = b.values[x]
    if value.op == gather and _bounded(b, value.args[0]):
        return _Factors((), value.args, False)
    if value.type.domain is Domain.PARAM and _bounded(b, x):
        return _Factors((), (x,), False)
    return _Factors((x,), (), False)


def _bounded(b: Builder, x: int) -> bool:
    """Whether finite inputs give a finite value, looking through everything computed row by row."""
    behind = _row_by_row(b, x)
    ops = {b.values[i].op for i in behind}
    return not ops.intersection(UNBOUNDED) and not any(
        b.values[i].op in UNBOUNDED_IN_DATA and _reads_data(b, i) for i in behind
    )


def _row_by_row(b: Builder, x: int) -> set[int]:
    """`x` and what it is computed from, up to leaves, products and aggregates."""
    stack, seen = [x], {x}
    while stack:
        value = b.values[stack.pop()]
        if OPS[value.op].group in ("pointwise", "shape"):
            stack.extend(set(value.args) - seen)
            seen.update(value.args)
    return seen


def _reads_data(b: Builder, x: int) -> bool:
    return any(
        OPS[b.values[i].op].group not in ("pointwise", "shape") and b.values[i].op not in ("degree", "constant")
        for i in _row_by_row(b, x)
    )


def _moved_inside(b: Builder, factors: _Factors, ends: dict[str, Attr]) -> int | None:
    """Steps 2 and 3: the sum as a row-wise contraction of an aggregate that exists, or None."""
    if len(factors.edges) != 2:
        return None
    for a, other in (factors.edges, factors.edges[::-1]):
        weight, contraction = _without_dropout(b, a, other)
        found = _contracted(b, weight, contraction, ends)
        if found is not None:
            return found
    return None


def _without_dropout(b: Builder, a: int, other: int) -> tuple[int, int]:
    """`a * dropout(d)` as `dropout(a) * d`, where `dropout(a)` with that mask exists."""
    value = b.values[other]
    masked = b.find("dropout", a, **dict(value.attrs)) if value.op == "dropout" else None
    return (a, other) if masked is None or b.type(a) != value.type else (masked, value.args[0])


def _contracted(b: Builder, weight: int, contraction: int, ends: dict[str, Attr]) -> int | None:
    outer = b.values[contraction]
    inner = b.values[outer.args[0]] if outer.op == "sum_to" else None
    if inner is None or inner.op != "mul" or b.type(weight) != outer.type:
        return None
    for g, x in (inner.args, inner.args[::-1]):
        product = _found_product(b, weight, x)
        total = None if product is None else b.find("sum_edges", product, **ends)
        if total is not None and b.values[g].op == f"gather_{ends['side']}":
            product_shape = b.type(inner.id).shape
            row = b.add("mul", b.values[g].args[0], total)
            return b.add("sum_to", row, **dict(outer.attrs)) if b.type(row).shape == product_shape else None
    return None

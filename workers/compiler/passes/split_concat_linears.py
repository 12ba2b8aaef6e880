"""Multiply the parts of a join, not the join, so that each part's product can be moved to where it is cheap.

1. `concat(a, b) @ W` becomes `a @ W1 + b @ W2` with the rows of W that a and b meet. On the edges this is done when a
   part is gathered from one side or has no rows: its product is then done once a vertex, or once. On the vertices, when
   the products write no more numbers than the join would.
2. `dot(concat(a, b), p)` becomes `dot(a, p1) + dot(b, p2)` in the same places.
3. On the edges `(a + b) @ W`, with a and b gathered from different sides, becomes `a @ W + b @ W`.

Rows of W are cut out of the flat matrix, where they lie side by side; matrices beyond `LARGEST` numbers stay whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild

GATHERS = ("gather_src", "gather_dst")
LARGEST = 1 << 16  # a matrix's gradient is put together on the stack of one thread


def split_concat_linears(program: Program) -> Program:
    """The program without products of joins, where that saves work."""
    return rebuild(program, _split, share=False)[0]


def _split(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    if value.op == "matmul":
        return _split_product(b, value, args) or _distributed(b, value, args)
    return _split_dot(b, value, args[0]) if value.op == "sum_to" else None


# --- products -----------------------------------------------------------------------------------------------------


def _split_product(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    x, weight = args
    join, (rows, columns) = b.values[x], _rows_first(b, value, weight)
    if join.op != "concat" or rows * columns > LARGEST or not _pays(b, join, columns):
        return None
    parts = [b.copy(value, (a, _some_rows(b, value, weight, start, stop))) for a, start, stop in _stretches(b, join)]
    return _total(b, parts)


def _rows_first(b: Builder, value: Value, weight: int) -> tuple[int, int]:
    rows, columns = b.type(weight).shape
    return (columns, rows) if dict(value.attrs).get("transposed") else (rows, columns)


def _pays(b: Builder, join: Value, columns: int) -> bool:
    if join.type.domain is Domain.EDGE:
        return any(_one_sided(b, a) for a in join.args)
    return len(join.args) * columns <= join.type.shape[-1]


def _one_sided(b: Builder, a: int) -> bool:
    return b.values[a].op in GATHERS or b.type(a).domain is Domain.PARAM


def _stretches(b: Builder, join: Value) -> Iterator[tuple[int, int, int]]:
    """Each part of a join and the columns it takes up."""
    ends = [0, *accumulate(b.type(a).shape[-1] for a in join.args)]
    for a, (start, stop) in zip(join.args, pairwise(ends), strict=True):
        yield a, start, stop


def _some_rows(b: Builder, value: Value, weight: int, start: int, stop: int) -> int:
    """The part of `weight` that columns start to stop of the other operand meet."""
    if dict(value.attrs).get("transposed"):
        return b.add("slice", weight, start=start, stop=stop)
    rows, columns = b.type(weight).shape
    flat = b.add("reshape", weight, shape=(rows * columns,))
    cut = b.add("slice", flat, start=start * columns, stop=stop * columns)
    return b.add("reshape", cut, shape=(stop - start, columns))


def _total(b: Builder, parts: list[int]) -> int:
    out = parts[0]
    for part in parts[1:]:
        out = b.add("add", out, part)
    return out


def _distributed(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    """Step 3."""
    total = b.values[args[0]]
    if total.op not in ("add", "sub") or total.type.domain is not Domain.EDGE:
        return None
    if {b.values[a].op for a in total.args} != set(GATHERS) or any(b.type(a) != total.type for a in total.args):
        return None
    return b.add(total.op, *(b.copy(value, (a, args[1])) for a in total.args))


# --- dot products -------------------------------------------------------------------------------------------------


def _split_dot(b: Builder, value: Value, x: int) -> int | None:
    """Step 2: `sum_to` over the last axis of a join times a parameter as wide."""
    product, shape = b.values[x], value.type.shape
    if product.op != "mul" or shape != (*product.type.shape[:-1], 1):
        return None
    for join, p in (product.args, product.args[::-1]):
        fits = b.type(p).domain is Domain.PARAM and b.type(p).shape[-1:] == product.type.shape[-1:]
        if b.values[join].op == "concat" and fits and b.type(join) == product.type and _pays(b, b.values[join], 1):
            return _total(b, [_dot(b, a, p, part, value) for a, *part in _stretches(b, b.values[join])])
    return None


def _dot(b: Builder, a: int, p: int, part: list[int], value: Value) -> int:
    cut = b.add("slice", p, start=part[0], stop=part[1])
    return b.copy(value, (b.add("mul", a, cut),))

"""The functions of the language, shared by both front ends. Entrywise ones also take lists of neighbour values."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Generator, Iterable
from typing import Any, cast

from workers.compiler import everywhere
from workers.compiler.faults import LanguageError
from workers.compiler.ir import Attr
from workers.compiler.neighbours import Neighbours
from workers.compiler.sketch import Sketch
from workers.compiler.symbols import Messages, Passing, Symbol, used_up

Value = Any  # a symbol, a list of neighbour values, or a constant: what the functions accept is checked and explained


def as_messages(x: object) -> Messages | None:
    """A comprehension's list or generator as neighbour values; None for anything else."""
    if isinstance(x, Messages):
        return x
    if isinstance(x, Passing):
        return x.take()
    if isinstance(x, Generator):
        x = _gone_through(x)
    if isinstance(x, list) and len(x) == 1 and isinstance(x[0], Symbol):
        return Messages(x[0])
    return None


def _gone_through(x: Generator[object]) -> list[object]:
    """The entries of a generator, which has some unless it was used before. Raises LanguageError."""
    entries = list(x)
    if not entries:
        raise used_up()
    return entries


def sketch_of(name: str, *values: object) -> Sketch:
    """The sketch that symbolic operands belong to. Raises LanguageError where there is none."""
    for x in values:
        if isinstance(x, Symbol):
            return x.sketch
        if messages := as_messages(x):
            return messages.item.sketch
    raise LanguageError(f"{name} needs a computed value, got constants", "Write the number itself.", code="type")


def _entrywise(f: Callable[..., Symbol]) -> Callable[..., Value]:
    """Let `f` act on every entry of a list given as its first operand."""

    @functools.wraps(f)
    def act(x: Value, *rest: Value, **options: Value) -> Value:
        messages = as_messages(x)
        return f(x, *rest, **options) if messages is None else Messages(f(messages.item, *rest, **options))

    return act


def _number(name: str, x: object, low: float, high: float) -> float:
    if isinstance(x, bool) or not isinstance(x, (int, float)) or not low <= x <= high:
        raise LanguageError(f"{name} must be a constant between {low:g} and {high:g}", "", code="type")
    return float(x)


def _unary(op: str) -> Callable[..., Value]:
    def act(x: Value) -> Symbol:
        return sketch_of(op, x).pointwise(op, x)

    act.__name__ = op
    return _entrywise(act)


relu, elu, sigmoid, tanh = _unary("relu"), _unary("elu"), _unary("sigmoid"), _unary("tanh")
exp, log, sqrt, sign = _unary("exp"), _unary("log"), _unary("sqrt"), _unary("sign")
step, reciprocal = _unary("step"), _unary("reciprocal")


@_entrywise
def rsqrt(x: Value) -> Symbol:
    """Of what is above 0; the root is taken of 1 elsewhere, so that no gradient divides by 0."""
    sketch = sketch_of("rsqrt", x)
    positive = sketch.pointwise("step", x)
    root = sketch.pointwise("sqrt", sketch.pointwise("where", positive, x, 1.0))
    return sketch.pointwise("where", positive, sketch.pointwise("reciprocal", root), 0.0)


@_entrywise
def leaky_relu(x: Value, slope: float = 0.01) -> Symbol:
    return sketch_of("leaky_relu", x).pointwise("leaky_relu", x, slope=_number("slope", slope, -1e6, 1e6))


@_entrywise
def dropout(x: Value, p: float = 0.5) -> Symbol:
    sketch = sketch_of("dropout", x)
    share = _number("p", p, 0, 1)
    if share == 1:
        raise LanguageError("p must be below 1", "Dropping everything leaves nothing to scale up.", code="type")
    sketch.dropouts += 1
    return sketch.pointwise("dropout", sketch.on_edge(sketch.lift(x)), p=share, stream=sketch.dropouts - 1)


@_entrywise
def silu(x: Value) -> Symbol:
    sketch = sketch_of("silu", x)
    return sketch.pointwise("mul", x, sketch.pointwise("sigmoid", x))


@_entrywise
def softplus(x: Value) -> Symbol:
    """ln(1 + e^x), from e^-|x|, which cannot overflow."""
    sketch = sketch_of("softplus", x)
    return sketch.pointwise("maximum", x, 0.0) + sketch.pointwise("log", 1.0 + sketch.pointwise("exp", -abs(x)))


@_entrywise
def gelu(x: Value) -> Symbol:
    """Hendrycks and Gimpel 2016, with their tanh."""
    sketch = sketch_of("gelu", x)
    bent = sketch.pointwise("tanh", math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x)))
    return sketch.pointwise("mul", 0.5 * x, 1.0 + bent)


@_entrywise
def where(condition: Value, a: Value, b: Value) -> Symbol:
    return sketch_of("where", condition, a, b).pointwise("where", condition, a, b)


@_entrywise
def linear(x: Value, weight: Value, bias: Value = None) -> Symbol:
    product = sketch_of("linear", x, weight).matmul(x, weight)
    return product if bias is None else product + bias


@_entrywise
def dot(a: Value, b: Value) -> Symbol:
    sketch = sketch_of("dot", a, b)
    product = sketch.pointwise("mul", a, b)
    if not product.shape:
        raise LanguageError("dot needs values with at least one axis", "Use a * b for single numbers.", code="type")
    return _same_place(product, "sum_to", shape=(*product.shape[:-1], 1))


@_entrywise
def normalize(x: Value) -> Symbol:
    """Divided by its length over the last axis, which counts as 1e-12 at least."""
    sketch = sketch_of("normalize", x)
    return sketch.pointwise("div", x, sketch.pointwise("sqrt", sketch.pointwise("maximum", dot(x, x), 1e-24)))


@_entrywise
def reshape(x: Value, *sizes: Value) -> Symbol:
    symbol = sketch_of("reshape", x).lift(x)
    shape: tuple[Value, ...] = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], tuple) else sizes
    if not all(_is_whole(n) for n in shape) or shape.count(-1) > 1:
        raise LanguageError("reshape takes whole numbers, one of them -1 at most", "Such as reshape(x, heads, -1).")
    return _same_place(symbol, "reshape", shape=_completed(symbol.shape, shape))


def _is_whole(n: Value) -> bool:
    return isinstance(n, int) and not isinstance(n, bool)


def _completed(given: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Replace -1 by what is left over; a wrong total is left for the op table to report."""
    total, known = 1, 1
    for n in given:
        total *= n
    for n in shape:
        known *= n if n != -1 else 1
    return tuple(max(total // max(known, 1), 1) if n == -1 else n for n in shape)


def concat(*values: Value) -> Symbol:
    return sketch_of("concat", *values).pointwise("concat", *values)


@_entrywise
def columns(x: Value, start: int, stop: int) -> Symbol:
    symbol = sketch_of("columns", x).lift(x)
    if not all(_is_whole(n) for n in (start, stop)):
        raise LanguageError("columns takes two whole numbers", "Such as columns(x, 0, 8).")
    return _same_place(symbol, "slice", start=start, stop=stop)


@_entrywise
def mean_heads(x: Value) -> Symbol:
    total = _summed_heads("mean_heads", x)
    return _same_place(total * (1 / x.shape[0]), "reshape", shape=total.shape[1:])


@_entrywise
def sum_heads(x: Value) -> Symbol:
    total = _summed_heads("sum_heads", x)
    return _same_place(total, "reshape", shape=total.shape[1:])


def _summed_heads(name: str, x: Value) -> Symbol:
    symbol = sketch_of(name, x).lift(x)
    if len(symbol.shape) < 2:
        raise LanguageError(f"{name} needs two axes, got {list(symbol.shape)}", "Reshape to (heads, width).")
    return _same_place(symbol, "sum_to", shape=(1, *symbol.shape[1:]))


def _same_place(x: Symbol, op: str, **attrs: Attr) -> Symbol:
    return Symbol(x.sketch, x.sketch.append(op, x.id, **attrs), x.place)


# --- over neighbours --------------------------------------------------------------------------------------------------


def softmax(messages: Value) -> Messages:
    found = as_messages(messages)
    if found is None:
        raise LanguageError("softmax is over a list of neighbour values", "Write softmax([... for nb in v.innbs]).")
    return found.item.sketch.softmax(found)


def mean(messages: Value) -> Symbol:
    found = as_messages(messages)
    if found is None:
        raise LanguageError("mean is over a list of neighbour values", "Write mean([... for nb in v.innbs]).")
    return found.item.sketch.aggregate("mean_edges", found)


def var(messages: Value) -> Symbol:
    """Mean square distance from the mean, taken in two rounds so that large equal values leave nothing behind."""
    found = as_messages(messages)
    if found is None:
        raise LanguageError("var is over a list of neighbour values", "Write var([... for nb in v.innbs]).")
    apart = found.item - mean(found)
    return mean(Messages(apart * apart))


def std(messages: Value, least: Value = 0.0) -> Symbol:
    """Root of the variance, and 0 where that is not above `least`, so that no gradient is infinite."""
    found = as_messages(messages)
    if found is None:
        raise LanguageError("std is over a list of neighbour values", "Write std([... for nb in v.innbs]).")
    spread, floor = var(found), _number("least", least, 0, 1e6)
    sketch = spread.sketch
    apart = sketch.pointwise("gt", spread, floor)
    return sketch.pointwise(
        "where", apart, sketch.pointwise("sqrt", sketch.pointwise("where", apart, spread, 1.0)), 0.0
    )


@_entrywise
def mean_everywhere(x: Value, other: Value = 0.0) -> Symbol:
    """Of a relation, from a value of v in it: over all vertices of its type, those without edges in it as `other`."""
    symbol = sketch_of("mean_everywhere", x).lift(x)
    return everywhere.mean_everywhere(symbol, symbol.sketch.lift(other))


def softmax_everywhere(scores: Value) -> Messages:
    """Over all relations that lead to the type of v, whether v has edges in them or not."""
    found = as_messages(scores)
    if found is None:
        hint = "Write softmax_everywhere([mean_everywhere(x) for x in found])."
        raise LanguageError("softmax_everywhere is over a list of values of relations", hint)
    return everywhere.softmax_everywhere(found)


def _listed(name: str, x: Value) -> Value:
    """`x` as neighbour values or a plain list. Raises LanguageError for entries that are no values of the neighbour."""
    if isinstance(x, Neighbours):
        raise LanguageError(f"{name} of the neighbours themselves", f"Say of what: {name}(nb.h for nb in v.innbs).")
    listed = _gone_through(x) if isinstance(x, Generator) else x
    found = as_messages(listed)
    if isinstance(listed, list) and not listed:
        raise used_up()
    if found is None and isinstance(listed, list) and len(listed) == 1:
        raise LanguageError(
            "the entries do not depend on the neighbour", "Multiply by v.degree, or use nb in the entry.", code="place"
        )
    return listed if found is None else found


def total(values: Value, *start: Value) -> Value:
    """Python's `sum`, over neighbours too."""
    found = _listed("sum", values)
    if not isinstance(found, Messages):
        return builtins.sum(found, *start)
    aggregated = found.item.sketch.aggregate("sum_edges", found)
    return aggregated + start[0] if start else aggregated


def length(values: Value) -> Value:
    """Python's `len`, which for neighbours is the degree."""
    if isinstance(values, Neighbours):
        return values.sketch.degree(values.direction)
    found = _listed("len", values)
    if not isinstance(found, Messages):
        return builtins.len(found)
    sketch = found.item.sketch
    return sketch.degree(sketch.direction(found))


def _extreme(name: str, plain: Callable[..., Any]) -> Callable[..., Value]:
    def act(*values: Value) -> Value:
        if len(values) == 1:
            found = _listed(name, values[0])
            is_list = isinstance(found, Messages)
            return found.item.sketch.aggregate(f"{name}_edges", found) if is_list else plain(found)
        if not any(isinstance(x, Symbol) for x in values):
            return plain(*values)
        return functools.reduce(lambda a, b: sketch_of(name, *values).pointwise(f"{name}imum", a, b), values)

    return act


largest, smallest = _extreme("max", builtins.max), _extreme("min", builtins.min)

FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{
        f.__name__: cast("Callable[..., Value]", f)
        for f in (
            relu,
            elu,
            sigmoid,
            tanh,
            exp,
            log,
            sqrt,
            sign,
            step,
            reciprocal,
            rsqrt,
            leaky_relu,
            silu,
            softplus,
            gelu,
            dropout,
            where,
            linear,
            dot,
            reshape,
            concat,
            columns,
            mean_heads,
            sum_heads,
            normalize,
            softmax,
            mean,
            mean_everywhere,
            softmax_everywhere,
            var,
            std,
        )
    },
}


def _without_neighbours(name: str, plain: Callable[..., Any]) -> Callable[..., Value]:
    """A function of Python that would count or order neighbours: for anything else it stays what it is."""

    def act(*values: Value, **options: Value) -> Value:
        if any(isinstance(x, (Neighbours, Messages)) or as_messages(x) for x in values if not isinstance(x, Generator)):
            raise LanguageError(f"{name} of neighbours, which have no order", "Write a comprehension over v.innbs.")
        return plain(*values, **options)

    return act


BUILTINS: dict[str, Callable[..., Value]] = {"sum": total, "len": length, "max": largest, "min": smallest}
TRACED_BUILTINS: dict[str, Callable[..., Value]] = BUILTINS | {
    f.__name__: _without_neighbours(f.__name__, f) for f in (enumerate, sorted, reversed, any, all)
}


def iterable(x: object) -> Iterable[Any]:
    """What a comprehension may run over, or a LanguageError."""
    if isinstance(x, Neighbours):
        return x
    found = as_messages(x)
    if found is None:
        raise LanguageError("a comprehension runs over neighbours", "Such as [nb.h for nb in v.innbs].")
    return found

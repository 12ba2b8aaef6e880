"""Reverse-mode gradients, written in the same ops as the program itself.

1. Copy the forward program; its values keep their ids.
2. Add an input `grad:<output>` for each result.
3. Walk the values backwards. A value that depends on something wanted hands its gradient to its operands by its op's
   row in `GRADIENTS`; broadcasting is undone by `sum_to`, a parameter used by rows is closed by `sum_rows`.
4. Gradients that meet at one value are added.
5. Drop what no wanted gradient needs; name the results `grad:<name>`.

Movement turns around: the gradient of `gather_src` sums over out-edges, that of a sum over in-edges is gathered from
the destination. So no gradient is ever scattered, and no kernel needs atomics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workers.compiler.ir import Attr, Builder, Domain, Program, Value, keep_only
from workers.compiler.maps import MAPS, rows_of
from workers.compiler.ops import softmax_side

SEED = "grad:"


@dataclass(frozen=True)
class Joint:
    """Forward and backward as one program.

    `program` has the forward results (`outputs`) under their names and, for each name of `wrt`, a result `grad:<name>`
    of that leaf's type; it takes the forward leaves and an input `grad:<output>` for each forward result. Its first
    values are those of the forward program, with their ids.
    """

    program: Program
    outputs: tuple[str, ...]
    wrt: tuple[str, ...]


class Tape:
    """Short-hand for writing gradient rules: `t("mul", a, b)` appends a value and returns its id."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def __call__(self, op: str, *args: int, **attrs: Attr) -> int:
        return self.builder.add(op, *args, **attrs)

    def number(self, value: float) -> int:
        return self.builder.add("constant", value=value)

    def like(self, value_id: int) -> tuple[int, ...]:
        return self.builder.type(value_id).shape


Gradients = tuple[int | None, ...]
Rule = Callable[[Tape, Value, int], Gradients]


def differentiate(program: Program, wrt: tuple[str, ...], *, zeros: bool = True) -> Joint:
    """The joint program of the results and their gradients with respect to the named inputs and parameters.

    A leaf that no result depends on gets zeros, or, without `zeros`, is left out of the joint program's `wrt`.
    Raises ValueError for a name the program has no leaf for, and for an op without a gradient on the way.
    """
    wanted = _wanted(program, wrt)
    builder = _copied(program)
    tape = Tape(builder)
    active = _active(program, wanted)
    gradient: dict[int, int] = {}
    builder.span = None
    for name, i in program.outputs:
        seed = tape("input", name=SEED + name, domain=program[i].type.domain.value, shape=program[i].type.shape)
        _accumulate(tape, gradient, i, seed)
    for value in reversed(program.values):
        if value.id in active and value.id in gradient and value.args:
            builder.span = value.span
            _hand_down(tape, value, gradient, active)
    found = {n: gradient.get(leaf, _zeros(tape, leaf)) for n, leaf in wanted.items() if zeros or leaf in gradient}
    joint = builder.build(dict(program.outputs) | {SEED + n: i for n, i in found.items()})
    roots = [*range(len(program.values)), *(i for _, i in joint.outputs)]
    return Joint(keep_only(joint, roots)[0], tuple(n for n, _ in program.outputs), tuple(found))


def _wanted(program: Program, wrt: tuple[str, ...]) -> dict[str, int]:
    leaves = program.leaves("input") | program.leaves("param")
    unknown = [name for name in wrt if name not in leaves]
    if unknown:
        raise ValueError(f"no input or parameter named {unknown}; the program has {sorted(leaves)}")
    return {name: leaves[name].id for name in wrt}


def _copied(program: Program) -> Builder:
    """A builder that holds the program with its ids; values added later are shared with what is there."""
    builder = Builder(program.name, bipartite=program.bipartite, share=False)
    for value in program.values:
        builder.span = value.span
        builder.copy(value, value.args)
    builder.share = True
    return builder


def _active(program: Program, wanted: dict[str, int]) -> set[int]:
    """The values that depend on a wanted leaf."""
    active = set(wanted.values())
    for value in program.values:
        if active.intersection(value.args):
            active.add(value.id)
    return active


def _hand_down(tape: Tape, value: Value, gradient: dict[int, int], active: set[int]) -> None:
    if value.op in NO_GRADIENT:
        raise ValueError(f"{value.op} has no gradient: {NO_GRADIENT[value.op]}")
    for operand, raw in zip(value.args, GRADIENTS[value.op](tape, value, gradient[value.id]), strict=True):
        if operand in active and raw is not None:
            _accumulate(tape, gradient, operand, _reduced(tape, raw, operand))


def _accumulate(tape: Tape, gradient: dict[int, int], value_id: int, g: int) -> None:
    gradient[value_id] = tape("add", gradient[value_id], g) if value_id in gradient else g


def _reduced(tape: Tape, raw: int, operand: int) -> int:
    """Undo the broadcast of `operand`: sum over widened axes, and over all rows where it has none."""
    target, out = tape.builder.type(operand), raw
    if tape.like(out) != target.shape:
        out = tape("sum_to", out, shape=target.shape)
    if target.domain is Domain.PARAM and tape.builder.type(out).domain is not Domain.PARAM:
        out = tape("sum_rows", out)
    assert tape.builder.type(out) == target, f"gradient {tape.builder.type(out)} of a {target}"
    return out


def _zeros(tape: Tape, leaf: int) -> int:
    """Zeros of the leaf's type, whatever it holds."""
    zero = tape.number(0.0)
    return tape("where", zero, leaf, zero)


# --- one rule an op: (tape, value y, gradient g of y) -> gradients of its operands, broadcasting not yet undone ---


def _unary(f: Callable[[Tape, int, int, int], int]) -> Rule:
    """A rule of (tape, x, y, g)."""
    return lambda t, v, g: (f(t, v.args[0], v.id, g),)


def _binary(a: Callable[[Tape, Value, int], int], b: Callable[[Tape, Value, int], int]) -> Rule:
    return lambda t, v, g: (a(t, v, g), b(t, v, g))


def _elu(t: Tape, x: int, y: int, g: int) -> int:
    return t("where", t("step", x), g, t("mul", g, t("add", y, t.number(1.0))))


def _leaky_relu(t: Tape, v: Value, g: int) -> Gradients:
    return (t("mul", g, t("leaky_relu_grad", v.args[0], slope=v.attr("slope"))),)


def _sigmoid(t: Tape, _x: int, y: int, g: int) -> int:
    return t("mul", g, t("mul", y, t("sub", t.number(1.0), y)))


def _tanh(t: Tape, _x: int, y: int, g: int) -> int:
    return t("mul", g, t("sub", t.number(1.0), t("mul", y, y)))


def _chosen(comparison: str) -> Callable[[Tape, Value, int], int]:
    """The gradient goes to the operand that was chosen, half to each where they are equal."""

    def rule(t: Tape, v: Value, g: int) -> int:
        half = t("mul", t("eq", *v.args), t.number(0.5))
        return t("mul", g, t("add", t(comparison, *v.args), half))

    return rule


def _where(t: Tape, v: Value, g: int) -> Gradients:
    zero = t.number(0.0)
    return None, t("where", v.args[0], g, zero), t("where", v.args[0], zero, g)


def _dropout(t: Tape, v: Value, g: int) -> Gradients:
    return (t("dropout", g, **dict(v.attrs)),)


def _concat(t: Tape, v: Value, g: int) -> Gradients:
    stops, total = [], 0
    for a in v.args:
        total += t.like(a)[-1]
        stops.append(total)
    starts = [0, *stops[:-1]]
    return tuple(t("slice", g, start=a, stop=b) for a, b in zip(starts, stops, strict=True))


def _slice(t: Tape, v: Value, g: int) -> Gradients:
    """Zeros before and after the columns that were cut out."""
    start, stop, shape = v.whole("start"), v.whole("stop"), t.like(v.args[0])

    def zeros(width: int) -> list[int]:
        return [t("expand", t.number(0.0), shape=(*shape[:-1], width))] if width else []

    parts = [*zeros(start), g, *zeros(shape[-1] - stop)]
    return (t("concat", *parts) if len(parts) > 1 else g,)


def _matmul(t: Tape, v: Value, g: int) -> Gradients:
    x, weight = v.args
    if dict(v.attrs).get("transposed"):
        return t("matmul", g, weight), t("weight_grad", g, x)
    return t("matmul", g, weight, transposed=True), t("weight_grad", x, g)


def _weight_grad(t: Tape, v: Value, g: int) -> Gradients:
    x, other = v.args
    return t("matmul", other, g, transposed=True), t("matmul", x, g)


def _typed_matmul(t: Tape, v: Value, g: int) -> Gradients:
    x, weight = v.args
    if dict(v.attrs).get("transposed"):
        return t("typed_matmul", g, weight), t("typed_weight_grad", g, x)
    return t("typed_matmul", g, weight, transposed=True), t("typed_weight_grad", x, g)


def _typed_weight_grad(t: Tape, v: Value, g: int) -> Gradients:
    x, other = v.args
    return t("typed_matmul", other, g, transposed=True), t("typed_matmul", x, g)


def _gather(side: str) -> Rule:
    return lambda t, v, g: (t("sum_edges", g, side=side, to=t.builder.type(v.args[0]).domain.value),)


def _spread(t: Tape, v: Value, g: int) -> int:
    """The gradient of an aggregation's rows, sent back along their edges."""
    return t(f"gather_{v.text('side')}", g)


def _sum_edges(t: Tape, v: Value, g: int) -> Gradients:
    return (_spread(t, v, g),)


def _mean_edges(t: Tape, v: Value, g: int) -> Gradients:
    degree = t("degree", side=v.attr("side"), to=v.attr("to"))
    return (_spread(t, v, t("mul", g, t("reciprocal", degree))),)


def _extreme(t: Tape, v: Value, g: int) -> Gradients:
    """Split evenly over the edges that reach the extreme."""
    hit = t("eq", v.args[0], _spread(t, v, v.id))
    ties = t("sum_edges", hit, side=v.attr("side"), to=v.attr("to"))
    return (t("mul", hit, _spread(t, v, t("mul", g, t("reciprocal", ties)))),)


def _edge_softmax(t: Tape, v: Value, g: int) -> Gradients:
    """alpha (g - sum over the row of alpha g)"""
    side = softmax_side(v)
    row = t("sum_edges", t("mul", v.id, g), side=side, to=rows_of(side, bipartite=t.builder.bipartite).value)
    return (t("mul", v.id, t("sub", g, t(f"gather_{side}", row))),)


GRADIENTS: dict[str, Rule] = {
    "neg": _unary(lambda t, x, y, g: t("neg", g)),
    "exp": _unary(lambda t, x, y, g: t("mul", g, y)),
    "log": _unary(lambda t, x, y, g: t("div", g, x)),
    "sqrt": _unary(lambda t, x, y, g: t("div", t("mul", g, t.number(0.5)), y)),
    "abs": _unary(lambda t, x, y, g: t("mul", g, t("sign", x))),
    "reciprocal": _unary(lambda t, x, y, g: t("neg", t("mul", g, t("mul", y, y)))),
    "relu": _unary(lambda t, x, y, g: t("mul", g, t("step", x))),
    "elu": _unary(_elu),
    "sigmoid": _unary(_sigmoid),
    "tanh": _unary(_tanh),
    "leaky_relu": _leaky_relu,
    "add": _binary(lambda t, v, g: g, lambda t, v, g: g),
    "sub": _binary(lambda t, v, g: g, lambda t, v, g: t("neg", g)),
    "mul": _binary(lambda t, v, g: t("mul", g, v.args[1]), lambda t, v, g: t("mul", g, v.args[0])),
    "div": _binary(
        lambda t, v, g: t("div", g, v.args[1]), lambda t, v, g: t("neg", t("div", t("mul", g, v.id), v.args[1]))
    ),
    "maximum": _binary(_chosen("gt"), _chosen("lt")),
    "minimum": _binary(_chosen("lt"), _chosen("gt")),
    "where": _where,
    "dropout": _dropout,
    "reshape": lambda t, v, g: (t("reshape", g, shape=t.like(v.args[0])),),
    "sum_to": lambda t, v, g: (t("expand", g, shape=t.like(v.args[0])),),
    "expand": lambda t, v, g: (g,),
    "concat": _concat,
    "slice": _slice,
    "matmul": _matmul,
    "weight_grad": _weight_grad,
    "typed_matmul": _typed_matmul,
    "typed_weight_grad": _typed_weight_grad,
    **{f"gather_{name}": _gather(name) for name in MAPS},
    "sum_edges": _sum_edges,
    "mean_edges": _mean_edges,
    "max_edges": _extreme,
    "min_edges": _extreme,
    "edge_softmax": _edge_softmax,
} | {
    # Constant almost everywhere: nothing flows through.
    op: lambda t, v, g: (None,) * len(v.args)
    for op in ("sign", "step", "leaky_relu_grad", "gt", "ge", "lt", "le", "eq")
}

NO_GRADIENT: dict[str, str] = {
    "input": "a leaf, gradients end here",
    "param": "a leaf, gradients end here",
    "constant": "a leaf, gradients end here",
    "degree": "a property of the graph",
    "sum_rows": "appears only in gradients, and no op gives its result back to all rows; second derivatives stop here",
}

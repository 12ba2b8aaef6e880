"""Do at compile time what does not depend on data, and leave out what changes nothing.

1. An operation on constants alone becomes a constant.
2. `x + 0`, `x - 0`, `x * 1`, `x / 1` are x, where the result has x's type; dropout of probability 0 too.
3. `x / c` becomes `x * (1/c)`, `c * (d * x)` becomes `(c d) * x`, `x * -1` and `0 - x` become `-x`, `--x` is x.
4. A reshape, expand or sum to the shape a value has is that value; a reshape of a reshape is one.
5. `where` of a constant condition is its branch.
6. A pointwise operation widens its operands by itself, so an expanded operand is used as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from workers.compiler.ir import Builder, Program, Value, rebuild
from workers.compiler.ops import OPS

Simplify = Callable[[Builder, Value, tuple[int, ...]], int | None]


def fold_constants(program: Program) -> Program:
    """The simplified program."""
    return rebuild(program, _fold, share=False)[0]


def _fold(b: Builder, value: Value, args: tuple[int, ...]) -> int:
    if args and value.op in EVALUATE and all(b.values[a].op == "constant" for a in args):
        return _evaluated(b, value, args) or b.copy(value, args)
    args = _unexpanded(b, value, args)
    rule = SIMPLIFY.get(value.op)
    found = rule(b, value, args) if rule else None
    return found if found is not None and b.type(found) == value.type else b.copy(value, args)


def _unexpanded(b: Builder, value: Value, args: tuple[int, ...]) -> tuple[int, ...]:
    """Step 6, where the other operands are wide enough."""
    if OPS[value.op].group != "pointwise" or len(args) < 2:
        return args
    plain = tuple(b.values[a].args[0] if b.values[a].op == "expand" else a for a in args)
    result = OPS[value.op].infer(tuple(b.type(a) for a in plain), dict(value.attrs))
    return plain if result == value.type else args


def _evaluated(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    try:
        result = EVALUATE[value.op](*(b.values[a].number("value") for a in args))
    except (ArithmeticError, ValueError):
        return None  # left to run time, where it is an infinity or NaN as the data would give
    return b.add("constant", value=result)


EVALUATE: dict[str, Callable[..., float]] = {
    "neg": lambda x: -x,
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
    "reciprocal": lambda x: 0.0 if x == 0 else 1 / x,
    "relu": lambda x: max(x, 0.0),
    "tanh": math.tanh,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "maximum": max,
    "minimum": min,
    "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b),
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "eq": lambda a, b: float(a == b),
}


def _number(b: Builder, i: int) -> float | None:
    return b.values[i].number("value") if b.values[i].op == "constant" else None


def _split(b: Builder, args: tuple[int, ...]) -> tuple[float | None, int]:
    """The constant among two operands, and the other one."""
    left = _number(b, args[0])
    return (left, args[1]) if left is not None else (_number(b, args[1]), args[0])


def _add(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    c, x = _split(b, args)
    return x if c == 0 else None


def _sub(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    if _number(b, args[1]) == 0:
        return args[0]
    return b.add("neg", args[1]) if _number(b, args[0]) == 0 else None


def _mul(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    c, x = _split(b, args)
    if c is None:
        return None
    if c in (1, -1):
        return x if c == 1 else b.add("neg", x)
    inner = b.values[x]
    d, y = _split(b, inner.args) if inner.op == "mul" else (None, x)
    return None if d is None else b.add("mul", b.add("constant", value=c * d), y)


def _div(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    c = _number(b, args[1])
    if c == 1:
        return args[0]
    return None if not c or not math.isfinite(1 / c) else b.add("mul", args[0], b.add("constant", value=1 / c))


def _neg(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    inner = b.values[args[0]]
    return inner.args[0] if inner.op == "neg" else None


def _same(_b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    return args[0]  # taken only where it has the value's type


def _reshape(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    inner = b.values[args[0]]
    if b.type(args[0]) == value.type:
        return args[0]
    return b.copy(value, inner.args) if inner.op == "reshape" else None


def _where(b: Builder, _value: Value, args: tuple[int, ...]) -> int | None:
    condition = _number(b, args[0])
    return None if condition is None else args[1] if condition != 0 else args[2]


def _dropout(_b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
    return args[0] if value.number("p") == 0 else None


SIMPLIFY: dict[str, Simplify] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "neg": _neg,
    "reshape": _reshape,
    "expand": _same,
    "sum_to": _same,
    "where": _where,
    "dropout": _dropout,
}

"""Products of matrices: what einsum says of them is what may be split."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Dims, Roles
from workers.spreading.configs.rules.rule import Call, Rule, broadcast


def linear(call: Call) -> Roles:
    """x[..., i] w[o, i] + b[o]."""
    lead = tuple(f"n{dim}" for dim in range(len(call.inputs[0].shape) - 1))
    has_bias = len(call.inputs) == 3
    inputs: tuple[Dims, ...] = ((*lead, "i"), ("o", "i"), *([("o",)] if has_bias else []))
    return Roles(
        inputs,
        ((*lead, "o"),),
        summed=frozenset("i"),
        addends=frozenset({2}) if has_bias else frozenset(),
        flops=2 * prod(call.inputs[0].shape) * call.inputs[1].shape[0],
    )


def matmul(call: Call) -> Roles:
    """a[..., m, k] b[..., k, n], the rest broadcast; vectors as torch takes them."""
    a, b, out = call.inputs[0].shape, call.inputs[1].shape, call.outputs[0].shape
    rows: Dims = ("m",) if len(a) > 1 else ()
    columns: Dims = ("n",) if len(b) > 1 else ()
    batch = out[: len(out) - len(rows) - len(columns)]
    return Roles(
        ((*broadcast(a[:-2], batch), *rows, "k"), (*broadcast(b[:-2], batch), "k", *columns)),
        ((*(f"d{dim}" if size > 1 else None for dim, size in enumerate(batch)), *rows, *columns),),
        summed=frozenset("k"),
        flops=2 * prod(out) * a[-1],
    )


def addmm(call: Call) -> Roles:
    """c + a[m, k] b[k, n], c broadcast to [m, n]."""
    out = call.outputs[0].shape
    names = dict(zip(("d0", "d1"), "mn", strict=True))
    added = tuple(names[x] if x else None for x in broadcast(call.inputs[0].shape, out))
    return Roles(
        (added, ("m", "k"), ("k", "n")),
        (("m", "n"),),
        summed=frozenset("k"),
        addends=frozenset({0}),
        flops=2 * prod(out) * call.inputs[1].shape[1],
    )


def baddbmm(call: Call) -> Roles:
    """c + a[b, m, k] b[b, k, n], c broadcast to [b, m, n]."""
    out = call.outputs[0].shape
    names = dict(zip(("d0", "d1", "d2"), "bmn", strict=True))
    added = tuple(names[x] if x else None for x in broadcast(call.inputs[0].shape, out))
    return Roles(
        (added, ("b", "m", "k"), ("b", "k", "n")),
        (("b", "m", "n"),),
        summed=frozenset("k"),
        addends=frozenset({0}),
        flops=2 * prod(out) * call.inputs[1].shape[2],
    )


def einsum(call: Call) -> Roles:
    """What its equation says, where no letter stands twice in one operand."""
    equation = str(call.argument(0, "equation")).replace(" ", "")
    left, _, right = equation.partition("->")
    operands = left.split(",")
    plain = "->" in equation and "." not in equation and all(len(set(x)) == len(x) for x in operands)
    if not plain:
        return Roles(tuple((None,) * len(v.shape) for v in call.inputs), ((None,) * len(call.outputs[0].shape),))
    sizes = {x: n for text, v in zip(operands, call.inputs, strict=True) for x, n in zip(text, v.shape, strict=True)}
    return Roles(
        tuple(tuple(text) for text in operands),
        (tuple(right),),
        summed=frozenset(set(left) - set(right) - {","}),
        flops=2 * prod(sizes.values()),
    )


PRODUCTS: dict[str, Rule] = {
    "aten.linear.default": linear,
    "aten.matmul.default": matmul,
    "aten.mm.default": matmul,
    "aten.bmm.default": matmul,
    "aten.mv.default": matmul,
    "aten.addmm.default": addmm,
    "aten.baddbmm.default": baddbmm,
    "aten.einsum.default": einsum,
}

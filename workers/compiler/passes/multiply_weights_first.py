"""Multiply parameters with each other before the features: `dot(x @ W, a)` becomes `x @ (W a)`.

1. Where all uses of a product `x @ W`, in whatever shape, are dot products with parameters over the last axis, each of
   them is one number a row and head: the parameters are multiplied once, and x with the narrow result.
2. A product that is also used as it is (the messages of attention) is needed in full, and its dots cost little more.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild

Users = Mapping[int, list[Value]]


def multiply_weights_first(program: Program) -> Program:
    """The program with products that only end in dots contracted on the side of the parameters."""
    users = users_of(program)
    dots = {i for v in program.values if _is_plain(program, v) for i in _dots(program, users, v.id) or ()}
    return rebuild(program, lambda b, v, args: _narrow(b, v, args[0]) if v.id in dots else None, share=False)[0]


def _is_plain(program: Program, value: Value) -> bool:
    """A product of one vector a row."""
    plain = value.op == "matmul" and not dict(value.attrs).get("transposed")
    return plain and len(program[value.args[0]].type.shape) == 1


def users_of(program: Program) -> dict[int, list[Value]]:
    """Who reads each value."""
    found: dict[int, list[Value]] = {v.id: [] for v in program.values}
    for value in program.values:
        for a in set(value.args):
            found[a].append(value)
    return found


def _dots(program: Program, users: Users, seen: int) -> list[int] | None:
    """The dot products that `seen`, a product or a view of it, ends in; None where it has another use."""
    if seen in dict(program.outputs).values():
        return None
    found: list[int] = []
    for user in users[seen]:
        below = _dots(program, users, user.id) if user.op == "reshape" else _contractions(program, users, user)
        if below is None:
            return None
        found += below
    return found


def _contractions(program: Program, users: Users, product: Value) -> list[int] | None:
    """The sums over the last axis that `product`, an operand times a parameter, ends in."""
    if product.op != "mul" or Domain.PARAM not in (program[a].type.domain for a in product.args):
        return None
    wide = max((program[a].type for a in product.args), key=lambda t: t.domain is not Domain.PARAM)
    narrow = (*product.type.shape[:-1], 1)
    if product.id in dict(program.outputs).values() or wide != product.type or product.type.shape[-1:] == (1,):
        return None
    sums = users[product.id]
    return [v.id for v in sums] if all(v.op == "sum_to" and v.type.shape == narrow for v in sums) else None


def _narrow(b: Builder, dot: Value, product: int) -> int:
    """`dot`, the sum of `product` over its last axis, by way of the parameters."""
    seen, vector = sorted(b.values[product].args, key=lambda a: b.type(a).domain is Domain.PARAM)
    while b.values[seen].op == "reshape":
        seen = b.values[seen].args[0]
    x, weight = b.values[seen].args
    (width, *_), (*heads, inner) = b.type(weight).shape, b.type(product).shape
    apart = b.add("reshape", weight, shape=(width, *heads, inner))
    contracted = b.add("sum_to", b.add("mul", apart, vector), shape=(width, *heads, 1))
    narrow = b.add("reshape", contracted, shape=(width, prod(heads)))
    return b.add("reshape", b.add("matmul", x, narrow), shape=dot.type.shape)

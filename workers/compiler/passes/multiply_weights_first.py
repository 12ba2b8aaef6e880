"""Multiply parameters with each other before the features: `dot(x @ W, a)` becomes `x @ (W a)`.

1. Where all uses of a product `x @ W`, in whatever shape, are dot products with parameters over the last axis, each of
   them is one number a row and head: the parameters are multiplied once, and x with the narrow result.
2. So it is with a matrix and a vector of the relation or type: they are multiplied once a relation, not once a row.
3. A product that is also used as it is (the messages of attention) is needed in full, and its dots cost little more.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from workers.compiler.ir import Builder, Domain, Program, Value, rebuild
from workers.compiler.maps import KIND

Users = Mapping[int, list[Value]]


def multiply_weights_first(program: Program) -> Program:
    """The program with products that only end in dots contracted on the side of the parameters."""
    users = users_of(program)
    products = [v for v in program.values if _is_plain(program, v)]
    dots = {i for v in products for i in _dots(program, users, v.id, v.op == "typed_matmul") or ()}
    return rebuild(program, lambda b, v, args: _narrow(b, v, args[0]) if v.id in dots else None, share=False)[0]


def _is_plain(program: Program, value: Value) -> bool:
    """A product of one vector a row."""
    plain = value.op in ("matmul", "typed_matmul") and not dict(value.attrs).get("transposed")
    return plain and len(program[value.args[0]].type.shape) == 1


def users_of(program: Program) -> dict[int, list[Value]]:
    """Who reads each value."""
    found: dict[int, list[Value]] = {v.id: [] for v in program.values}
    for value in program.values:
        for a in set(value.args):
            found[a].append(value)
    return found


def _dots(program: Program, users: Users, seen: int, typed: bool) -> list[int] | None:
    """The dot products that `seen`, a product or a view of it, ends in; None where it has another use."""
    if seen in dict(program.outputs).values():
        return None
    found: list[int] = []
    for user in users[seen]:
        view = user.op == "reshape"
        below = _dots(program, users, user.id, typed) if view else _contractions(program, users, user, typed)
        if below is None:
            return None
        found += below
    return found


def _contractions(program: Program, users: Users, product: Value, typed: bool) -> list[int] | None:
    """The sums over the last axis that `product`, an operand times a parameter, ends in."""
    given = [_is_given(program[a], typed) for a in product.args]
    if product.op != "mul" or sum(given) != 1:
        return None
    wide = program[product.args[given.index(False)]].type
    narrow = (*product.type.shape[:-1], 1)
    if product.id in dict(program.outputs).values() or wide != product.type or product.type.shape[-1:] == (1,):
        return None
    sums = users[product.id]
    return [v.id for v in sums] if all(v.op == "sum_to" and v.type.shape == narrow for v in sums) else None


def _is_given(value: Value, typed: bool) -> bool:
    """Whether a factor is a parameter, or for a typed product one of the row's own relation or type."""
    if typed:
        return value.op == f"gather_{KIND.get(value.type.domain, '')}"
    return value.type.domain is Domain.PARAM


def _narrow(b: Builder, dot: Value, product: int) -> int:
    """`dot`, the sum of `product` over its last axis, by way of the parameters."""
    typed = b.type(b.values[product].args[0]).domain is b.type(b.values[product].args[1]).domain
    seen, vector = sorted(b.values[product].args, key=lambda a: _is_given(b.values[a], typed))
    while b.values[seen].op == "reshape":
        seen = b.values[seen].args[0]
    vector = b.values[vector].args[0] if typed else vector
    x, weight = b.values[seen].args
    (width, *_), (*heads, inner) = b.type(weight).shape, b.type(product).shape
    apart = b.add("reshape", weight, shape=(width, *heads, inner))
    contracted = b.add("sum_to", b.add("mul", apart, vector), shape=(width, *heads, 1))
    narrow = b.add("reshape", contracted, shape=(width, prod(heads)))
    return b.add("reshape", b.add(b.values[seen].op, x, narrow), shape=dot.type.shape)

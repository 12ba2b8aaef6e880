"""Take the products of one input out of a program, so that they can be formed elsewhere.

Features that are mostly zeros are never wanted as a dense matrix: all a layer does with them is multiply them by its
weights, and that product is a sum over the entries that are there.

1. Move work before gathers, so that a neighbour's product becomes a product of the vertices.
2. If the input is read by nothing but `input @ parameter`, each such product becomes an input of its own.
3. What nothing reads any more, the input and those parameters among it, is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workers.compiler.ir import Builder, Program, Value, rebuild
from workers.compiler.passes.compute_before_gather import compute_before_gather
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.verify import verify


@dataclass(frozen=True)
class Taken:
    """The program without the input, and which parameter each of its new inputs is the product with, by name."""

    program: Program
    products: Mapping[str, str]


def take_out_products(program: Program, name: str) -> Taken | None:
    """`program` with the products of input `name` as inputs; None where the input is read in any other way."""
    early = drop_dead(compute_before_gather(program))
    x = early.leaves("input").get(name)
    if x is None or not all(_is_product(early, value, x.id) for value in early.values if x.id in value.args):
        return None
    if x.id in dict(early.outputs).values():
        return None
    products: dict[str, str] = {}

    def rule(b: Builder, value: Value, _args: tuple[int, ...]) -> int | None:
        if x.id not in value.args:
            return None
        weight = early[value.args[1]].text("name")
        product = f"{name}:{weight}"
        products[product] = weight
        return b.add("input", name=product, domain=value.type.domain.value, shape=value.type.shape)

    return Taken(verify(drop_dead(rebuild(early, rule)[0])), products)


def _is_product(program: Program, value: Value, x: int) -> bool:
    if value.op != "matmul" or value.args[0] != x or dict(value.attrs).get("transposed"):
        return False
    return program[value.args[1]].op == "param"

"""Let the BLAS add what is added to a product anyway: a bias, or another product.

1. `x @ W + o` becomes one step where nobody else reads the product, and o is a parameter as long as a row or itself the
   result of such a step: the product is not written and read again.
"""

from __future__ import annotations

from collections.abc import Collection

from workers.compiler.ir import ROWS, Domain, Program, Value
from workers.compiler.rows import root


def add_in_products(
    program: Program, needed: Collection[int], tensors: Collection[int], wanted: Collection[int] = ()
) -> dict[int, int]:
    """Sums among `needed`, with the product of each; `tensors` are there already, `wanted` must be written."""
    uses = dict.fromkeys(wanted, 1)
    for i in needed:
        for a in program[i].args:
            uses[root(program, a)] = uses.get(root(program, a), 0) + 1
    found: dict[int, int] = {}
    for i in sorted(needed):
        value = program[i]
        if value.op == "add" and value.type.domain in ROWS and i not in tensors:
            own = [a for a in value.args if _is_product(program[a], value) and uses[a] == 1 and a not in tensors]
            if own and _can_be_added(program, value, _other(value, max(own)), found):
                found[i] = max(own)
    return found


def _is_product(product: Value, total: Value) -> bool:
    return product.op == "matmul" and product.type == total.type and len(total.type.shape) == 1


def _other(value: Value, a: int) -> int:
    return value.args[1] if value.args[0] == a else value.args[0]


def _can_be_added(program: Program, total: Value, other: int, found: Collection[int]) -> bool:
    value = program[other]
    if value.type.domain is Domain.PARAM:
        return value.op == "param" and value.type.shape == total.type.shape
    return value.type == total.type and (value.op == "matmul" or other in found)

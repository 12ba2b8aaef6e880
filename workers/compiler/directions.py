"""Which values of a joint program belong to which direction."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from workers.compiler.ir import Program
from workers.compiler.rows import cone


def early_values(program: Program) -> frozenset[int]:
    """The values that can be computed before any gradient is known."""
    late: set[int] = set()
    for value in program.values:
        seed = value.op == "input" and value.text("name").startswith("grad:")
        if seed or late.intersection(value.args):
            late.add(value.id)
    return frozenset(range(len(program.values))) - late


def read_late(program: Program, early: Collection[int], gradients: Iterable[int]) -> set[int]:
    """The early values that `gradients` read at first hand, or are."""
    wanted = set(gradients)
    late = [i for i in cone(program, wanted) if i not in early]
    return {i for i in wanted | {a for k in late for a in program[k].args} if i in early}

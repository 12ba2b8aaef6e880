"""Let gradients start from what is kept anyway instead of what led to it.

1. The slope of relu, elu and leaky_relu depends on the sign of x alone, and their results have the same sign: gradients
   read the result, which the next product keeps, and x need not be kept.
2. Where a result y is `x + p` with a parameter p (a bias), gradients that read x read `y - p`: the caller holds y.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from workers.compiler.ir import ROWS, Builder, Domain, Program, Value, rebuild
from workers.compiler.rows import cone, root

SLOPES = ("step", "leaky_relu_grad")
UNDO = {"add": "sub", "sub": "add"}


@dataclass(frozen=True)
class _Biased:
    """A result that is another value plus (or minus) a parameter, by ids."""

    result: int
    parameter: int
    undo: str


def gradients_from_results(program: Program, results: Collection[str]) -> Program:
    """The program whose gradients read activations and the named results where they can."""
    early = cone(program, [i for name, i in program.outputs if name in results])
    activated = _activated(program, early)
    biased = _biased(program, results)
    new: dict[int, int] = {}

    def instead(b: Builder, old: int, slope: bool) -> int:
        """What a gradient reads in the place of value `old`."""
        if slope and old in activated:
            return new[activated[old]]
        known = biased.get(root(program, old))
        if known is None:
            return new[old]
        x = b.add(known.undo, new[known.result], new[known.parameter])
        return x if b.type(x) == program[old].type else b.add("reshape", x, shape=program[old].type.shape)

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int:
        if value.id not in early and value.op != "reshape":
            args = tuple(instead(b, old, value.op in SLOPES) for old in value.args)
        new[value.id] = b.copy(value, args)
        return new[value.id]

    return rebuild(program, rule, share=False)[0]


def _activated(program: Program, early: Collection[int]) -> dict[int, int]:
    """The activation of a value of the vertices, for values that are computed."""
    return {
        v.args[0]: v.id
        for v in program.values
        if v.id in early and _keeps_the_sign(v) and v.type.domain in ROWS and program[root(program, v.args[0])].args
    }


def _keeps_the_sign(value: Value) -> bool:
    return value.op in ("relu", "elu") or (value.op == "leaky_relu" and value.number("slope") > 0)


def _biased(program: Program, results: Collection[str]) -> dict[int, _Biased]:
    found = {}
    for name, i in program.outputs:
        total = program[root(program, i)]
        if name in results and total.op in UNDO:
            x, p = sorted(total.args, key=lambda a: program[a].type.domain is Domain.PARAM)
            first = total.args[0] == x or total.op == "add"
            if first and program[p].op == "param" and program[x].type == total.type and program[root(program, x)].args:
                found[root(program, x)] = _Biased(total.id, p, UNDO[total.op])
    return found

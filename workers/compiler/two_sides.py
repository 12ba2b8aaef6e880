"""A program over one vertex set as a program over two: sources that only send, destinations that only receive.

1. From the results backwards, note for which side each vertex value is needed: a gather from the sources needs it
   there, a result or a gather from the destinations needs it there.
2. Build each value once for every side that needs it. An input `h` becomes `src:h`, `dst:h`, or both.
3. What a source would have to receive, or a destination to send, does not exist and is refused.
"""

from __future__ import annotations

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Builder, Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.verify import verify

SIDES = (Domain.SRC, Domain.DST)


def split_sides(program: Program) -> Program:
    """The bipartite program with the same results, on the destinations.

    Raises LanguageError where a source is asked for something of its in-edges, as a second hop does.
    """
    needed = _needed(program)
    builder = Builder(program.name, bipartite=True, share=False)
    built: dict[tuple[int, Domain], int] = {}
    for value in program.values:
        for side in _sides(value, needed):
            builder.span = value.span
            built[value.id, side] = _build(builder, program, built, value, side)
    return verify(builder.build({name: built[i, Domain.DST] for name, i in program.outputs}))


def _sides(value: Value, needed: dict[int, set[Domain]]) -> list[Domain]:
    """The sides to build a value for; what has no vertex rows is built once, under its own domain."""
    if value.type.domain is Domain.VERTEX:
        return [s for s in SIDES if s in needed[value.id]]
    return [value.type.domain]


def _needed(program: Program) -> dict[int, set[Domain]]:
    needed: dict[int, set[Domain]] = {v.id: set() for v in program.values}
    for _, i in program.outputs:
        needed[i].add(Domain.DST)
    for value in reversed(program.values):
        _check_reachable(value, needed[value.id])
        for a in value.args:
            if program[a].type.domain is Domain.VERTEX:
                needed[a] |= {Domain(value.op.removeprefix("gather_"))} if _moves(value) else needed[value.id]
    return needed


def _moves(value: Value) -> bool:
    return OPS[value.op].group == "movement"


def _check_reachable(value: Value, sides: set[Domain]) -> None:
    own = Domain(value.text("side")) if "side" in dict(value.attrs) else None
    if own and sides - {own}:
        what = "in-edges" if own is Domain.DST else "out-edges"
        where = "a source" if own is Domain.DST else "a destination"
        raise LanguageError(
            f"{where} of a bipartite graph has no {what}", "Use one hop, or a graph of one vertex set.", span=value.span
        )


def _build(builder: Builder, program: Program, built: dict[tuple[int, Domain], int], value: Value, side: Domain) -> int:
    def operand(a: int) -> int:
        if program[a].type.domain is not Domain.VERTEX:
            return built[a, program[a].type.domain]
        return built[a, Domain(value.op.removeprefix("gather_")) if _moves(value) else side]

    attrs = dict(value.attrs)
    if value.type.domain is Domain.VERTEX and value.op == "input":
        attrs |= {"name": f"{side.value}:{value.text('name')}", "domain": side.value}
    elif "to" in attrs:
        attrs["to"] = side.value
    return builder.add(value.op, *(operand(a) for a in value.args), **attrs)

"""Gather a vertex's row and a number at every edge, not a row that was copied and scaled for every relation first.

1. `gather_receiver(gather_received(x) * c)`, c a number a receiver, is `gather_dst(x) * gather_receiver(c)`: rows of
   the vertices are fewer than those of receivers, stay in a cache longer, and no copy of them is written.
2. Likewise of senders. Only where all that reads the copy gathers it.
3. A sum over a sender's edges of `gather_receiver(gather_received(x)) * a` is one of `gather_dst(x) * a`, and the other
   way round: no copy for every relation is written for the far end to read.
"""

from __future__ import annotations

from workers.compiler.ir import Builder, Program, Value, rebuild
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.multiply_weights_first import users_of
from workers.compiler.rows import size

FAR = {"sender": "gather_receiver", "receiver": "gather_sender"}
"""What gathers rows of the far end, by the side that sums."""
ENDS = {"gather_sender": ("gather_sent", "gather_src"), "gather_receiver": ("gather_received", "gather_dst")}
"""What leads from rows at one end to edges; from vertices to those rows, and from vertices to edges."""


def gather_from_vertices(program: Program) -> Program:
    """The program with scaled copies of vertices' rows made at the edges."""
    return _scaled_copies(_plain_copies(program))


def _plain_copies(program: Program) -> Program:
    """Step 3."""
    values = program.values

    def far(v: Value) -> str:
        summed = v.op == "sum_edges" and values[v.args[0]].op == "mul"
        gather = FAR.get(v.text("side"), "") if summed else ""
        read = [values[a] for a in values[v.args[0]].args if values[a].op == gather] if gather else []
        return gather if any(values[a.args[0]].op == ENDS[gather][0] for a in read) else ""

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        gather = found.get(value.id)
        if gather is None:
            return None
        parts = (_from_vertex(b, a, gather) for a in b.values[args[0]].args)
        return b.add("sum_edges", b.add("mul", *parts), **dict(value.attrs))

    found = {v.id: gather for v in values if (gather := far(v))}
    return drop_dead(rebuild(program, rule)[0]) if found else program


def _from_vertex(b: Builder, operand: int, gather: str) -> int:
    """The same rows read from their vertices, where `operand` gathers a copy of them."""
    copying, straight = ENDS[gather]
    if b.values[operand].op != gather or b.values[b.values[operand].args[0]].op != copying:
        return operand
    return b.add(straight, b.values[b.values[operand].args[0]].args[0])


def _scaled_copies(program: Program) -> Program:
    """Steps 1 and 2."""
    users = users_of(program)
    found = {v.id: gather for v in program.values if (gather := _copied(program, v))}
    results = dict(program.outputs).values()
    copies = {i: g for i, g in found.items() if i not in results and all(u.op == g for u in users[i])}

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        if value.op not in ENDS or copies.get(value.args[0]) != value.op:
            return None
        narrow, wide = _parts(b.values[args[0]], b.values)
        return b.add("mul", b.add(ENDS[value.op][1], b.values[wide].args[0]), b.add(value.op, narrow))

    return drop_dead(rebuild(program, rule)[0]) if copies else program


def _copied(program: Program, value: Value) -> str:
    """The gather that leads on from a scaled copy of vertices' rows; empty where `value` is none."""
    if value.op != "mul":
        return ""
    narrow, wide = _parts(value, program.values)
    for gather, (copying, _) in ENDS.items():
        scaled = size(program[narrow].type) == 1 < size(value.type) and program[narrow].type.domain is value.type.domain
        if program[wide].op == copying and scaled and program[narrow].op != copying:
            return gather
    return ""


def _parts(product: Value, values: tuple[Value, ...] | list[Value]) -> tuple[int, int]:
    """The narrow and the wide operand."""
    narrow, wide = sorted(product.args, key=lambda a: size(values[a].type))
    return narrow, wide

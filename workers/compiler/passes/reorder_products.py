"""Multiply before or after an aggregation, whichever sends fewer numbers along the edges.

Sums and means over edges, gathers, signs and factors that are one number a row commute with `x @ W`.

1. Aggregate first: from each product follow what is linear in it. If all of that is read in one place only, behind an
   aggregation, the product can stand there: x is aggregated as it is, and its sum is multiplied.
2. Project first: behind `y @ W`, walk back through the same operations to what is gathered. If nothing else reads what
   lies between, the product can stand before the gathers.
3. Either is done where it moves clearly fewer numbers, forward and backward together: every gather of width d costs d
   numbers an edge, and again for the gradient where one is asked for. The gradient of an aggregated x is not asked for
   when x is data; aggregated first, the backward pass then walks no edges at all.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import ROWS, Builder, Program, Value, rebuild
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.multiply_weights_first import users_of
from workers.compiler.rows import size

GATHERS = ("gather_src", "gather_dst")
TOTALS = ("sum_edges", "mean_edges")
OPERATIONS_A_NUMBER = 32  # a core does about this many while it moves one number
CLEARLY = 0.9  # of the numbers moved before


def reorder_products(program: Program, wrt: Collection[str] = (), graph: GraphSize = USUAL) -> Program:
    """The program with products on the cheaper side of aggregations; `wrt` are leaves whose gradients are wanted."""
    found = _first_move(_Reading(program, users_of(program), _active(program, wrt), graph))
    return program if found is None else reorder_products(drop_dead(found), wrt, graph)


def _active(program: Program, wrt: Collection[str]) -> frozenset[int]:
    """The values that depend on a wanted leaf."""
    active: set[int] = set()
    for value in program.values:
        leaf = value.op in ("input", "param") and value.text("name") in wrt
        if leaf or active.intersection(value.args):
            active.add(value.id)
    return frozenset(active)


def _first_move(reading: _Reading) -> Program | None:
    for value in reading.program.values:
        if value.op == "matmul" and not dict(value.attrs).get("transposed"):
            found = _aggregate_first(reading, value) or _project_first(reading, value)
            if found is not None:
                return found
    return None


@dataclass(frozen=True)
class _Reading:
    """A program, who reads what in it, which values have a gradient, and how large its graphs are."""

    program: Program
    users: Mapping[int, list[Value]]
    active: frozenset[int]
    graph: GraphSize

    def read_outside(self, i: int, inside: Collection[int]) -> bool:
        asked = i in dict(self.program.outputs).values()
        return asked or any(user.id not in inside for user in self.users[i])

    def sent(self, inside: Collection[int], width: Value, active: Value) -> int:
        """Numbers sent along edges, if every gather inside is as wide as `width`; twice where `active` is."""
        gathers = sum(self.program[i].op in GATHERS for i in inside)
        return gathers * self.graph.edges * size(width.type) * (1 + (active.id in self.active))

    def aggregates(self, inside: Collection[int]) -> bool:
        return any(self.program[i].op in TOTALS for i in inside)


def _linear_operands(program: Program, value: Value) -> tuple[int, ...]:
    """The operands that `value` is linear in, with factors that do not tell columns apart; none where it is not."""
    if value.op in (*GATHERS, *TOTALS, "neg"):
        return value.args
    same = tuple(a for a in value.args if program[a].type.shape == value.type.shape)
    if value.op in ("add", "sub"):
        return same if len(same) == 2 else ()
    if value.op == "mul" or (value.op == "div" and value.args[0] in same):
        factors = [a for a in value.args if program[a].type.shape[-1:] in ((), (1,))]
        return same[:1] if len(factors) == 1 and len(same) == 1 else ()
    return ()


# --- aggregate first ----------------------------------------------------------------------------------------------


def _aggregate_first(reading: _Reading, product: Value) -> Program | None:
    program, x = reading.program, reading.program[product.args[0]]
    linear = _linear_in(reading, product.id)
    ends = [i for i in linear if reading.read_outside(i, linear)]
    if len(ends) != 1 or program[ends[0]].type.domain not in ROWS or not reading.aggregates(linear):
        return None
    kept = 2 * reading.graph.numbers(x.type)
    cheaper = reading.sent(linear, x, x) + kept < CLEARLY * reading.sent(linear, product, product)
    return _moved_later(program, product, linear, ends[0]) if cheaper else None


def _linear_in(reading: _Reading, product: int) -> set[int]:
    """The product and the values that are linear in it; readers are met in program order."""
    found, waiting = {product}, [user.id for user in reading.users[product]]
    heapq.heapify(waiting)
    while waiting:
        i = heapq.heappop(waiting)
        operands = _linear_operands(reading.program, reading.program[i])
        if i not in found and operands and found.issuperset(operands):
            found.add(i)
            for user in reading.users[i]:
                heapq.heappush(waiting, user.id)
    return found


def _moved_later(program: Program, product: Value, linear: Collection[int], end: int) -> Program:
    before: dict[int, int] = {}  # what each linear value is the product of
    weight: list[int] = []

    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        if value.id not in linear:
            return None
        if value.id == product.id:
            before[value.id] = args[0]
            weight.append(args[1])
            return None
        inner = tuple(before.get(old, new) for old, new in zip(value.args, args, strict=True))
        before[value.id] = b.copy(value, inner)
        return b.add("matmul", before[value.id], *weight) if value.id == end else None

    return rebuild(program, rule, share=False)[0]


# --- project first ------------------------------------------------------------------------------------------------


def _project_first(reading: _Reading, product: Value) -> Program | None:
    program, y = reading.program, reading.program[product.args[0]]
    between, sources = _behind(program, y.id)
    inside = {*between, product.id}
    if any(reading.read_outside(i, inside) for i in between) or not reading.aggregates(between) or size(y.type) == 1:
        return None
    if any(program[i].type.domain not in ROWS for i in sources):
        return None
    more = (len(sources) - 1) * reading.graph.vertices * size(y.type) * size(product.type) // OPERATIONS_A_NUMBER
    cheaper = reading.sent(between, product, product) + more < CLEARLY * reading.sent(between, y, y)
    return _moved_earlier(program, product, between) if cheaper else None


def _behind(program: Program, y: int) -> tuple[set[int], set[int]]:
    """The linear operations that lead to `y` from what is gathered, and the rows that they start from."""
    between, sources, stack = set[int](), set[int](), [y]
    while stack:
        value = program[stack.pop()]
        operands = _linear_operands(program, value)
        if not operands:
            sources.add(value.id)
        elif value.id not in between:
            between.add(value.id)
            (sources.update if value.op in GATHERS else stack.extend)(operands)
    return between, sources


def _moved_earlier(program: Program, product: Value, between: Collection[int]) -> Program:
    def rule(b: Builder, value: Value, args: tuple[int, ...]) -> int | None:
        if value.id != product.id:
            return None
        done: dict[int, int] = {}  # ids are those of the old program: nothing before the product has changed

        def projected(i: int) -> int:
            if i not in done:
                operands = _linear_operands(program, program[i]) if i in between else ()
                inner = (projected(a) if a in operands else a for a in program[i].args)
                done[i] = b.copy(program[i], tuple(inner)) if operands else b.add("matmul", i, args[1])
            return done[i]

        return projected(args[0])

    return rebuild(program, rule, share=False)[0]

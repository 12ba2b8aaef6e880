"""What of a graph the scores of some vertices depend on, level by level: the relational counterpart of dead code. Pure.

1. The rows asked for are read at the last level. A layer that passes messages reads, for each row it must give, that
   row and the sources of its in-edges, so the level before must give those, and so on to the input.
2. Some steps look further than a row's own in-edges, and what they give must be whole: all vertices of a type where
   one is averaged over a type, the whole graph where out-edges are walked, where a layer takes several hops, or where
   statistics go over all rows.
3. Edges into rows that nobody reads, relations that have no others, and types without a row that is read are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from workers.compiler.ir import Program
from workers.zoo.bind import vertex_program
from workers.zoo.hops import OUTWARDS, levels, passes_messages, sends_what_came
from workers.zoo.step import Step

Scope = Literal["rows", "types", "graph"]
"""What a level must give where one of its rows is read: it alone, all of its type, or all there are."""
SCOPES: tuple[Scope, ...] = ("rows", "types", "graph")
ACROSS_ROWS = ("batch_norm", "readout")
"""Layers without messages whose rows depend on one another."""
OF_A_ROW = ("dst", "receiver", "received")
"""Sides whose rows are a vertex's own in-edges."""


@dataclass(frozen=True)
class Level:
    """What the steps of one level have in common; relations are numbers of those they walk, None for all."""

    scope: Scope = "rows"
    relations: frozenset[int] | None = frozenset()


def levels_of(steps: Sequence[Step]) -> tuple[Level, ...]:
    """From the input to the output, of the steps that lead to it. Raises KeyError while a size is a symbol."""
    at = levels(steps)
    found = [Level() for _ in range(max(at.values(), default=0) + 1)]
    for step in steps:
        place = at[step.node.id]
        found[place] = _both(found[place], _level(step))
        if found[place].scope == "graph" and place:
            found[place - 1] = _both(found[place - 1], Level("graph"))
    return tuple(found)


def _level(step: Step) -> Level:
    if not passes_messages(step):
        return Level("graph" if step.layer.type in ACROSS_ROWS else "rows")
    pinned = step.placed.relations
    return Level(program_scope(vertex_program(step)), None if pinned is None else frozenset(pinned))


def program_scope(program: Program) -> Scope:
    """What a layer must give of which one row is read."""
    sides = {str(dict(v.attrs).get("side", "dst")) for v in program.values}
    if sides & set(OUTWARDS) or sends_what_came(program):
        return "graph"
    return "rows" if sides <= set(OF_A_ROW) else "types"


def _both(a: Level, b: Level) -> Level:
    every = a.relations is None or b.relations is None
    relations = None if every else frozenset[int]().union(a.relations or (), b.relations or ())
    return Level(max(a.scope, b.scope, key=SCOPES.index), relations)

"""Let a tensor take the memory of one that is dead.

1. Walk the steps. A tensor that the schedule computed, that nobody reads any more and nobody asked for, is dead.
2. A new tensor with as many rows and as wide takes the memory of the one that died last: that memory is the likeliest
   to be in a cache still, and the system need not hand out, and clear, fresh pages.
3. A dead tensor that waits for its heir holds memory; no step may hold more than the step that holds most did before.

4. What dies with the step that writes the new one is taken where `overwriting.py` allows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Domain, Program
from workers.compiler.passes.overwriting import overwritable
from workers.compiler.rows import Schedule, size


def reuse_buffers(schedule: Schedule, graph: GraphSize = USUAL) -> Schedule:
    """The schedule with `reuses` filled in."""
    held = _held(schedule, graph)
    most = max(held, default=0)
    dead: dict[tuple[Domain, int], list[_Dead]] = {}  # newest last
    reuses: dict[int, int] = {}
    own = {i for step in schedule.steps for i in step.stores}
    for k, (step, dying) in enumerate(zip(schedule.steps, schedule.last_uses(), strict=True)):
        for i in step.stores:
            here = own.intersection(dying, overwritable(schedule, step, i)).difference(reuses.values())
            if here:
                reuses[i] = min(here)
                continue
            found = _taken(dead.get(_kind(schedule.program, i), []), held, k, most, _numbers(schedule, i, graph))
            if found is not None:
                reuses[i] = found
        for i in sorted(own.intersection(dying).difference(reuses.values())):
            dead.setdefault(_kind(schedule.program, i), []).append(_Dead(i, k))
    return replace(schedule, reuses=reuses)


@dataclass(frozen=True)
class _Dead:
    """A tensor nobody reads after step `at`."""

    value: int
    at: int


def _taken(dead: list[_Dead], held: list[int], now: int, most: int, numbers: int) -> int | None:
    """Take the newest dead tensor for which every step it waited through has room; note that it did wait."""
    for place in reversed(range(len(dead))):
        waits = range(dead[place].at + 1, now)
        if all(held[k] + numbers <= most for k in waits):
            for k in waits:
                held[k] += numbers
            return dead.pop(place).value
    return None


def _kind(program: Program, i: int) -> tuple[Domain, int]:
    return program[i].type.domain, size(program[i].type)


def _numbers(schedule: Schedule, i: int, graph: GraphSize) -> int:
    return graph.numbers(schedule.program[i].type)


def _held(schedule: Schedule, graph: GraphSize) -> list[int]:
    """Numbers that the schedule's own tensors hold during each step."""
    live, out = set[int](), []
    for step, dying in zip(schedule.steps, schedule.last_uses(), strict=True):
        live.update(step.stores)
        out.append(sum(_numbers(schedule, i, graph) for i in live))
        live.difference_update(dying)
    return out

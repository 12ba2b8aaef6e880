"""A tensor takes the memory of a dead one, never of one that is read or asked for, never at the cost of the peak."""

from __future__ import annotations

from functools import lru_cache

import pytest

from tests.workers.compiler.programs import PROGRAMS, zoo
from tests.workers.compiler.random_programs import random_program
from workers.compiler.graph_size import USUAL
from workers.compiler.parse import parse_program
from workers.compiler.passes.overwriting import overwritable
from workers.compiler.plan import Plan, make_plan
from workers.compiler.rows import Schedule

PLANS = [*PROGRAMS, *(f"random {seed}" for seed in range(4))]


@lru_cache
def plan_of(name: str, off: tuple[str, ...] = ()) -> Plan:
    if name.startswith("random"):
        program = random_program(int(name.split()[1]), ops=25)
    else:
        program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    return make_plan(program, (*program.leaves("input"), *program.leaves("param")), off)


def peak(schedule: Schedule) -> int:
    """Most numbers held at once, counting memory by its owner."""
    held: dict[int, int] = {}  # tensor -> numbers of the memory it holds
    most = 0
    for step, dying in zip(schedule.steps, schedule.last_uses(), strict=True):
        for i in step.stores:
            heir = schedule.reuses.get(i)
            assert heir is None or heir in held, f"{i} takes the memory of {heir}, which holds none"
            held[i] = held.pop(heir) if heir is not None else USUAL.numbers(schedule.program[i].type)
        most = max(most, sum(held.values()))
        for i in dying:
            if i not in schedule.reuses.values():
                held.pop(i, None)
    return most


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("off", [(), ("fuse",)])
def test_memory_changes_hands_only_when_it_is_dead_and_fits(name: str, off: tuple[str, ...]) -> None:
    plan = plan_of(name, off)
    for schedule in (plan.forward, plan.backward):
        made = {i: k for k, step in enumerate(schedule.steps) for i in step.stores}
        read = {i: k for k, step in enumerate(schedule.steps) for i in step.loads}
        assert len(set(schedule.reuses.values())) == len(schedule.reuses)
        for new, old in schedule.reuses.items():
            assert schedule.program[new].type.domain is schedule.program[old].type.domain
            assert USUAL.numbers(schedule.program[new].type) == USUAL.numbers(schedule.program[old].type)
            until = max(made[old], read.get(old, 0))
            over = overwritable(schedule, schedule.steps[made[new]], new)
            assert until < made[new] or (until == made[new] and old in over)
            assert old not in schedule.targets


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("off", [(), ("fuse",)])
def test_waiting_for_an_heir_never_raises_the_peak(name: str, off: tuple[str, ...]) -> None:
    plan, plain = plan_of(name, off), plan_of(name, (*off, "reuse_buffers"))
    for schedule, without in ((plan.forward, plain.forward), (plan.backward, plain.backward)):
        assert without.reuses == {}
        assert peak(schedule) <= peak(without)


def test_hops_take_turns_in_the_same_memory() -> None:
    source = zoo("appnp", **{"in": 4}, hops=10, drop=0.0)
    plan = make_plan(parse_program(source.text, source.bindings), ("h",))
    own = {i for step in plan.forward.steps for i in step.stores}
    assert len(own) - len(plan.forward.reuses) <= 4

"""Plans: what is kept between the directions, and that steps cover every program."""

from __future__ import annotations

import pytest

from tests.workers.compiler.programs import PROGRAMS
from workers.compiler.choices import Memory
from workers.compiler.ir import Domain
from workers.compiler.parse import parse_program
from workers.compiler.plan import Plan, make_plan
from workers.zoo.relation_layer import read


def plan_of(name: str) -> Plan:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    return make_plan(program, (*program.leaves("input"), *program.leaves("param")))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_gradient_and_result_has_its_value(name: str) -> None:
    plan = plan_of(name)
    program = plan.joint.program
    named = program.leaves("input") | program.leaves("param")
    assert set(plan.gradients) == set(plan.joint.wrt)
    assert all(program[i].type == named[n].type for n, i in plan.gradients.items() if n in named)
    assert {program.outputs[k][1] for k in range(len(plan.outputs))} == set(plan.outputs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_computed_edge_value_is_kept_for_the_backward_pass(name: str) -> None:
    plan = plan_of(name)
    kept = [plan.joint.program[i] for i in plan.saved]
    assert all(v.type.domain is not Domain.EDGE or v.op == "input" for v in kept)


def test_attention_keeps_values_of_the_vertices_only() -> None:
    plan = plan_of("gat")
    edges = [s for s in plan.backward.steps if s.stores]
    assert edges
    assert {
        plan.joint.program[i].type.shape for i in plan.saved if plan.joint.program[i].type.domain is Domain.VERTEX
    } <= {(5,), (2, 3), (2, 1), (6,)}


def test_the_same_program_gives_the_same_plan() -> None:
    assert plan_of("gat").joint == plan_of("gat").joint
    assert plan_of("gat").forward.steps == plan_of("gat").forward.steps


def test_what_receivers_write_for_their_vertices_is_kept_unless_memory_is_short() -> None:
    program = read("rgat", {"in": 32, "out": 8, "heads": 4})
    leaves = tuple(program.leaves("input") | program.leaves("param"))

    def kept(memory: Memory) -> set[tuple[int, ...]]:
        plan = make_plan(program, leaves, memory=memory)
        values = (plan.joint.program[i] for i in plan.saved)
        return {v.type.shape for v in values if v.type.domain is Domain.RECEIVER}

    assert (4, 8) in kept("balanced")
    assert (4, 8) not in kept("min")

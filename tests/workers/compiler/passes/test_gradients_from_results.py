"""Gradients read what is kept anyway: activations, not what went into them; biased results, not plain ones."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.rewrites import check, ir
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.gradients_from_results import gradients_from_results
from workers.compiler.plan import make_plan

GIVEN = """
%0: vertex[3] = input() name="h"
%1: vertex[3] = input() name="grad:out"
"""
WITH_BIAS = GIVEN + '%2: param[3] = param() name="b"\n'
SLOPE = """
%2: vertex[3] = tanh(%0)
%3: vertex[3] = relu(%2)
%4: vertex[3] = step(%2)
%5: vertex[3] = mul(%1, %4)
return out=%3, grad:h=%5
"""
BIASED = """
%3: vertex[3] = tanh(%0)
%4: vertex[3] = add(%3, %2)
%5: vertex[3] = mul(%1, %3)
return out=%4, grad:h=%5
"""


def rewritten(program: Program) -> Program:
    return drop_dead(gradients_from_results(program, ("out",)))


@pytest.mark.parametrize("activation", ["relu(%2)", "elu(%2)", "leaky_relu(%2) slope=0.1"])
def test_a_slope_is_read_off_the_activation(activation: str) -> None:
    text = SLOPE.replace("relu(%2)", activation)
    check(rewritten, text, text.replace("step(%2)", "step(%3)"), GIVEN)


def test_a_biased_result_stands_for_what_it_was_made_of() -> None:
    expected = """
    %3: vertex[3] = tanh(%0)
    %4: vertex[3] = add(%3, %2)
    %5: vertex[3] = sub(%4, %2)
    %6: vertex[3] = mul(%1, %5)
    return out=%4, grad:h=%6
    """
    check(rewritten, BIASED, expected, WITH_BIAS)


STAYS = {
    "no activation keeps the sign": (SLOPE.replace("relu(%2)", "exp(%2)"), GIVEN),
    "a slope that turns signs around": (SLOPE.replace("relu(%2)", "leaky_relu(%2) slope=-0.1"), GIVEN),
    "what is activated is a leaf, there anyway": (
        SLOPE.replace("tanh(%0)", "tanh(%1)").replace("relu(%2)", "relu(%0)").replace("step(%2)", "step(%0)"),
        GIVEN,
    ),
    "no parameter is added": (BIASED.replace("add(%3, %2)", "add(%3, %0)"), WITH_BIAS),
    "the total is no result": (BIASED.replace("out=%4", "out=%3"), WITH_BIAS),
}


@pytest.mark.parametrize("what", STAYS)
def test_what_the_result_does_not_tell_is_read_as_it_was(what: str) -> None:
    text, given = STAYS[what]
    program = ir(text, given)
    assert drop_dead(gradients_from_results(program, ("out",))) == drop_dead(program)


def test_attention_does_not_keep_its_result_both_with_and_without_bias() -> None:
    program = parse_program(PROGRAMS["gat"].text, PROGRAMS["gat"].bindings)
    plan = make_plan(program, (*program.leaves("input"), *program.leaves("param")))
    wide = [
        i
        for i in plan.saved
        if plan.joint.program[i].op != "input" and plan.joint.program[i].type.shape in ((6,), (2, 3))
    ]
    kept = [plan.joint.program[i].op for i in wide if plan.joint.program[i].type.domain == "vertex"]
    assert sorted(kept) == ["add", "matmul"]
    assert set(plan.outputs) & set(wide)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("name", ["gat", "gin", "gcn"])
def test_rewriting_keeps_values_and_gradients(name: str, where: str) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    inputs = random_inputs(program, SQUARE[where])
    check_gradients(program, inputs, SQUARE[where], lambda p: gradients_from_results(p, ("out",)))

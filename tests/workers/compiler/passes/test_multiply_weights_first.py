"""Products that only end in dots are contracted among the parameters; others stay."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.rewrites import check, check_unchanged, ir
from workers.compiler.ir import Program
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.multiply_weights_first import multiply_weights_first

GIVEN = """
%0: vertex[5] = input() name="h"
%1: param[5,6] = param() name="w"
%2: param[2,3] = param() name="a"
"""
LOGIT = """
%3: vertex[6] = matmul(%0, %1)
%4: vertex[2,3] = reshape(%3) shape=(2,3)
%5: vertex[2,3] = mul(%4, %2)
%6: vertex[2,1] = sum_to(%5) shape=(2,1)
return out=%6
"""


def contracted(program: Program) -> Program:
    return drop_dead(multiply_weights_first(program))


def test_a_product_that_only_ends_in_a_dot_is_contracted_first() -> None:
    check(
        contracted,
        LOGIT,
        """
        %3: param[5,2,3] = reshape(%1) shape=(5,2,3)
        %4: param[5,2,3] = mul(%3, %2)
        %5: param[5,2,1] = sum_to(%4) shape=(5,2,1)
        %6: param[5,2] = reshape(%5) shape=(5,2)
        %7: vertex[2] = matmul(%0, %6)
        %8: vertex[2,1] = reshape(%7) shape=(2,1)
        return out=%8
        """,
        GIVEN,
    )


STAYS = {
    "used as it is, too": LOGIT.replace("return out=%6", "%7: vertex[6] = relu(%3)\nreturn out=%6, z=%7"),
    "asked for": LOGIT.replace("return out=%6", "return out=%6, z=%3"),
    "a dot of two values": LOGIT.replace("mul(%4, %2)", "mul(%4, %4)"),
    "summed over heads": LOGIT.replace("vertex[2,1]", "vertex[3]").replace("(2,1)", "(3)"),
}


@pytest.mark.parametrize("what", STAYS)
def test_a_product_needed_in_full_stays(what: str) -> None:
    check_unchanged(multiply_weights_first, STAYS[what], GIVEN)


@pytest.mark.parametrize("where", SQUARE)
def test_contracting_keeps_values_and_gradients(where: str) -> None:
    program = multiply_weights_first(ir(LOGIT, GIVEN))
    check_gradients(program, random_inputs(program, SQUARE[where]), SQUARE[where])
    check_gradients(ir(LOGIT, GIVEN), random_inputs(program, SQUARE[where]), SQUARE[where], multiply_weights_first)

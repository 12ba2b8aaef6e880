"""Products of joins are split where that moves work to the vertices, and only there."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.rewrites import check, check_unchanged, ir
from workers.compiler.ir import Program
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.split_concat_linears import LARGEST, split_concat_linears

GIVEN = """
%0: vertex[2] = input() name="h"
%1: edge[3] = input() name="e"
%2: param[5,4] = param() name="w"
%3: param[5] = param() name="p"
%4: param[4,4] = param() name="v"
"""


ENDS = """
%0: vertex[2] = input() name="h"
%1: edge[3] = input() name="e"
"""
PRODUCT = """
%2: param[5,4] = param() name="w"
%3: edge[2] = gather_src(%0)
%4: edge[5] = concat(%3, %1)
%5: edge[4] = matmul(%4, %2)
return out=%5
"""
DOT = """
%2: param[5] = param() name="p"
%3: edge[2] = gather_src(%0)
%4: edge[5] = concat(%3, %1)
%5: edge[5] = mul(%4, %2)
%6: edge[1] = sum_to(%5) shape=(1)
return out=%6
"""
SUM = """
%2: param[4,4] = param() name="v"
%3: edge[2] = gather_src(%0)
%4: edge[2] = gather_dst(%0)
%5: edge[2] = sub(%3, %4)
%6: edge[4] = concat(%5, %4)
%7: edge[4] = matmul(%6, %2)
return out=%7
"""


def split(program: Program) -> Program:
    return drop_dead(split_concat_linears(program))


def test_a_product_on_the_edges_is_split_at_what_is_gathered() -> None:
    check(
        split,
        PRODUCT,
        """
        %2: param[5,4] = param() name="w"
        %3: edge[2] = gather_src(%0)
        %4: param[20] = reshape(%2) shape=(20)
        %5: param[8] = slice(%4) start=0 stop=8
        %6: param[2,4] = reshape(%5) shape=(2,4)
        %7: edge[4] = matmul(%3, %6)
        %8: param[20] = reshape(%2) shape=(20)
        %9: param[12] = slice(%8) start=8 stop=20
        %10: param[3,4] = reshape(%9) shape=(3,4)
        %11: edge[4] = matmul(%1, %10)
        %12: edge[4] = add(%7, %11)
        return out=%12
        """,
        ENDS,
    )


def test_a_dot_with_a_parameter_is_split_too() -> None:
    check(
        split,
        DOT,
        """
        %2: param[5] = param() name="p"
        %3: edge[2] = gather_src(%0)
        %4: param[2] = slice(%2) start=0 stop=2
        %5: edge[2] = mul(%3, %4)
        %6: edge[1] = sum_to(%5) shape=(1)
        %7: param[3] = slice(%2) start=2 stop=5
        %8: edge[3] = mul(%1, %7)
        %9: edge[1] = sum_to(%8) shape=(1)
        %10: edge[1] = add(%6, %9)
        return out=%10
        """,
        ENDS,
    )


def test_a_difference_of_both_ends_is_projected_at_each_end() -> None:
    """The message of edge convolution: what is multiplied afterwards comes from one end."""
    found = split_concat_linears(split(ir(SUM, ENDS)))
    found = drop_dead(found)
    products = [v for v in found.values if v.op == "matmul"]
    assert len(products) == 3
    assert all(found[v.args[0]].op in ("gather_src", "gather_dst") for v in products)


STAYS = {
    "no part comes from one end": """
        %5: edge[2] = gather_src(%0)
        %6: edge[2] = exp(%5)
        %7: edge[5] = concat(%6, %1)
        %8: edge[4] = matmul(%7, %2)
        return out=%8
    """,
    "on the vertices, where it would write more": """
        %5: vertex[2] = exp(%0)
        %6: vertex[4] = concat(%0, %5)
        %7: vertex[4] = matmul(%6, %4)
        return out=%7
    """,
    "no parameter but another edge value": """
        %5: edge[2] = gather_src(%0)
        %6: edge[5] = concat(%5, %1)
        %7: edge[5] = exp(%6)
        %8: edge[5] = mul(%6, %7)
        %9: edge[1] = sum_to(%8) shape=(1)
        return out=%9
    """,
    "a sum over other axes": """
        %5: edge[2] = gather_src(%0)
        %6: edge[5] = concat(%5, %1)
        %7: edge[5] = mul(%6, %3)
        %8: edge[] = sum_to(%7) shape=()
        return out=%8
    """,
}


@pytest.mark.parametrize("what", STAYS)
def test_what_would_save_nothing_stays(what: str) -> None:
    check_unchanged(split_concat_linears, STAYS[what], GIVEN)


def test_a_very_large_matrix_stays_whole() -> None:
    wide = LARGEST // 4
    given = GIVEN.replace("edge[3]", f"edge[{wide}]").replace("param[5,4]", f"param[{wide + 2},4]")
    join = f"%5: edge[2] = gather_src(%0)\n%6: edge[{wide + 2}] = concat(%5, %1)\n"
    text = f"{join}%7: edge[4] = matmul(%6, %2)\nreturn out=%7"
    check_unchanged(split_concat_linears, text, given)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("text", [PRODUCT, DOT, SUM])
def test_splitting_keeps_values_and_gradients(text: str, where: str) -> None:
    program = ir(text, ENDS)
    check_gradients(program, random_inputs(program, SQUARE[where]), SQUARE[where], split_concat_linears)
    split_first = split_concat_linears(program)
    check_gradients(split_first, random_inputs(program, SQUARE[where]), SQUARE[where])

"""Factors of the row leave the sum; what may be infinite, what others use and what differs by edge stays."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.rewrites import check, check_unchanged
from workers.compiler.ir import Domain, Program
from workers.compiler.passes import compile_joint
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.hoist_out_of_aggregations import hoist_out_of_aggregations

IN = 'side="dst" to="vertex"'
OUT = 'side="src" to="vertex"'
GIVEN = """
%0: vertex[2,1] = input() name="y"
%1: edge[2,3] = input() name="e"
%2: param[3] = param() name="p"
"""


def hoisted(program: Program) -> Program:
    return drop_dead(hoist_out_of_aggregations(program))


@pytest.mark.parametrize(("gather", "ends"), [("gather_dst", IN), ("gather_src", OUT)])
def test_a_factor_of_the_row_leaves_the_sum(gather: str, ends: str) -> None:
    check(
        hoisted,
        f"%3: edge[2,1] = {gather}(%0)\n%4: edge[2,3] = mul(%1, %3)\n%5: edge[2,3] = mul(%4, %2)\n"
        f"%6: vertex[2,3] = sum_edges(%5) {ends}\nreturn out=%6",
        f"%3: vertex[2,3] = sum_edges(%1) {ends}\n%4: vertex[2,3] = mul(%3, %0)\n%5: vertex[2,3] = mul(%4, %2)\n"
        "return out=%5",
        GIVEN,
    )


def test_what_is_left_is_narrower() -> None:
    check(
        hoisted,
        f'%1: edge[2,1] = input() name="e"\n%2: edge[2,3] = gather_dst(%0)\n%3: edge[2,3] = mul(%2, %1)\n'
        f"%4: vertex[2,3] = sum_edges(%3) {IN}\nreturn out=%4",
        f'%1: edge[2,1] = input() name="e"\n%2: vertex[2,1] = sum_edges(%1) {IN}\n%3: vertex[2,3] = mul(%2, %0)\n'
        "return out=%3",
        '%0: vertex[2,3] = input() name="x"',
    )


def test_a_sum_of_nothing_but_the_rows_own_is_the_degree_times_it() -> None:
    check(
        hoisted,
        f"%1: edge[3] = gather_dst(%0)\n%2: edge[3] = neg(%1)\n%3: vertex[3] = sum_edges(%2) {IN}\nreturn out=%3",
        f"%1: vertex[] = degree() {IN}\n%2: vertex[3] = mul(%1, %0)\n%3: vertex[3] = neg(%2)\nreturn out=%3",
        '%0: vertex[3] = input() name="x"',
    )


def test_the_root_of_a_degree_leaves_the_sum() -> None:
    check(
        hoisted,
        f"""
        %1: vertex[] = degree() {IN}
        %2: vertex[] = sqrt(%1)
        %3: vertex[] = reciprocal(%2)
        %4: edge[] = gather_dst(%3)
        %5: edge[3] = mul(%0, %4)
        %6: vertex[3] = sum_edges(%5) {IN}
        return out=%6
        """,
        f"""
        %1: vertex[] = degree() {IN}
        %2: vertex[] = sqrt(%1)
        %3: vertex[] = reciprocal(%2)
        %4: vertex[3] = sum_edges(%0) {IN}
        %5: vertex[3] = mul(%4, %3)
        return out=%5
        """,
        '%0: edge[3] = input() name="e"',
    )


STAYS = {
    "the other end's": f"""
        %3: edge[2,1] = gather_src(%0)
        %4: edge[2,3] = mul(%1, %3)
        %5: vertex[2,3] = sum_edges(%4) {IN}
        return out=%5
    """,
    "not a product": f"""
        %3: edge[2,1] = gather_dst(%0)
        %4: edge[2,3] = add(%1, %3)
        %5: vertex[2,3] = sum_edges(%4) {IN}
        return out=%5
    """,
    "not a sum": f"""
        %3: edge[2,1] = gather_dst(%0)
        %4: edge[2,3] = mul(%1, %3)
        %5: vertex[2,3] = max_edges(%4) {IN}
        return out=%5
    """,
    "a quotient, infinite where an isolated vertex has 0": f"""
        %3: param[] = constant() value=1.0
        %4: vertex[2,1] = div(%3, %0)
        %5: edge[2,1] = gather_dst(%4)
        %6: edge[2,3] = mul(%1, %5)
        %7: vertex[2,3] = sum_edges(%6) {IN}
        return out=%7
    """,
    "a root, no number where an isolated vertex is negative": f"""
        %3: vertex[2,1] = sqrt(%0)
        %4: vertex[2,1] = reciprocal(%3)
        %5: edge[2,1] = gather_dst(%4)
        %6: edge[2,3] = mul(%1, %5)
        %7: vertex[2,3] = sum_edges(%6) {IN}
        return out=%7
    """,
}


@pytest.mark.parametrize("what", STAYS)
def test_what_must_not_leave_stays(what: str) -> None:
    check_unchanged(hoist_out_of_aggregations, STAYS[what], GIVEN)


def test_a_product_that_others_use_is_left_whole() -> None:
    text = (
        "%3: edge[2,1] = gather_dst(%0)\n%4: edge[2,3] = mul(%1, %3)\n%5: edge[2,3] = exp(%4)\n"
        f"%6: edge[2,3] = mul(%4, %5)\n%7: vertex[2,3] = sum_edges(%6) {IN}\nreturn out=%7"
    )
    check_unchanged(hoist_out_of_aggregations, text, GIVEN)


CONTRACTION = f"""
%3: edge[2,3] = mul(%0, %1)
%4: vertex[2,3] = sum_edges(%3) {IN}
%5: edge[2,3] = gather_dst(%2)
%6: edge[2,3] = mul(%5, %1)
%7: edge[2,1] = sum_to(%6) shape=(2,1)
%8: edge[2,1] = mul(%0, %7)
%9: vertex[2,1] = sum_edges(%8) {IN}
return out=%4, row=%9
"""
WEIGHTED = """
%0: edge[2,1] = input() name="alpha"
%1: edge[2,3] = input() name="z"
%2: vertex[2,3] = input() name="g"
"""


def test_a_contraction_trades_places_with_a_sum_that_exists() -> None:
    check(
        hoisted,
        CONTRACTION,
        f"%3: edge[2,3] = mul(%0, %1)\n%4: vertex[2,3] = sum_edges(%3) {IN}\n%5: vertex[2,3] = mul(%2, %4)\n"
        "%6: vertex[2,1] = sum_to(%5) shape=(2,1)\nreturn out=%4, row=%6",
        WEIGHTED,
    )


def test_a_contraction_stays_where_no_such_sum_exists() -> None:
    without = CONTRACTION.replace(f"%4: vertex[2,3] = sum_edges(%3) {IN}", f"%4: vertex[2,3] = max_edges(%3) {IN}")
    check_unchanged(hoist_out_of_aggregations, without, WEIGHTED)


def test_a_contraction_over_the_other_side_stays() -> None:
    check_unchanged(hoist_out_of_aggregations, CONTRACTION.replace("gather_dst", "gather_src"), WEIGHTED)


def test_the_gradient_of_attention_sums_no_edges_for_its_softmax() -> None:
    """The one sum left over in-edges in the backward pass is that of the destination's score."""
    joint, _ = compile_joint(LAYERS["gat"], ("h", "weight", "a_src", "a_dst", "bias"))
    seeds = next(v.id for v in joint.program.values if v.op == "input" and v.text("name") == "grad:out")
    sums = [v for v in joint.program.values if v.op == "sum_edges" and v.id > seeds]
    assert [(v.text("side"), v.type.shape) for v in sums if v.text("side") == "dst"] == [("dst", (2, 1))]
    wide = [v for v in joint.program.values if v.type.domain is Domain.EDGE and v.op == "sum_to"]
    assert len(wide) == 1


@pytest.mark.parametrize("where", SQUARE)
def test_hoisting_keeps_values_and_gradients(where: str) -> None:
    for p in LAYERS.values():
        check_gradients(p, random_inputs(p, SQUARE[where]), SQUARE[where], hoist_out_of_aggregations)


def test_a_sum_does_not_wait_for_the_number_of_ties_though_others_use_the_product() -> None:
    given = '%0: edge[2,3] = input() name="e"\n%1: vertex[2,3] = input() name="x"'
    start = (
        f"%2: edge[2,3] = gather_dst(%1)\n%3: edge[2,3] = eq(%0, %2)\n%4: vertex[2,3] = sum_edges(%3) {IN}\n"
        "%5: vertex[2,3] = reciprocal(%4)\n%6: edge[2,3] = gather_dst(%5)\n%7: edge[2,3] = mul(%3, %6)\n"
    )
    before = (
        f"%8: edge[2,3] = mul(%7, %0)\n%9: vertex[2,3] = sum_edges(%8) {IN}\n"
        f"%10: vertex[2,3] = sum_edges(%7) {OUT}\nreturn out=%9, also=%10"
    )
    expected = (
        f"%8: edge[2,3] = mul(%3, %0)\n%9: vertex[2,3] = sum_edges(%8) {IN}\n%10: vertex[2,3] = mul(%9, %5)\n"
        f"%11: vertex[2,3] = sum_edges(%7) {OUT}\nreturn out=%10, also=%11"
    )
    check(hoisted, start + before, start + expected, given)

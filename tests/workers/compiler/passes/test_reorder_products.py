"""A product stands on the side of an aggregation where fewer numbers are sent, and moves for nothing less."""

from __future__ import annotations

from functools import partial

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.rewrites import check, check_unchanged, ir
from workers.compiler.graph_size import GraphSize
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes import run_pipeline
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.reorder_products import reorder_products

IN = 'side="dst" to="vertex"'
WIDER = """
%0: vertex[3] = input() name="h"
%1: vertex[] = input() name="norm"
%2: param[3,8] = param() name="w"
"""
NARROWER = WIDER.replace("[3]", "[8]").replace("[3,8]", "[8,3]")
PROJECTED = f"""
%3: vertex[8] = matmul(%0, %2)
%4: vertex[8] = mul(%3, %1)
%5: edge[8] = gather_src(%4)
%6: vertex[8] = sum_edges(%5) {IN}
%7: vertex[8] = mul(%6, %1)
%8: vertex[8] = relu(%7)
return out=%8
"""
AGGREGATED = f"""
%3: edge[8] = gather_src(%0)
%4: edge[] = gather_dst(%1)
%5: edge[8] = mul(%3, %4)
%6: vertex[8] = mean_edges(%5) {IN}
%7: vertex[3] = matmul(%6, %2)
return out=%7
"""


def moved(program: Program, wrt: tuple[str, ...] = ("h", "w")) -> Program:
    return drop_dead(reorder_products(program, wrt))


def test_narrow_features_are_aggregated_first() -> None:
    check(
        moved,
        PROJECTED,
        f"""
        %3: vertex[3] = mul(%0, %1)
        %4: edge[3] = gather_src(%3)
        %5: vertex[3] = sum_edges(%4) {IN}
        %6: vertex[3] = mul(%5, %1)
        %7: vertex[8] = matmul(%6, %2)
        %8: vertex[8] = relu(%7)
        return out=%8
        """,
        WIDER,
    )


def test_wide_features_are_projected_first() -> None:
    check(
        moved,
        AGGREGATED,
        f"""
        %3: edge[] = gather_dst(%1)
        %4: vertex[3] = matmul(%0, %2)
        %5: edge[3] = gather_src(%4)
        %6: edge[3] = mul(%5, %3)
        %7: vertex[3] = mean_edges(%6) {IN}
        return out=%7
        """,
        NARROWER,
    )


SAME = WIDER.replace("[3]", "[8]").replace("[3,8]", "[8,8]")


def test_data_of_the_same_width_is_aggregated_first_since_its_gradient_is_not_wanted() -> None:
    found = moved(ir(PROJECTED, SAME), ("w",))
    assert [v.op for v in found.values if v.args][-2:] == ["matmul", "relu"]
    check_unchanged(moved, PROJECTED, SAME)


def test_a_sum_of_the_own_and_the_neighbours_moves_as_a_whole() -> None:
    """GIN: both the vertex's own product and its neighbours' come from one, which moves behind their sum."""
    text = f"""
    %3: vertex[8] = matmul(%0, %2)
    %4: vertex[8] = mul(%3, %1)
    %5: edge[8] = gather_src(%3)
    %6: vertex[8] = sum_edges(%5) {IN}
    %7: vertex[8] = add(%4, %6)
    %8: vertex[8] = relu(%7)
    return out=%8
    """
    found = moved(ir(text, WIDER))
    assert [v.op for v in found.values if v.args] == ["mul", "gather_src", "sum_edges", "add", "matmul", "relu"]


STAYS = {
    "each column has a factor of its own": (PROJECTED.replace("mul(%3, %1)", "mul(%3, %3)"), WIDER),
    "the product is used as it is": (PROJECTED.replace("return out=%8", "return out=%8, z=%3"), WIDER),
    "a maximum": (PROJECTED.replace("sum_edges", "max_edges"), WIDER),
    "an aggregate that others use": (AGGREGATED.replace("return out=%7", "return out=%7, y=%6"), NARROWER),
    "wider afterwards": (AGGREGATED.replace("vertex[3]", "vertex[8]"), SAME),
}


@pytest.mark.parametrize("what", STAYS)
def test_what_does_not_commute_or_pay_stays(what: str) -> None:
    text, given = STAYS[what]
    check_unchanged(moved, text, given)


def test_on_a_graph_of_few_edges_keeping_one_more_tensor_does_not_pay() -> None:
    found = reorder_products(ir(PROJECTED, WIDER), ("h", "w"), GraphSize(vertices=1000, edges=500))
    assert found == ir(PROJECTED, WIDER)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize(("text", "given"), [(PROJECTED, WIDER), (AGGREGATED, NARROWER)])
def test_moving_products_keeps_values_and_gradients(text: str, given: str, where: str) -> None:
    program = moved(ir(text, given))
    check_gradients(program, random_inputs(program, SQUARE[where]), SQUARE[where])
    check_gradients(ir(text, given), random_inputs(program, SQUARE[where]), SQUARE[where], partial(moved, wrt=()))


@pytest.mark.parametrize("name", ["gcn", "sage", "gin"])
def test_a_first_layer_on_data_walks_no_edges_backwards(name: str) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    joint = run_pipeline(program, wrt=tuple(program.leaves("param")))[-1].program
    assert sum(v.op == "sum_edges" for v in joint.values) == 1

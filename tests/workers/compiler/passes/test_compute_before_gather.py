"""One-sided work moves to the vertices; two-sided work, dropout and quotients stay on the edges."""

from __future__ import annotations

import pytest

from tests.workers.compiler.rewrites import check, check_unchanged
from workers.compiler.passes.compute_before_gather import compute_before_gather

GIVEN = '%0: vertex[3] = input() name="x"\n%1: edge[3] = gather_src(%0)\n%2: param[3,4] = param() name="w"'


def test_a_product_with_a_parameter_is_done_once_a_vertex() -> None:
    check(
        compute_before_gather,
        "%3: edge[4] = matmul(%1, %2)\n%4: edge[4] = relu(%3)\n%5: edge[4] = tanh(%4)\nreturn out=%5",
        "%3: vertex[4] = matmul(%0, %2)\n%4: edge[4] = gather_src(%3)\n%5: vertex[4] = relu(%3)\n"
        "%6: edge[4] = gather_src(%5)\n%7: vertex[4] = tanh(%5)\n%8: edge[4] = gather_src(%7)\nreturn out=%8",
        GIVEN,
    )


def test_two_values_of_the_same_side_meet_at_the_vertices() -> None:
    check(
        compute_before_gather,
        "%3: vertex[3] = exp(%0)\n%4: edge[3] = gather_src(%3)\n%5: edge[3] = mul(%1, %4)\nreturn out=%5",
        "%3: vertex[3] = exp(%0)\n%4: edge[3] = gather_src(%3)\n%5: vertex[3] = mul(%0, %3)\n"
        "%6: edge[3] = gather_src(%5)\nreturn out=%6",
        GIVEN,
    )


@pytest.mark.parametrize(
    "text",
    [
        "%3: edge[3] = gather_dst(%0)\n%4: edge[3] = mul(%1, %3)\nreturn out=%4",
        '%3: edge[3] = input() name="e"\n%4: edge[3] = mul(%1, %3)\nreturn out=%4',
        "%3: edge[3] = dropout(%1) p=0.5 stream=0\nreturn out=%3",
        "%3: edge[3] = log(%1)\nreturn out=%3",
        "%3: edge[3] = exp(%1)\nreturn out=%3",
        "%3: param[] = constant() value=1.0\n%4: edge[3] = div(%3, %1)\nreturn out=%4",
        "%3: edge[3] = edge_softmax(%1)\nreturn out=%3",
        '%3: edge[3] = input() name="e"\n%4: edge[4] = matmul(%3, %2)\nreturn out=%4',
        "%3: param[3,3] = weight_grad(%1, %1)\nreturn out=%3",
    ],
)
def test_what_needs_both_ends_or_must_not_move_stays(text: str) -> None:
    check_unchanged(compute_before_gather, text, GIVEN)

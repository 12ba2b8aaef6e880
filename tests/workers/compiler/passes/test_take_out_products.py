"""Products of an input become inputs; an input that is read in any other way stays where it is."""

from __future__ import annotations

import pytest

from tests.workers.compiler.rewrites import ir
from workers.compiler.passes.take_out_products import take_out_products
from workers.compiler.text import print_ir

GIVEN = (
    '%0: vertex[3] = input() name="h"\n%1: param[3,4] = param() name="w"\n%2: param[3,2] = param() name="u"\n'
    '%3: vertex[] = input() name="norm"'
)


def test_every_product_becomes_an_input_and_its_weight_goes() -> None:
    body = (
        "%4: vertex[4] = matmul(%0, %1)\n%5: vertex[4] = relu(%4)\n%6: vertex[2] = matmul(%0, %2)\n"
        "%7: vertex[6] = concat(%5, %6)\nreturn out=%7"
    )
    taken = take_out_products(ir(body, GIVEN), "h")
    assert taken is not None
    assert taken.products == {"h:w": "w", "h:u": "u"}
    expected = (
        '%1: vertex[4] = relu(%0)\n%2: vertex[2] = input() name="h:u"\n%3: vertex[6] = concat(%1, %2)\nreturn out=%3'
    )
    assert print_ir(taken.program) == print_ir(ir(expected, '%0: vertex[4] = input() name="h:w"'))


def test_a_product_of_neighbours_is_one_of_vertices() -> None:
    body = (
        '%4: edge[3] = gather_src(%0)\n%5: edge[4] = matmul(%4, %1)\n%6: vertex[4] = sum_edges(%5) side="dst" '
        'to="vertex"\nreturn out=%6'
    )
    taken = take_out_products(ir(body, GIVEN), "h")
    assert taken is not None
    expected = '%1: edge[4] = gather_src(%0)\n%2: vertex[4] = sum_edges(%1) side="dst" to="vertex"\nreturn out=%2'
    assert print_ir(taken.program) == print_ir(ir(expected, '%0: vertex[4] = input() name="h:w"'))


@pytest.mark.parametrize(
    "body",
    [
        "%4: vertex[3] = relu(%0)\n%5: vertex[4] = matmul(%4, %1)\nreturn out=%5",
        "%4: vertex[4] = matmul(%0, %1)\nreturn out=%4 also=%0",
        "%4: vertex[4] = matmul(%0, %1)\n%5: vertex[3] = tanh(%0)\nreturn out=%4 also=%5",
        "%4: param[3,4] = relu(%1)\n%5: vertex[4] = matmul(%0, %4)\nreturn out=%5",
        "%4: vertex[] = exp(%3)\nreturn out=%4",
    ],
    ids=["bent first", "returned", "read twice", "weight is computed", "not read"],
)
def test_an_input_that_is_needed_itself_stays(body: str) -> None:
    assert take_out_products(ir(body, GIVEN), "h") is None

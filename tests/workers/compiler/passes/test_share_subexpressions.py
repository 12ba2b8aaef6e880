"""Equal values become one; unlike ones stay apart."""

from __future__ import annotations

from tests.workers.compiler.rewrites import check, check_unchanged
from workers.compiler.passes.share_subexpressions import share_subexpressions


def test_equal_operations_become_one() -> None:
    check(
        share_subexpressions,
        """
        %4: vertex[2,3] = relu(%0)
        %5: vertex[2,3] = relu(%0)
        %6: vertex[2,3] = exp(%4)
        %7: vertex[2,3] = exp(%5)
        %8: vertex[2,3] = sub(%6, %7)
        return out=%8
        """,
        """
        %4: vertex[2,3] = relu(%0)
        %5: vertex[2,3] = exp(%4)
        %6: vertex[2,3] = sub(%5, %5)
        return out=%6
        """,
    )


def test_operands_that_may_trade_places_do() -> None:
    check(
        share_subexpressions,
        "%4: vertex[2,3] = mul(%0, %1)\n%5: vertex[2,3] = mul(%1, %0)\n%6: vertex[2,3] = add(%4, %5)\nreturn out=%6",
        "%4: vertex[2,3] = mul(%0, %1)\n%5: vertex[2,3] = add(%4, %4)\nreturn out=%5",
    )


def test_order_matters_where_it_does() -> None:
    check_unchanged(
        share_subexpressions,
        "%4: vertex[2,3] = sub(%0, %1)\n%5: vertex[2,3] = sub(%1, %0)\n%6: vertex[2,3] = add(%4, %5)\nreturn out=%6",
    )


def test_dropouts_of_different_streams_are_different() -> None:
    check_unchanged(
        share_subexpressions,
        """
        %4: vertex[2,3] = dropout(%0) p=0.5 stream=0
        %5: vertex[2,3] = dropout(%0) p=0.5 stream=1
        %6: vertex[2,3] = add(%4, %5)
        return out=%6
        """,
    )

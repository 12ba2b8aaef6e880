"""Dead values go, everything else stays in order."""

from __future__ import annotations

from tests.workers.compiler.rewrites import ir
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.text import print_ir


def test_values_and_leaves_without_use_are_dropped_and_the_rest_renumbered() -> None:
    before = ir("%4: vertex[2,3] = exp(%0)\n%5: vertex[2,1] = relu(%1)\nreturn out=%5")
    assert print_ir(drop_dead(before)) == (
        'program p\n%0: vertex[2,1] = input() name="y"\n%1: vertex[2,1] = relu(%0)\nreturn out=%1\n'
    )


def test_what_a_result_needs_stays() -> None:
    before = ir("%1: vertex[2] = relu(%0)\nreturn out=%1, again=%0", '%0: vertex[2] = input() name="x"')
    assert drop_dead(before) == before

"""Programs of thousands of operations: planning takes a number of steps that grows as the program does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest

from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes.fuse import fuse
from workers.compiler.plan import make_plan
from workers.compiler.rows import Schedule

HOPS = """\
def f(v: Vertex(h="4", norm="")):
    v.z = v.h
    for _ in range({n}):
        v.z = 0.9 * sum(nb.z * nb.norm for nb in v.innbs) * v.norm + 0.1 * v.h
    return v.z
"""
ATTENTION = """\
def f(v: Vertex(h="8"), weight: Param("8, 8"), a: Param("8"), b: Param("8")):
    v.z = v.h
    for _ in range({n}):
        v.y = v.z @ weight
        v.left, v.right = dot(v.y, a), dot(v.y, b)
        alpha = softmax([leaky_relu(nb.left + v.right, 0.2) for nb in v.innbs])
        v.z = elu(sum(x * nb.y for x, nb in zip(alpha, v.innbs))) + v.h
    return v.z
"""
WRT = ("h", "weight", "a", "b")
ROWS = """\
def f(v: Vertex(h="4")):
    x = v.h
    for _ in range({n}):
        x = tanh(x + v.h) * v.h
    return x
"""


def program(text: str, n: int) -> Program:
    return parse_program(text.format(n=n))


def calls(deed: Callable[[], object]) -> int:
    """How many functions of Python `deed` enters: its steps, whatever the machine is doing."""
    entered = 0

    def seen(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal entered
        entered += event == "call"

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        deed()
    finally:
        sys.setprofile(before)
    return entered


@pytest.mark.parametrize("text", [HOPS, ROWS], ids=["many kernels", "one kernel"])
def test_fusing_four_times_as_many_operations_takes_about_four_times_as_many_steps(text: str) -> None:
    few, many = (calls(partial(_fused, program(text, n))) for n in (40, 160))
    assert many < 5 * few


def test_so_does_planning_with_gradients() -> None:
    few, many = (calls(partial(make_plan, program(ATTENTION, n), WRT)) for n in (6, 24))
    assert many < 5 * few


def test_a_program_of_three_thousand_operations_is_planned_with_its_gradients() -> None:
    found = make_plan(program(ATTENTION, 56), WRT)
    assert len(found.joint.program.values) > 3000
    assert len(found.forward.steps) <= 3 * 56  # a layer is a product, the rows it needs and one kernel over edges


def _fused(long: Program) -> Schedule:
    return fuse(long, [i for _, i in long.outputs])

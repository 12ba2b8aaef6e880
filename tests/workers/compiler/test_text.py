"""The IR as text: exact, and strict about what it reads."""

from __future__ import annotations

import math

import pytest

from tests.workers.compiler.cases import CASES, leaf, program
from workers.compiler.ir import Builder
from workers.compiler.text import parse_ir, print_ir


@pytest.mark.parametrize("name", CASES)
def test_every_op_prints_and_parses_exactly(name: str) -> None:
    assert parse_ir(print_ir(program(name))) == program(name)


@pytest.mark.parametrize("number", [0.0, -0.0, 1.0, 2, -3, 0.1, 1e-300, 1e30, 1 / 3, math.inf, -math.inf])
def test_numbers_survive(number: float) -> None:
    b = Builder("numbers")
    p = b.build({"out": b.add("mul", leaf(b, "x", ()), b.add("constant", value=number))})
    found = parse_ir(print_ir(p))[1].attr("value")
    assert (found, type(found), math.copysign(1, found)) == (number, type(number), math.copysign(1, number))  # type: ignore[arg-type]


def test_the_format_is_golden() -> None:
    b = Builder("layer", bipartite=True)
    x, w = leaf(b, "x", (3,), "src"), b.add("param", name="w", domain="param", shape=(4, 3), init="zeros")
    y = b.add("matmul", b.add("gather_src", x), w, transposed=True)
    text = print_ir(b.build({"out": b.add("sum_edges", y, side="dst", to="dst"), "grad:x": x}))
    assert text == (
        "bipartite program layer\n"
        '%0: src[3] = input() name="x"\n'
        '%1: param[4,3] = param() init="zeros" name="w"\n'
        "%2: edge[3] = gather_src(%0)\n"
        "%3: edge[4] = matmul(%2, %1) transposed=True\n"
        '%4: dst[4] = sum_edges(%3) side="dst" to="dst"\n'
        "return out=%4, grad:x=%0\n"
    )
    assert parse_ir(text).bipartite


def test_blank_lines_indentation_and_comments_are_skipped() -> None:
    text = '\n  program p\n\n    # what follows\n    %0: vertex[] = input() name="x"  # given\n  return out=%0\n'
    assert print_ir(parse_ir(text)) == 'program p\n%0: vertex[] = input() name="x"\nreturn out=%0\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%0: vertex[] = input()\nreturn out=%0", "begins with `program NAME`"),
        ("program p\nx = 3\nreturn", "cannot read 'x = 3'"),
        (
            'program p\n%0: vertex[2] = input() name="x"\n%1: vertex[3] = relu(%0)\nreturn out=%1',
            r"of type vertex\[2\]",
        ),
        ('program p\n%1: vertex[2] = input() name="x"\nreturn out=%1', "is value %0"),
    ],
)
def test_what_is_not_ir_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_ir(text)

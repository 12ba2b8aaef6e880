"""Before and expected: a pass as two programs in text."""

from __future__ import annotations

from collections.abc import Callable

from workers.compiler.ir import Program
from workers.compiler.text import parse_ir, print_ir
from workers.compiler.verify import verify

GIVEN = """
%0: vertex[2,3] = input() name="x"
%1: vertex[2,1] = input() name="y"
%2: edge[2,3] = input() name="e"
%3: param[3] = param() name="p"
"""


def ir(body: str, given: str = GIVEN) -> Program:
    """A verified program of the leaves in `given` and the lines of `body`, which ends in `return`."""
    return verify(parse_ir(f"program p\n{given}\n{body}"))


def check(rewrite: Callable[[Program], Program], before: str, expected: str, given: str = GIVEN) -> None:
    """`rewrite` turns `before` into exactly `expected`."""
    found = verify(rewrite(ir(before, given)))
    assert print_ir(found) == print_ir(ir(expected, given))


def check_unchanged(rewrite: Callable[[Program], Program], before: str, given: str = GIVEN) -> None:
    check(rewrite, before, before, given)

"""What is known is computed, what changes nothing is left out, and types never change."""

from __future__ import annotations

import pytest

from tests.workers.compiler.rewrites import check, check_unchanged, ir
from workers.compiler.passes.drop_dead import drop_dead
from workers.compiler.passes.fold_constants import fold_constants
from workers.compiler.text import print_ir


def folded(body: str) -> str:
    """The lines after the leaves, dead ones dropped: `x` is %0 where it is used."""
    return print_ir(drop_dead(fold_constants(ir(body)))).split("\n", 1)[1]


X = '%0: vertex[2,3] = input() name="x"\n'


@pytest.mark.parametrize(
    "line",
    [
        "%5: vertex[2,3] = mul(%0, %4)",
        "%5: vertex[2,3] = mul(%4, %0)",
        "%5: vertex[2,3] = div(%0, %4)",
        "%5: vertex[2,3] = reshape(%0) shape=(2,3)",
        "%5: vertex[2,3] = expand(%0) shape=(2,3)",
        "%5: vertex[2,3] = sum_to(%0) shape=(2,3)",
        "%5: vertex[2,3] = dropout(%0) p=0.0 stream=0",
        "%5: vertex[2,3] = where(%4, %0, %1)",
    ],
)
def test_what_changes_nothing_is_left_out(line: str) -> None:
    assert folded(f"%4: param[] = constant() value=1.0\n{line}\nreturn out=%5") == X + "return out=%0\n"


@pytest.mark.parametrize("line", ["add(%0, %4)", "add(%4, %0)", "sub(%0, %4)"])
def test_nothing_is_added(line: str) -> None:
    text = f"%4: param[] = constant() value=0.0\n%5: vertex[2,3] = {line}\nreturn out=%5"
    assert folded(text) == X + "return out=%0\n"


@pytest.mark.parametrize(
    ("value", "line"),
    [(0.0, "sub(%4, %0)"), (-1.0, "mul(%0, %4)"), (-1.0, "mul(%4, %0)")],
)
def test_signs_are_turned(value: float, line: str) -> None:
    text = f"%4: param[] = constant() value={value}\n%5: vertex[2,3] = {line}\nreturn out=%5"
    assert folded(text) == X + "%1: vertex[2,3] = neg(%0)\nreturn out=%1\n"


def test_a_quotient_by_a_constant_is_a_product_and_constants_meet() -> None:
    text = """
    %4: param[] = constant() value=4.0
    %5: vertex[2,3] = div(%0, %4)
    %6: param[] = constant() value=6.0
    %7: vertex[2,3] = mul(%6, %5)
    return out=%7
    """
    assert folded(text) == X + "%1: param[] = constant() value=1.5\n%2: vertex[2,3] = mul(%1, %0)\nreturn out=%2\n"


def test_constants_alone_become_one() -> None:
    text = """
    %4: param[] = constant() value=2.0
    %5: param[] = exp(%4)
    %6: param[] = sub(%5, %5)
    %7: vertex[2,3] = maximum(%0, %6)
    return out=%7
    """
    assert folded(text) == X + "%1: param[] = constant() value=0.0\n%2: vertex[2,3] = maximum(%0, %1)\nreturn out=%2\n"


def test_two_signs_and_two_reshapes_are_none_and_one() -> None:
    assert folded("%4: vertex[2,3] = neg(%0)\n%5: vertex[2,3] = neg(%4)\nreturn out=%5") == X + "return out=%0\n"
    text = "%4: vertex[6] = reshape(%0) shape=(6)\n%5: vertex[3,2] = reshape(%4) shape=(3,2)\nreturn out=%5"
    assert folded(text) == X + "%1: vertex[3,2] = reshape(%0) shape=(3,2)\nreturn out=%1\n"


def test_an_expanded_operand_is_used_as_it_was() -> None:
    check(
        fold_constants,
        "%4: vertex[2,3] = expand(%1) shape=(2,3)\n%5: vertex[2,3] = mul(%0, %4)\nreturn out=%5",
        "%4: vertex[2,3] = expand(%1) shape=(2,3)\n%5: vertex[2,3] = mul(%0, %1)\nreturn out=%5",
    )


def test_a_value_that_would_get_narrower_stays() -> None:
    check_unchanged(
        fold_constants,
        """
        %4: param[] = constant() value=0.0
        %5: param[3] = expand(%4) shape=(3)
        %6: vertex[2,3] = add(%1, %5)
        return out=%6
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "%4: param[] = constant() value=0.0\n%5: vertex[2,3] = where(%4, %0, %4)\nreturn out=%5",
        "%4: vertex[2,3] = expand(%1) shape=(2,3)\n%5: vertex[2,3] = exp(%4)\nreturn out=%5",
        "%4: vertex[2,3] = expand(%1) shape=(2,3)\n%5: vertex[2,3] = add(%4, %1)\nreturn out=%5",
        # left to run time
        "%4: param[] = constant() value=0.0\n%5: vertex[2,3] = div(%0, %4)\nreturn out=%5",
        "%4: param[] = constant() value=-1.0\n%5: param[] = log(%4)\n%6: vertex[2,3] = add(%0, %5)\nreturn out=%6",
        "%4: param[] = constant() value=0.0\n%5: vertex[2,3] = mul(%0, %4)\nreturn out=%5",
        "%4: vertex[2,3] = dropout(%0) p=0.5 stream=0\nreturn out=%4",
    ],
)
def test_what_would_change_a_type_or_a_number_stays(text: str) -> None:
    check_unchanged(fold_constants, text)

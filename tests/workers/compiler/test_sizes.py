"""Declared shapes: what they come to, and how unreadable ones are refused."""

from __future__ import annotations

import pytest

from workers.compiler.faults import LanguageError
from workers.compiler.sizes import Shape

BOUND = {"in": 6, "heads": 2, "out": 4}


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("", ()),
        ("  ", ()),
        ("1", (1,)),
        ("in", (6,)),
        ("in, heads * out", (6, 8)),
        ("heads,out", (2, 4)),
        ("in // heads + 1", (4,)),
        ("(in + out) * heads - 1", (19,)),
        ("in - heads - 1", (3,)),
        ("in // heads // 3", (1,)),
    ],
)
def test_shapes_come_to_sizes(text: str, sizes: tuple[int, ...]) -> None:
    assert Shape(text).sizes(BOUND) == sizes


@pytest.mark.parametrize(
    "text", ["in,", ",", "in in", "2 +", "* 2", "(in", "in)", "in / 2", "in ** 2", "-1", "a.b", "3 // 0", "é"]
)
def test_unreadable_shapes_are_refused(text: str) -> None:
    with pytest.raises(LanguageError, match="cannot read the shape"):
        Shape(text).sizes(BOUND)


@pytest.mark.parametrize("text", ["in - 6", "heads - in", "in * 99999999", "999999999999999999999"])
def test_sizes_stay_in_bounds(text: str) -> None:
    with pytest.raises(LanguageError, match="a size of"):
        Shape(text).sizes(BOUND)


@pytest.mark.parametrize("given", [{}, {"k": "3"}, {"k": 3.0}, {"k": True}])
def test_names_must_be_whole_numbers(given: dict[str, object]) -> None:
    with pytest.raises(LanguageError, match="size 'k' of the shape 'k'"):
        Shape("k").sizes(given)


def test_names_are_found_without_binding() -> None:
    assert Shape("in, heads * (out + 1)").names() == {"in", "heads", "out"}

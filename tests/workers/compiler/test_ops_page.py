"""The page of operations says what the table says, and its examples are programs."""

from __future__ import annotations

import pytest

from tests.workers.compiler.programs import written
from workers.compiler.functions import BUILTINS
from workers.compiler.functions import FUNCTIONS as CALLABLE
from workers.compiler.ops import OPS
from workers.compiler.ops_page import EXAMPLES, FUNCTIONS, PAGE, SIGNATURE, TYPED_FUNCTIONS, WORDS, page
from workers.compiler.parse import parse_program


def test_the_page_is_the_one_the_table_gives() -> None:
    assert PAGE.read_text() == page(), "run: python -m workers.compiler.ops_page"


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_an_op_uses_it(name: str) -> None:
    assert name in {v.op for v in parse_program(written(f"return {EXAMPLES[name]}", SIGNATURE)).values}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_example_of_a_function_is_a_program_that_calls_it(name: str) -> None:
    example = FUNCTIONS[name][1]
    assert f"{name}(" in example or name == "W[kind]"
    assert parse_program(written(f"return {example}", SIGNATURE)).outputs


@pytest.mark.parametrize("name", TYPED_FUNCTIONS)
def test_an_example_over_relations_is_a_program_that_calls_it(name: str) -> None:
    example = TYPED_FUNCTIONS[name][1]
    text = written(f"return {example}", 'v: TypedVertex(h="in")')
    assert f"{name}(" in example
    assert parse_program(text, {"in": 3}, relations=True).outputs


def test_every_op_users_may_write_and_every_function_has_an_example() -> None:
    assert {op.name for op in OPS.values() if op.public} <= EXAMPLES.keys()
    called = {text.split("(")[0] for text in EXAMPLES.values()}
    assert {*CALLABLE, *BUILTINS} <= called | FUNCTIONS.keys() | TYPED_FUNCTIONS.keys()


@pytest.mark.parametrize("word", WORDS)
def test_an_example_of_a_word_is_a_program_that_says_it(word: str) -> None:
    example = WORDS[word][1]
    assert word in example
    assert parse_program(written(f"return {example}", SIGNATURE)).outputs


@pytest.mark.parametrize("name", OPS)
def test_every_op_says_which_rows_and_shapes_it_takes(name: str) -> None:
    assert OPS[name].rule.endswith(".")

"""Functions called by a program: in its text, in Python, from lambdas, closures and other vertex programs."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.programs import Source
from workers.compiler.codegen import reference
from workers.compiler.faults import LanguageError
from workers.compiler.ir import Program
from workers.compiler.language import Param, Vertex, mean, relu
from workers.compiler.parse import parse_program
from workers.compiler.trace import vertex_program
from workers.core.problems import DocumentError

PROGRAM = 'def f(v: Vertex(h="2"), W: Param("2, 2")):\n'


def total(values):  # type: ignore[no-untyped-def]
    """Uses Python's own name for a sum, in another module than the program's maker."""
    return sum(values)


@vertex_program
def inner(v: Vertex(h="k"), W: Param("k, k"), *, twice=False):  # type: ignore[no-untyped-def, valid-type]
    v.z = v.h @ W
    found = sum(nb.z for nb in v.innbs)
    return 2 * found if twice else found


def same(a: Program, b: Program) -> bool:
    return a.values == b.values and a.outputs == b.outputs


def direct(body: str, shape: str = "2, 2") -> Program:
    return parse_program(f'def f(v: Vertex(h="2"), W: Param("{shape}")):\n    {body}\n')


def test_a_function_of_the_module_gets_our_sum_too() -> None:
    @vertex_program
    def f(v: Vertex(h="2"), W: Param("2, 2")):  # type: ignore[no-untyped-def, valid-type]
        return total(nb.h for nb in v.innbs) @ W

    assert same(f.trace(), direct("return sum(nb.h for nb in v.innbs) @ W"))


def test_closures_and_lambdas_get_it_too() -> None:
    def scaled(values: object, by: float):  # type: ignore[no-untyped-def]
        return by * max(values)  # type: ignore[call-overload]

    bend = lambda x: relu(x + 1)  # noqa: E731

    @vertex_program
    def f(v: Vertex(h="2"), W: Param("2, 2")):  # type: ignore[no-untyped-def, valid-type]
        return bend(scaled([nb.h for nb in v.innbs], 3.0)) @ W

    assert same(f.trace(), direct("return relu(3.0 * max([nb.h for nb in v.innbs]) + 1) @ W"))


def test_a_vertex_program_is_called_inside_another() -> None:
    @vertex_program
    def f(v: Vertex(h="2"), W: Param("2, 2")):  # type: ignore[no-untyped-def, valid-type]
        v.h = inner(v, W)
        return inner(v, W, twice=True)

    lines = (
        "v.z = v.h @ W",
        "v.h = sum(nb.z for nb in v.innbs)",
        "v.z = v.h @ W",
        "return 2 * sum(nb.z for nb in v.innbs)",
    )
    assert same(f.trace(), direct("\n    ".join(lines)))
    with pytest.raises(TypeError, match="compile it, or call it with v"):
        inner(torch.ones(2, 2), None)


def test_a_lambda_is_a_vertex_program_with_its_declarations_beside_it() -> None:
    f = vertex_program(lambda v, W: mean(nb.h for nb in v.innbs) @ W, v=Vertex(h="2"), W=Param("2, 2"))
    assert same(f.trace(), direct("return mean(nb.h for nb in v.innbs) @ W"))


def test_a_function_is_read_in_the_text_as_it_runs_in_python() -> None:
    text = "def twice(x):\n    return x + x\n\n\n" + PROGRAM + "    return twice(twice(v.h)) @ W\n"
    assert parse_program(text) == Source(text).function().trace()
    assert same(parse_program(text), direct("a = v.h + v.h\n    return (a + a) @ W"))


def test_values_inside_a_function_stand_at_its_own_lines() -> None:
    text = "def twice(x):\n    return x + x\n" + PROGRAM + "    return twice(v.h)\n"
    spans = [v.span.line for v in parse_program(text).values if v.op == "add" and v.span]
    assert spans == [2]


WRONG = {
    "def g(x):\n    return x.z\n": ("g(v)", 2, "vertices have no feature 'z'"),
    "def g(x):\n    y = x\n": ("g(v.h)", 4, "g returns nothing"),
    "def g(x):\n    return W\n": ("g(v.h)", 2, "nothing is called 'W' here"),
    "def g(x):\n    return g(x)\n": ("g(v.h)", 2, "g calls itself without end"),
    "def g(x, *, k):\n    return x\n": ("g(v.h)", 4, "k is missing"),
    "def g(x, y):\n    return x\n": ("g(v.h)", 4, "y is missing"),
    "def g(a):\n    return a\n": ("g(v.h, 1)", 4, "it takes 1 values, got 2"),
    "def g(b):\n    return b\n": ("g(v.h, c=1)", 4, "c is given twice or has no place"),
    "def h(x):\n    return x\n": ("g(v.h)", 4, "there is no function 'g'"),
    "def g(x):\n    while x:\n        pass\n": ("g(v.h)", 2, "`while` loops"),
}


@pytest.mark.parametrize("helper", WRONG)
def test_a_mistake_in_or_at_a_function_is_told_once_at_its_line(helper: str) -> None:
    call, line, message = WRONG[helper]
    with pytest.raises(DocumentError) as caught:
        parse_program(f"{helper}{PROGRAM}    return {call}\n")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.line == line


def test_a_mistake_in_a_called_python_function_is_placed_there() -> None:
    text = "def g(x):\n    return x.z\n" + PROGRAM + "    return g(v)\n"
    with pytest.raises(LanguageError, match="no feature 'z'") as caught:
        Source(text).function().trace()
    assert caught.value.span
    assert caught.value.span.line == 2


def test_torch_and_numpy_functions_are_named_with_the_users_line() -> None:
    for body, message in (
        ("return torch.relu(v.h)", "torch's relu does not know values"),
        ("return numpy.exp(v.h)", "cannot be computed: .*ufunc"),
        ("return v.h + torch.ones(2)", "a tensor cannot be computed with Declare it as a Param"),
    ):
        names: dict[str, object] = {"Vertex": Vertex}
        exec(f'import torch, numpy\ndef f(v: Vertex(h="2")):\n    {body}\n', names)
        function = names["f"]
        assert callable(function)
        with pytest.raises(LanguageError, match=message) as caught:
            vertex_program(function).trace()
        assert caught.value.span
        assert caught.value.span.line == 3


def test_numbers_of_numpy_are_constants() -> None:
    names: dict[str, object] = {"Vertex": Vertex}
    exec('import numpy\ndef f(v: Vertex(h="2")):\n    return numpy.float32(0.5) * v.h + numpy.int64(2)\n', names)
    function = names["f"]
    assert callable(function)
    program = vertex_program(function).trace()
    inputs = random_inputs(program, SQUARE["path"])
    found = reference.run(program, inputs, SQUARE["path"])["out"]
    torch.testing.assert_close(found, 0.5 * inputs["h"] + 2)

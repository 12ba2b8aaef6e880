"""What the author of a wrong program is told: place, what is wrong, and what to write instead."""

from __future__ import annotations

import contextlib
import random

import pytest

from tests.workers.compiler.programs import PROGRAMS, Source, written
from workers.compiler.faults import LanguageError
from workers.compiler.parse import parse_program, program_signature
from workers.compiler.verify import verify
from workers.core.problems import DocumentError, Problem


def problems(text: str, **bindings: float) -> tuple[Problem, ...]:
    with pytest.raises(DocumentError) as caught:
        parse_program(text, bindings, pointer="/programs/0/source")
    return caught.value.problems


# body -> line and column in the body, part of the message, part of the hint
WRONG: dict[str, tuple[int, int, str, str]] = {
    "while True:\n    pass\nreturn v.h": (1, 1, "`while` loops", "for _ in range(n)"),
    "def g(u):\n    return u\nreturn v.h": (1, 1, "functions inside", "above the program"),
    "import os\nreturn v.h": (1, 1, "imports inside", "without importing"),
    "return (lambda x: x)(v.h)": (1, 8, "only the functions of the language", "There are"),
    "return v.h[0]": (1, 8, "subscripts", "columns(x, start, stop)"),
    "return [v.h, v.h]": (1, 8, "list displays", "concat"),
    "return {1: 2}": (1, 8, "dictionaries", "names"),
    "return f'{v}'": (1, 8, "f-strings", ""),
    "try:\n    x = 1\nfinally:\n    pass\nreturn v.h": (1, 1, "`try`", "where()"),
    "for nb in v.innbs:\n    x = nb.h\nreturn x": (1, 1, "fixed number of times", "sum(... for nb in v.innbs)"),
    "for i in range(10 ** 6):\n    x = v.h\nreturn x": (1, 16, "rounds are too many", "At most"),
    "for i in range(v.n):\n    x = v.h\nreturn x": (1, 16, "whole constants", "range(hops)"),
    "if v.n > 0:\n    return v.h\nreturn v.n": (1, 4, "cannot decide an `if`", "where(condition, a, b)"),
    "return v.h if v.n else v.n": (1, 15, "cannot decide an `if`", "where(condition, a, b)"),
    "return 0 < v.n < 1": (1, 8, "single comparisons", "Multiply"),
    "return v.g": (1, 8, "vertices have no feature 'g'", "Known: h, n."),
    "return sum(e.h for e in v.inedges)": (1, 12, "edges have no feature 'h'", "e.src.h"),
    "return sum(e.g for e in v.inedges)": (1, 12, "edges have no feature 'g'", "Known: w."),
    "return sum(nb.w for nb in v.innbs)": (1, 12, "vertices have no feature 'w'", "e.w for e in v.inedges"),
    "return u.h": (1, 8, "nothing is called 'u' here", "Known: W, v."),
    "return mish(v.h)": (1, 8, "no function 'mish'", "relu"),
    "return v.h.sum()": (1, 8, "only the functions of the language", ""),
    "return v._sketch": (1, 8, "._sketch does not exist", ""),
    "return v.__class__": (1, 8, ".__class__ does not exist", ""),
    "return relu": (1, 8, "relu is a function", "Call it"),
    "return relu()": (1, 8, "relu cannot be called like this", ""),
    "return relu(v.h, 1, 2)": (1, 8, "relu cannot be called like this", ""),
    "return sum(nb.h for nb in v.innbs if nb.n)": (1, 38, "comprehensions take no `if`", "where("),
    "return sum(a.h + b.h for a in v.innbs for b in v.innbs)": (1, 11, "one `for`", ""),
    "return sum(sum(m.h for m in v.innbs) for nb in v.innbs)": (1, 29, "inside one another", "inner loop first"),
    "return sum(sum(m.h for m in nb.innbs) for nb in v.innbs)": (1, 29, "neighbours of neighbours", "v.innbs"),
    "return sum(nb.h + mb.h for nb, mb in zip(v.innbs, v.outnbs))": (1, 51, "inside one another", ""),
    "return sum(a + mb.h for a, mb in zip([nb.h for nb in v.innbs], v.outnbs))": (
        1,
        12,
        "different edges",
        "each side",
    ),
    "return sum(1 for nb in v.innbs)": (1, 8, "do not depend on the neighbour", "v.degree"),
    "return sum(v.h for nb in v.innbs)": (1, 8, "do not depend on the neighbour", "v.degree"),
    "return sum(v.innbs)": (1, 8, "sum of the neighbours themselves", "sum(nb.h for nb in v.innbs)"),
    "return [nb.h for nb in v.innbs]": (1, 1, "the result is a list", "Aggregate"),
    "return W": (1, 1, "does not depend on the vertex", "value of v"),
    "v.z = [nb.h for nb in v.innbs]\nreturn v.z": (1, 1, "v.z is a list", "Aggregate"),
    "x = [nb.h for nb in v.innbs] * 2\nreturn v.h": (1, 5, "takes no operators", "comprehension"),
    "x = softmax(v.h)\nreturn v.h": (1, 5, "softmax is over a list", "for nb in v.innbs"),
    "g = (nb.h for nb in v.innbs)\nreturn sum(g) + max(g)": (2, 17, "a generator gives its values once", "list"),
    "return sum(nb.h * e.w for nb, e in zip(v.innbs, v.inedges))": (1, 49, "inside one another", ""),
    "return sum(e.src.h @ W[e.w] for e in v.inedges)": (1, 12, "must be a parameter", "dot(a, b)"),
    "return v.h @ W[v.h]": (1, 14, "a type is one number", "Edge(kind="),
    "return v.h[v.n]": (1, 8, "only a parameter with an axis of types", "types, in, out"),
    "return v.h @ W[0]": (1, 14, "subscripts", "W[e.kind]"),
    "v.degree = v.n\nreturn v.h": (1, 1, "a word of the language", "another name"),
    "return sum(nb.h @ nb.h for nb in v.innbs)": (1, 12, "must be a parameter", "dot(a, b)"),
    "return v.n @ W": (1, 8, "expects width 3, got vertex[]", ""),
    "return v.h + v.h @ W": (1, 8, "[3] and [4] do not line up", "last sizes"),
    "return reshape(v.h, 2, -1)": (1, 8, "3 numbers a row cannot be viewed as [2, 1]", ""),
    "return reshape(v.h, v.n)": (1, 8, "whole numbers", "reshape(x, heads, -1)"),
    "return v.h ** 5": (1, 8, "only the powers", "exp"),
    "return dropout(v.h, 1.5)": (1, 8, "p must be a constant between 0 and 1", ""),
    "return dropout(v.h, 1)": (1, 8, "p must be below 1", ""),
    "return exp(2)": (1, 8, "exp needs a computed value", ""),
    "return 'a' + v.h": (1, 8, "operators take numbers", "v.h"),
    "return v.h * 2 ** 99": (1, 14, "constant powers go up to 64", ""),
    "return v.h * 9 ** 60": (1, 14, "up to 2^53", ""),
    "return v.h * 1e300": (1, 14, "2^53", ""),
    "return v.h * float('nan')": (1, 14, "2^53", ""),
    "return v.h * (1 / 0)": (1, 15, "division by zero", ""),
    "return v.h * (-8) ** 0.5": (1, 14, "no real number", ""),
    "return v.h * None": (1, 14, "are constants", ""),
    "a, b = v.h\nreturn a": (1, 1, "2 names cannot be set", "as many values"),
    "v.h\nreturn v.h": (1, 1, "not used", "Assign it"),
    "return": (1, 1, "nothing is returned", "new value"),
    "x = v.h": (0, 1, "nothing is returned", "return"),
    "nb = 1\nreturn nb.h": (2, 8, ".h does not exist here", "from v"),
    "return sum(nb.h for nb in v.h)": (1, 27, "runs over neighbours", "[nb.h for nb in v.innbs]"),
    "return sum(nb for nb in v.innbs)": (1, 12, "a neighbour itself cannot be computed with", "v.h"),
}


@pytest.mark.parametrize("body", WRONG)
def test_a_problem_has_its_place_and_a_remedy(body: str) -> None:
    line, column, message, hint = WRONG[body]
    found = problems(written(body))
    assert len(found) == 1, found
    (problem,) = found
    assert message in problem.message
    assert hint in problem.hint
    inner = 4 if line else 0
    assert (problem.line, problem.column) == (line + 1, column + inner)
    assert problem.pointer == "/programs/0/source"
    assert problem.code.startswith("program.")


def test_columns_count_characters_in_texts_with_greek_letters() -> None:
    (problem,) = problems('def f(v: Vertex(h="2")):\r\n    "αβγ"; ε = 0.1\r\n    return v.h * ε + v.ζ\r\n')
    assert (problem.line, problem.column) == (3, 22)
    assert "'ζ'" in problem.message


def test_every_mistake_is_told_once_and_what_rests_on_it_is_not() -> None:
    body = "v.z = v.g * 2\ny = v.z + 1\nx = relu(v.q)\nreturn y + sum(nb.z for nb in v.innbs) + x"
    found = problems(written(body))
    assert [(p.line, p.message) for p in found] == [
        (2, "vertices have no feature 'g'"),
        (4, "vertices have no feature 'q'"),
    ]


WRONG_SIGNATURES: dict[str, tuple[str, str]] = {
    "def f():\n    return 1": ("takes no vertex", "v: Vertex"),
    "def f(v):\n    return v.h": ("must declare its features", 'v: Vertex(h="in"'),
    'def f(v: Vertex(h="2"), W):\n    return v.h': ("'W' must declare its shape", 'W: Param("in, out")'),
    'def f(v: Vertex(h="2"), W: Param(3)):\n    return v.h': ("written as text", "heads * out"),
    'def f(v: Vertex(h="2"), W: Param("3", init="magic")):\n    return v.h': ("'magic' is no way to start", "zeros"),
    'def f(v: Vertex(h="2 +")):\n    return v.h': ("cannot read the shape '2 +'", "heads * out"),
    'def f(v: Vertex(h="0")):\n    return v.h': ("is 0", "between 1"),
    'def f(v: Vertex(h="99999999")):\n    return v.h': ("is 99999999", "between 1"),
    'def f(v: Vertex(h="2"), h: Param("")):\n    return v.h': ("'h' is declared twice", "own name"),
    'def f(v: Vertex(degree="2")):\n    return v.h': ("'degree' is a word", "another name"),
    'def f(v: Vertex(h="2", edges=3)):\n    return v.h': ("declared by Edge", "Edge(w="),
    'def f(v: Vertex(h="2"), *a):\n    return v.h': ("only plain parameters", "(v, W, *, p=0.5)"),
    'def f(v: Vertex(h="2"), *, p=[1]):\n    return v.h': ("a default must be", ""),
    'def f(v: Vertex(h="k")):\n    return v.h': ("needs a value for k", "when compiling"),
    'def f(v: Vertex(h="2"), *, p):\n    return v.h': ("needs a value for p", "when compiling"),
    'def g(*a):\n    return a\ndef f(v: Vertex(h="2")):\n    return v.h': (
        "a function takes plain parameters",
        "def name",
    ),
    'def g(x, p=[1]):\n    return x\ndef f(v: Vertex(h="2")):\n    return v.h': ("a default must be", ""),
    "x = 1": ("only functions", "Move everything"),
    "": ("there is no function", "def name"),
    "def f(v:": ("not Python", "brackets"),
    "def f(v: Vertex()):\n\treturn 1\n        return 2": ("not Python", ""),
    "import os\ndef f(v: Vertex(h='2')):\n    return v.h": ("only functions", ""),
    "@cache\ndef f(v: Vertex(h='2')):\n    return v.h": ("only decorator", "Leave it out"),
    "async def f(v: Vertex(h='2')):\n    return v.h": ("only functions", ""),
    "a\x00b": ("not Python", ""),
}


@pytest.mark.parametrize("text", WRONG_SIGNATURES)
def test_a_wrong_signature_is_explained(text: str) -> None:
    message, hint = WRONG_SIGNATURES[text]
    (problem,) = problems(text)
    assert message in problem.message
    assert hint in problem.hint
    assert problem.line is not None


def test_a_name_that_is_not_declared_cannot_be_bound() -> None:
    (problem,) = problems('def f(v: Vertex(h="k"), *, p=1):\n    return v.h', k=2, q=1)
    assert "no size or constant named 'q'" in problem.message
    assert "['k', 'p']" in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        written("return " + "-" * 15_000 + "v.h"),
        written("return " + "(" * 9_000 + "v.h" + ")" * 9_000),
        written("return " + "+".join(["v.h"] * 4_000)),
        written("x = v.h\n" + "x = x + 1\n" * 3_000 + "return x"),
        written("x = v.h\nfor i in range(999):\n  for j in range(999):\n    x = x + 1\nreturn x"),
        "#" * 30_000,
    ],
    ids=["signs", "brackets", "sums", "lines", "loops", "characters"],
)
def test_texts_that_are_too_large_are_refused_quickly(text: str) -> None:
    assert problems(text)[0].code in ("program.limit", "program.syntax")


TOKENS = (
    *(
        "v",
        "nb",
        "W",
        "sum(",
        "softmax(",
        "zip(",
        "max(",
        "reshape(",
        "where(",
        "len(",
        "int(",
        ".h",
        "e.src",
        "v.innbs",
    ),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "+",
        "*",
        "**",
        "@",
        "%",
        "~",
        "<<",
        "==",
        "=",
        ",",
        ":",
        "_",
        "\n    ",
        "v.inedges",
    ),
    *(
        "if ",
        "for ",
        " in ",
        "not ",
        "is ",
        "lambda ",
        "yield ",
        "return ",
        "range(9)",
        "1e999",
        "10**9",
        "-1",
        "None",
        "'a'",
    ),
)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_texts_are_read_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        source = chance.choice(list(PROGRAMS.values()))
        at, cut = chance.randrange(len(source.text)), chance.choice([0, 0, 1, 8])
        text = source.text[:at] + chance.choice(TOKENS) + source.text[at + cut :]
        with contextlib.suppress(DocumentError):
            verify(parse_program(text, source.bindings))


def test_the_signature_is_read_without_binding_anything() -> None:
    text = (
        'def f(v: Vertex(h="in", edges=Edge(w="k // 2")), W: Param("in, heads * (out + 1)"), '
        'b: Param("out", init="ones"), *, heads=2, name="x", p):\n    "Doc."\n'
    )
    signature = program_signature(text)
    assert signature.sizes == ("in", "k", "out")
    assert [(p.name, p.shape.text, p.init) for p in signature.parameters] == [
        ("W", "in, heads * (out + 1)", "glorot_uniform"),
        ("b", "out", "ones"),
    ]
    assert [(c.name, c.default) for c in signature.constants] == [("heads", 2), ("name", "x"), ("p", None)]
    assert signature.parameters[0].shape.sizes({"in": 3, "heads": 2, "out": 4}) == (3, 10)
    assert signature.doc == "Doc."


# What only tracing can meet, or meets elsewhere: no text is wrong, a value is used as Python would not see.
TRACED: dict[str, str] = {
    "if v.n > 0:\n    return v.h\nreturn v.n": "cannot decide an `if`",
    "return sum(1 for nb in v.innbs)": "do not depend on the neighbour",
    "return sum([1 for nb in v.innbs])": "do not depend on the neighbour",
    "return v.n * len([1 for nb in v.innbs])": "do not depend on the neighbour",
    "return max(1 for nb in v.innbs)": "do not depend on the neighbour",
    "return sum(v.innbs)": "sum of the neighbours themselves",
    "return sum(sum(m.h for m in v.innbs) for nb in v.innbs)": "inside one another",
    "return v.h[0]": "take no subscripts",
    "return 1 in v.h": "values have no members",
    "a, b = v.h\nreturn a": "cannot be iterated",
    "return v.innbs[0].h": "neighbours have no order",
    "return v.h if v.innbs else v.n": "differs from vertex to vertex",
    "return len(v.h)": "has no length",
    "return float(v.n)": "is no constant",
    "x = v.h\nfor nb in v.innbs:\n    x = x + nb.h\nreturn x": "the result is an in-edge's value",
    "for nb in v.innbs:\n    nb.z = v.h\nreturn v.h": "nb.z cannot be assigned",
    "return softmax([nb.n for nb in v.innbs]) * v.h": "takes no operators",
    "return v.g": "no feature 'g'",
    "g = (nb.h for nb in v.innbs)\nreturn sum(g) + max(g)": "a generator gives its values once",
    "g = (nb.h for nb in v.innbs)\nx = sum(g)\nreturn x + sum(a * a for a in g)": "a generator gives its values once",
    "return sum(nb.h * i for i, nb in enumerate(v.innbs))": "enumerate of neighbours",
    "return sorted([nb.h for nb in v.innbs])[0]": "sorted of neighbours",
    "return v.h in v.innbs": "neighbours have no order",
    "return v.h.relu()": "a computed value has no .relu",
    "return v.h[v.n]": "only a parameter with an axis of types",
    "return v.h @ W + 'a'": "cannot be computed with",
    "return v.h + v": "the vertex itself cannot be computed with",
    "return relu(v.h, slope=2)": "cannot be computed: .*unexpected keyword",
}


@pytest.mark.parametrize("body", TRACED)
def test_tracing_refuses_what_it_cannot_mean_and_points_at_the_line(body: str) -> None:
    with pytest.raises(LanguageError, match=TRACED[body].replace("[", r"\[")) as caught:
        Source(written(body)).function().trace()
    assert caught.value.span is not None
    assert caught.value.span.line >= (2 if "result" not in TRACED[body] else 1)

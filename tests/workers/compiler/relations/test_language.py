"""Problems of programs over relations are told with line, column and what to write instead."""

from __future__ import annotations

import pytest

from workers.compiler.faults import LanguageError
from workers.compiler.language import Param, TypedVertex, mean, vertex_program
from workers.compiler.parse import parse_program
from workers.compiler.signature import Param as Declared
from workers.compiler.text import print_ir
from workers.core.problems import DocumentError

HEAD = 'def f(v: TypedVertex(h="2"), W: Param("relations, 2, 2"), T: Param("types, 2, 2"), c: Param("relations, 2")):\n'

WRONG: dict[str, tuple[str, str, int]] = {
    "a table that is not looked up": ("return v.h @ W", "cannot be multiplied", 12),
    "a table in arithmetic": ("return v.h + c", "every relation or type has its own", 12),
    "a relation looked up by a type": ("return v.h @ W[v.type]", "only a parameter of types is looked up", 18),
    "a type looked up by a relation": (
        "return sum(sum(nb.h @ T[r] for nb in r.innbs) for r in v.relations)",
        "only a parameter of relations is looked up",
        27,
    ),
    "a list of neighbours left inside": (
        "return sum(v.h for r in v.relations)",
        "the entries do not depend on the neighbour",
        12,
    ),
    "entries of the relation over its neighbours": (
        "return sum(sum(v.h @ W[r] for nb in r.innbs) for r in v.relations)",
        "the entries do not depend on the neighbour",
        16,
    ),
    "all neighbours inside a relation": (
        "return sum(sum(nb.h for nb in v.innbs) for r in v.relations)",
        "cannot be iterated inside one another",
        35,
    ),
    "relations inside relations": (
        "return sum(sum(r.degree for q in v.relations) for r in v.relations)",
        "relations cannot be iterated inside one another",
        38,
    ),
    "a value of relations returned": ("x = [r.degree for r in v.relations]\n    return x", "is a list", 5),
    "something a relation does not have": ("return sum(r.h for r in v.relations)", "a relation has no 'h'", 16),
    "arithmetic with a relation": ("return sum(r * 2 for r in v.relations)", "operators take numbers", 16),
    "the other end's matrix": (
        "return sum(e.src.h @ T[e.dst.type] for e in v.inedges)",
        "cannot be multiplied by a parameter of v's type",
        16,
    ),
    "a mean over all vertices of what is v's": (
        "return v.h * mean_everywhere(v.h)",
        "mean_everywhere is of a value of v in a relation, not a value of v",
        18,
    ),
    "shares of vertices": (
        "return sum(softmax_everywhere([r.degree for r in v.relations]))",
        "softmax_everywhere is of values of relations, not a value of v in a relation",
        16,
    ),
    "assigning a word": ("v.type = v.h\n    return v.h", "'type' is a word of the language", 5),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_problem_says_where_and_what(name: str) -> None:
    body, message, column = WRONG[name]
    with pytest.raises(DocumentError) as caught:
        parse_program(f"{HEAD}    {body}\n", relations=True)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.hint
    assert (problem.line or 0) >= 2
    assert problem.column == column


def test_without_relations_at_hand_the_vertex_is_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_program(f"{HEAD}    return v.h\n")
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("program.relations", 1, 7)


def test_the_words_are_free_in_other_programs() -> None:
    program = parse_program('def f(v: Vertex(type=""), W: Param("types, 2"), *, types=3):\n    return W[v.type]\n')
    assert program.leaves("input").keys() == {"type"}


def test_a_python_function_gives_the_same_program() -> None:
    def f(v, W, *, out=2):  # type: ignore[no-untyped-def]
        return sum(mean(nb.h @ W[r] for nb in r.innbs) for r in v.relations)

    traced = vertex_program(f, v=TypedVertex(h="in"), W=Param("relations, in, out")).trace({"in": 2})
    text = """
def f(v: TypedVertex(h="in"), W: Param("relations, in, out"), *, out=2):
    return sum(mean(nb.h @ W[r] for nb in r.innbs) for r in v.relations)
"""
    assert print_ir(traced) == print_ir(parse_program(text, {"in": 2}, relations=True))


def test_traced_programs_tell_the_same_problems() -> None:
    inside = vertex_program(
        lambda v, W: sum([sum([v.h @ W[r] for _ in r.innbs]) for r in v.relations]),
        v=TypedVertex(h="2"),
        W=Declared("relations, 2, 2"),
    )
    with pytest.raises(LanguageError, match="do not depend on the neighbour"):
        inside.trace()

"""The verifier: legal programs pass untouched, and each rule catches its breach and shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.compiler.cases import CASES, program
from tests.workers.compiler.relations import cases as of_relations
from workers.compiler.ir import Attr, Domain, Program, Span, Type, Value
from workers.compiler.ops import OPS
from workers.compiler.text import parse_ir
from workers.compiler.verify import RULES, IllegalProgram, verify


@pytest.mark.parametrize("name", CASES)
def test_every_op_in_use_is_legal(name: str) -> None:
    p = program(name)
    assert verify(p) is p


def test_every_op_of_the_table_is_in_a_case() -> None:
    plain = [program(name) for name in CASES]
    assert set(OPS) <= {v.op for p in (*plain, *map(of_relations.program, of_relations.CASES)) for v in p.values}


LEGAL = parse_ir(
    'program p\n%0: vertex[2] = input() name="x"\n%1: edge[2] = gather_src(%0)\n%2: param[2] = param() name="w"\n'
    '%3: edge[2] = dropout(%1) p=0.5 stream=0\n%4: vertex[2] = sum_edges(%3) side="dst" to="vertex"\nreturn out=%4'
)


def broken(
    i: int, *, op: str = "", args: tuple[int, ...] | None = None, kind: Type | None = None, **attrs: Attr
) -> Program:
    """LEGAL with one value changed."""
    old = LEGAL[i]
    new = replace(
        old,
        op=op or old.op,
        args=old.args if args is None else args,
        type=kind or old.type,
        attrs=tuple(sorted((dict(old.attrs) | attrs).items())),
    )
    return replace(LEGAL, values=(*LEGAL.values[:i], new, *LEGAL.values[i + 1 :]))


VERTEX, EDGE = Type(Domain.VERTEX, (2,)), Type(Domain.EDGE, (2,))
BROKEN: dict[str, tuple[Program, str]] = {
    "an unknown op": (broken(1, op="teleport"), "no op is called 'teleport'"),
    "an operand from later on": (broken(1, args=(3,)), "%3 is not computed before"),
    "too many operands": (broken(1, args=(0, 0)), "takes 1 operands, got 2"),
    "a missing attribute": (broken(1, op="leaky_relu", args=(0,)), r"missing \['slope'\]"),
    "an attribute too many": (broken(1, slope=0.2), r"unknown \['slope'\]"),
    "an attribute of the wrong type": (broken(3, p="half"), "p cannot be 'half'"),
    "a truth where a number is wanted": (broken(3, stream=True), "stream cannot be True"),
    "a wrong type": (broken(1, kind=VERTEX), r"its type should be edge\[2\]"),
    "operands that do not go together": (broken(3, op="add", args=(0, 1)), "breaks"),
    "a parameter with rows": (broken(2, kind=VERTEX, domain="vertex"), "a parameter has no rows"),
    "an aggregation to the other side": (broken(4, to="src", kind=Type(Domain.SRC, (2,))), "breaks vertex sets"),
    "an unknown side": (broken(4, side="left"), "'left' do not end at 'vertex'"),
    "everything dropped": (broken(3, p=1.0), "below 1, got 1.0"),
    "a sum over the rows of a parameter": (
        parse_ir('program p\n%0: param[2] = param() name="w"\n%1: param[2] = sum_rows(%0)\nreturn out=%1'),
        "no rows to sum",
    ),
    "rows that do not pair up": (
        parse_ir(
            'program p\n%0: vertex[2] = input() name="x"\n%1: edge[2] = gather_src(%0)\n'
            "%2: param[2,2] = weight_grad(%0, %1)\nreturn out=%2"
        ),
        "do not pair up",
    ),
    "source rows in a square program": (
        parse_ir('program p\n%0: src[2] = input() name="x"\nreturn out=%0'),
        "do not exist in a square program",
    ),
    "vertex rows in a bipartite program": (
        parse_ir('bipartite program p\n%0: vertex[2] = input() name="x"\nreturn out=%0'),
        "in a bipartite program",
    ),
    "a name given twice": (
        parse_ir('program p\n%0: vertex[] = input() name="x"\n%1: vertex[] = input() name="x"\nreturn out=%1'),
        r"more than one leaf named \['x'\]",
    ),
    "a result twice": (replace(LEGAL, outputs=(("out", 4), ("out", 4))), "more than one result"),
    "a result that is not there": (replace(LEGAL, outputs=(("out", 9),)), "%9, which does not exist"),
    "a value out of place": (replace(LEGAL, values=LEGAL.values[1:]), "calls itself %1"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_program_is_refused(what: str) -> None:
    wrong, message = BROKEN[what]
    with pytest.raises(IllegalProgram, match=message):
        verify(wrong)


def test_the_message_shows_the_operands_and_the_users_line() -> None:
    value = Value(1, "relu", (0,), (), EDGE, Span(7, 3))
    wrong = Program("p", (LEGAL[0], value), (("out", 1),))
    with pytest.raises(IllegalProgram) as caught:
        verify(wrong)
    assert str(caught.value) == (
        "'p' breaks types: its type should be vertex[2]\n"
        '  %0: vertex[2] = input() name="x"\n'
        "  %1: edge[2] = relu(%0) (line 7)"
    )


def test_rules_have_names_of_their_own() -> None:
    assert len({r.name for r in RULES}) == len(RULES)

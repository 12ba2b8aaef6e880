"""Tracing and parsing: the same text gives the same IR, at the same places of the text."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.programs import PROGRAMS, Source, written
from workers.compiler.ir import Domain
from workers.compiler.parse import parse_program, program_signature
from workers.compiler.passes import run_pipeline
from workers.compiler.signature import Vertex
from workers.compiler.text import parse_ir, print_ir
from workers.compiler.trace import VertexFunction, vertex_program
from workers.compiler.verify import verify


@pytest.mark.parametrize("name", PROGRAMS)
def test_traced_and_parsed_programs_are_equal(name: str) -> None:
    source = PROGRAMS[name]
    parsed, traced = parse_program(source.text, source.bindings), source.function().trace(source.bindings)
    assert print_ir(parsed) == print_ir(traced)
    assert parsed == traced
    assert source.function().signature == program_signature(source.text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_traced_and_parsed_values_point_at_the_same_text(name: str) -> None:
    source = PROGRAMS[name]
    parsed, traced = parse_program(source.text, source.bindings), source.function().trace(source.bindings)
    places = [[v.span for v in p.values if v.op != "param"] for p in (parsed, traced)]
    assert places[0] == places[1]
    assert all(span and span.line > 1 for span in places[0])


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_print_and_parse_exactly(name: str) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    assert parse_ir(print_ir(program)) == program


@pytest.mark.parametrize("where", ["random", "no edges", "no nodes", "duplicates", "trailing isolated nodes"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_of_programs_agree_with_autograd_through_the_pipeline(name: str, where: str) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    inputs = random_inputs(program, SQUARE[where])
    check_gradients(program, inputs, SQUARE[where], lambda p: verify(run_pipeline(p)[-1].program))


@pytest.mark.parametrize("width", [1, 2, 3, 7, 16, 17, 33, 100, 143, 257])
def test_gradients_at_every_width(width: int) -> None:
    for name, sizes in (
        ("gat", {"out": width, "joined": 2 * width}),
        ("sage", {"out": width}),
        ("appnp", {"in": width}),
    ):
        program = parse_program(PROGRAMS[name].text, {**PROGRAMS[name].bindings, **sizes})
        inputs = random_inputs(program, SQUARE["random"])
        check_gradients(program, inputs, SQUARE["random"], lambda p: run_pipeline(p)[-1].program)


def test_ops_on_both_ends_become_one_over_the_vertices() -> None:
    program = parse_program(PROGRAMS["projection of both ends"].text)
    final = run_pipeline(program)[-1].program
    products = [v for v in final.values if v.op == "matmul"]
    assert [p.type.domain for p in products] == [Domain.VERTEX]


def test_a_neighbours_value_stays_at_the_vertices_until_it_meets_the_other_end() -> None:
    text = print_ir(parse_program(written("return sum(nb.h * nb.n * v.n for nb in v.innbs)")))
    assert text == (
        "program f\n"
        '%0: vertex[3] = input() name="h"\n'
        '%1: vertex[] = input() name="n"\n'
        "%2: vertex[3] = mul(%0, %1)\n"
        "%3: edge[3] = gather_src(%2)\n"
        "%4: edge[] = gather_dst(%1)\n"
        "%5: edge[3] = mul(%3, %4)\n"
        '%6: vertex[3] = sum_edges(%5) side="dst" to="vertex"\n'
        "return out=%6\n"
    )


def test_dropout_of_a_neighbours_value_is_drawn_for_each_edge_and_of_v_for_each_vertex() -> None:
    program = parse_program(written("v.z = dropout(v.h)\nreturn sum(dropout(nb.z) for nb in v.innbs)"))
    drops = [v for v in program.values if v.op == "dropout"]
    assert [(d.type.domain, d.whole("stream")) for d in drops] == [(Domain.VERTEX, 0), (Domain.EDGE, 1)]


def test_constants_and_sizes_change_the_program() -> None:
    source = PROGRAMS["control on constants"]
    short = parse_program(source.text, {"rounds": 1})
    long = parse_program(source.text, {"rounds": 3, "mode": "last", "k": 7})
    assert len(short.outputs) == 2
    assert [n for n, _ in long.outputs] == ["out"]
    assert long[long.outputs[0][1]].type.shape == (7,)


def test_one_function_gives_a_program_for_each_width() -> None:
    function = PROGRAMS["gcn"].function()
    assert {function.trace({"in": n, "out": 2}).leaves("input")["h"].type.shape for n in (3, 4)} == {(3,), (4,)}


def test_parsing_runs_nothing() -> None:
    text = "import_me = 1\n" + written("return v.h")
    with pytest.raises(ValueError, match="only functions"):
        parse_program(text)


def test_a_decorated_function_keeps_its_name_and_doc() -> None:
    source = Source('@vertex_program\ndef twice(v: Vertex(h="1")):\n    """Doubles."""\n    return v.h * 2\n')
    function = source.function()
    assert (function.__name__, function.__doc__, function.signature.doc) == ("twice", "Doubles.", "Doubles.")
    assert parse_program(source.text) == function.trace()


def test_functions_close_over_constants_of_their_makers() -> None:
    def make(scale: float) -> VertexFunction:
        @vertex_program
        def scaled(v: Vertex(h="2"), *, shift=0.0):  # type: ignore[no-untyped-def, valid-type]
            return v.h * scale + shift + max(nb.h for nb in v.innbs)

        return scaled

    once, twice = make(1.5).trace(), make(2.5).trace({"shift": 1.0})
    numbers = [[v.number("value") for v in p.values if v.op == "constant"] for p in (once, twice)]
    assert numbers == [[1.5, 0.0], [2.5, 1.0]]

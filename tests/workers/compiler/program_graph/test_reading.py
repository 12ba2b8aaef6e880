"""Every program of the zoo, and odd ones, as graphs."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from importlib.resources import files

import pytest

from workers.compiler.program_graph.graph import ProgramSketch, TextSpan
from workers.compiler.program_graph.read import read_graph
from workers.zoo.layers import LAYERS
from workers.zoo.reading import zoo_source

PROGRAMS = sorted(
    p.name.removesuffix(".py")
    for folder in ("workers.zoo.programs", "workers.zoo.relations")
    for p in files(folder).iterdir()
    if p.name.endswith(".py") and "__" not in p.name
)


def piece(text: str, span: TextSpan) -> str:
    lines = text.splitlines(keepends=True)[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "".join(lines)


def test_programs_are_those_of_the_layers() -> None:
    assert {layer.program.name for layer in LAYERS.values() if layer.program and layer.program.name} <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_the_zoo_is_one_sound_drawing(name: str) -> None:
    found = read_graph(zoo_source(name))
    assert found.problems == ()
    ids = [n.id for n in found.sketch.nodes]
    assert len(set(ids)) == len(ids)
    assert {w.source for w in found.sketch.wires} | {w.target for w in found.sketch.wires} <= set(ids)
    assert not [n for n in found.sketch.nodes if n.kind == "opaque"]
    order = {i: [w.source for w in found.sketch.wires if w.target == i and not w.back] for i in ids}
    list(TopologicalSorter(order).static_order())


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_computed_node_is_read_by_another_one(name: str) -> None:
    sketch = read_graph(zoo_source(name)).sketch
    read = {w.source for w in sketch.wires}
    assert [n.id for n in sketch.nodes if n.id not in read and n.kind not in ("result", "parameter", "constant")] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_wire_carries_what_the_text_of_its_operand_says(name: str) -> None:
    """Operands are written where their spans say, and each call or sign of the text is one node."""
    text = zoo_source(name)
    sketch = read_graph(text).sketch
    for node in sketch.nodes:
        for argument in node.arguments:
            if argument.span:
                assert piece(text, argument.span) == argument.text
                ast.parse(argument.text, mode="eval")
    written = ast.walk(ast.parse(text).body[-1])
    signs = [n for n in written if isinstance(n, ast.BinOp)]
    drawn = {(n.span.line, n.span.column, n.span.end_column) for n in sketch.nodes}
    kept_whole = [n for n in signs if (n.lineno, n.col_offset + 1, (n.end_col_offset or 0) + 1) not in drawn]
    plain = (ast.BinOp, ast.Name, ast.Constant, ast.UnaryOp, ast.operator, ast.expr_context, ast.unaryop)
    assert all(isinstance(x, plain) for n in kept_whole for x in ast.walk(n))


def shape_of(sketch: ProgramSketch, node: str) -> list[int] | None:
    return next(n.value.shape for n in sketch.nodes if n.id == node)


def test_shapes_are_those_the_compiler_finds() -> None:
    sketch = read_graph(zoo_source("gat"), {"in": 30, "joined": 24, "heads": 4, "out": 6}).sketch
    assert shape_of(sketch, "v.z") == [4, 6]
    assert shape_of(sketch, "scores") == [4, 1]
    assert shape_of(sketch, "y") == [4, 6]
    assert shape_of(sketch, "y/2") is None  # the branch that is not taken


def test_places_and_lanes_of_attention() -> None:
    nodes = {n.id: n for n in read_graph(zoo_source("gat")).sketch.nodes}
    assert [(a.name, a.node, a.place) for a in nodes["scores/0"].arguments] == [
        ("a", "v.left", "source"),
        ("b", "v.right", "destination"),
    ]
    assert (nodes["scores/0"].lane, nodes["y"].lane, nodes["y/1"].lane, nodes["v.z"].lane) == (
        "edge",
        "aggregation",
        "vertex",
        "vertex",
    )
    assert (nodes["y"].stage, nodes["y/1"].stage) == (0, 1)


def test_a_loop_hands_its_value_on() -> None:
    sketch = read_graph(zoo_source("appnp")).sketch
    assert [(w.source, w.target) for w in sketch.wires if w.back] == [("v.z:2", "v.z")]


def test_a_text_that_is_no_python_says_where() -> None:
    found = read_graph("def f(v: Vertex(h='in')):\n    return (v.h\n")
    assert found.sketch.nodes == []
    assert (found.problems[0].code, found.problems[0].line) == ("program.syntax", 2)


def test_what_is_not_understood_stays_in_sight() -> None:
    text = 'def f(v: Vertex(h="in")):\n    y = {**v.h}\n    while True:\n        y = 2\n    return v.h + y\n'
    found = read_graph(text)
    assert [n.label for n in found.sketch.nodes if n.kind == "opaque"] == ["{**v.h}", "while True:"]
    assert [(p.line, p.node_id) for p in found.problems][:1] == [(2, "y")]


def test_columns_count_characters() -> None:
    text = 'def f(v: Vertex(h="in")):\n    return where(v.h > "é", v.h, -v.h)  # ü\n'
    nodes = {n.id: n for n in read_graph(text).sketch.nodes}
    assert piece(text, nodes["return/0/2"].span) == "-v.h"

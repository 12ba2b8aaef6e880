"""Programs over relations as graphs: a block for each relation, parameters by what they have a slice for, edits."""

from __future__ import annotations

import pytest

from workers.compiler.program_graph.edit import Rename, SetOp
from workers.compiler.program_graph.edits import edit_program
from workers.compiler.program_graph.graph import ProgramNode
from workers.compiler.program_graph.read import read_graph
from workers.zoo.relation_layer import NAMES, source

EACH = "for each relation"


def nodes(name: str) -> dict[str, ProgramNode]:
    return {n.id: n for n in read_graph(source(name)).sketch.nodes}


@pytest.mark.parametrize("name", NAMES)
def test_every_program_of_the_zoo_is_understood_whole(name: str) -> None:
    reading = read_graph(source(name))
    assert not reading.problems
    assert [n.label for n in reading.sketch.nodes if n.kind == "opaque"] == []


def test_what_runs_for_each_relation_stands_in_its_block_and_the_sum_over_them_outside() -> None:
    found = nodes("rgcn")
    assert [(n.label, n.lane) for n in found.values() if n.blocks == [EACH]] == [
        ("[ ]", "edge"), ("@", "edge"), ("mean", "aggregation"),
    ]  # fmt: skip
    assert (found["y"].label, found["y"].blocks, found["y"].stage) == ("sum", [], 1)


def test_a_parameter_says_of_what_it_has_one_slice_each() -> None:
    found = {n.id: (n.value.per, n.value.declared) for n in nodes("hetero_sage").values() if n.kind == "parameter"}
    assert found == {
        "weight": ("relation", "relations, in, out"), "own": ("type", "types, in, out"), "b": ("type", "types, out"),
    }  # fmt: skip
    assert nodes("rgcn")["own"].value.per == ""


def test_a_function_given_the_vertex_and_the_relation_is_one_call() -> None:
    call = next(n for n in nodes("rgat").values() if n.kind == "call")
    assert (call.blocks, call.value.place) == ([EACH], "vertex")
    assert [a.text for a in call.arguments][:2] == ["v", "r"]


def test_words_of_relations_are_neither_declared_nor_renamed() -> None:
    found = nodes("hgt")
    assert found["v.type"].can == found["e.relation"].can == []


def test_edits_of_the_drawing_change_the_text_of_a_program_over_relations() -> None:
    text = source("hetero_sage")
    before = next(n for n in read_graph(text).sketch.nodes if n.label == "mean")
    summed = edit_program(text, [SetOp(edit="set_op", node=before.id, op="sum")]).text
    assert summed == text.replace("mean(nb.h for", "sum(nb.h for").replace("The sum of", "The mean of")
    renamed = edit_program(text, [Rename(edit="rename", node="weight", name="matrix")])
    assert renamed.text == text.replace("weight", "matrix")
    assert not renamed.reading.problems

"""Layers that run a model's own vertex program: what it gives, and what is said when it cannot."""

from __future__ import annotations

import pytest

from tests.workers.zoo.documents import codes, dataset, doc, node, only_problem
from workers.core.model import ModelDoc, Scalar
from workers.zoo.bind import bound_names, vertex_program
from workers.zoo.validate import validate

MEAN = """
def own(v: Vertex(h="in"), w: Param("in, out"), *, out=4):
    v.z = v.h @ w
    return mean(nb.z for nb in v.innbs)
"""
WEIGHED = """
def own(v: Vertex(h="d", edges=Edge(w="k")), project: Param("k, 1")):
    return sum((e.w @ project) * e.src.h for e in v.inedges)
"""


def model(source: str | None, *, edge: bool = False, **params: Scalar) -> ModelDoc:
    nodes = [
        node("input"),
        node("p:program", program="own", **params),
        node("last:linear", out_features=0),
        node("output"),
    ]
    wires = ["input.h > p.x", "p.y > last.x", "last.y > output.x", *(["input.e > p.e"] if edge else [])]
    return doc(nodes, wires, {"own": source} if source is not None else {})


def test_settings_of_the_node_are_the_constants_of_the_program() -> None:
    found = validate(model(MEAN, out=6), dataset())
    assert found.problems == ()
    step = found.steps[1]
    assert str(step.outputs["y"]) == "vertex feature [N, 6]"
    assert bound_names(step) == {"in": 1433, "out": 6}
    assert found.parameters == 1433 * 6 + 6 * 7 + 7
    assert vertex_program(step).leaves("param")["w"].type.shape == (1433, 6)


def test_without_a_dataset_a_width_that_does_not_depend_on_it_is_known() -> None:
    assert str(validate(model(MEAN)).steps[1].outputs["y"]) == "vertex feature [N, 4]"


def test_without_a_dataset_a_width_that_does_is_left_open() -> None:
    source = 'def own(v: Vertex(h="in")):\n    return sum(nb.h for nb in v.innbs)\n'
    found = validate(model(source))
    assert found.problems == ()
    assert str(found.steps[1].outputs["y"]) == "vertex feature [N, ?]"


def test_a_program_may_ask_for_the_number_of_classes() -> None:
    source = 'def own(v: Vertex(h="in"), w: Param("in, classes")):\n    return v.h @ w\n'
    assert str(validate(model(source), dataset()).steps[1].outputs["y"]) == "vertex feature [N, 7]"


def test_a_constant_called_classes_is_the_number_of_classes() -> None:
    source = 'def own(v: Vertex(h="in"), w: Param("in, classes"), *, classes=3):\n    return v.h @ w\n'
    assert str(validate(model(source), dataset()).steps[1].outputs["y"]) == "vertex feature [N, 7]"
    assert validate(model(source)).ok


def test_a_port_the_program_does_not_read_may_stay_empty() -> None:
    source = 'def own(v: Vertex(edges=Edge(w="k"))):\n    return sum(e.w for e in v.inedges)\n'
    document = model(source, edge=True)
    alone = document.model_copy(
        update={"wires": tuple(w for w in document.wires if w.target.port != "x" or w.target.node != "p")}
    )
    assert validate(alone, dataset(edge_features=3)).problems == ()
    needing = model(MEAN)
    unwired = needing.model_copy(update={"wires": needing.wires[1:]})
    assert codes(unwired, dataset())[0] == "port.unconnected"


def test_edge_features_come_by_their_port() -> None:
    assert validate(model(WEIGHED, edge=True), dataset(edge_features=3)).problems == ()
    problem = only_problem(model(WEIGHED), dataset())
    assert (problem.code, problem.node_id, problem.port) == ("port.unconnected", "p", "e")


def test_added_loops_have_no_edge_features() -> None:
    problem = only_problem(model(WEIGHED, edge=True, self_loops=True), dataset(edge_features=3))
    assert (problem.code, problem.pointer) == ("program.loops", "/nodes/p/params/self_loops")


def test_a_missing_program_names_those_there_are() -> None:
    problem = only_problem(model(None))
    assert (problem.code, problem.pointer) == ("program.missing", "/nodes/p/params/program")
    document = model(MEAN)
    renamed = document.model_copy(update={"programs": (document.programs[0].model_copy(update={"name": "mine"}),)})
    assert "program.missing" in codes(renamed)


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ('def own(v: Vertex(h="in")):\n    return v.h +\n', "program.syntax", 2),
        ('def own(v: Vertex(h="in")):\n    x = v.h\n    while True: pass\n    return x\n', "program.unsupported", 3),
        ('def own(v: Vertex(h="in")):\n    return v.q\n', "program.name", 2),
        ("def own(v):\n    return v.h\n", "program.signature", 1),
    ],
)
def test_faults_of_the_text_carry_line_and_node_with_or_without_a_dataset(source: str, code: str, line: int) -> None:
    for info in (None, dataset()):
        problem = only_problem(model(source), info)
        assert (problem.code, problem.line, problem.node_id, problem.pointer) == (code, line, "p", "/programs/own")
        assert problem.hint


def test_a_clash_of_widths_waits_until_the_widths_are_known() -> None:
    source = 'def own(v: Vertex(h="in"), w: Param("5, 4")):\n    return v.h @ w\n'
    assert codes(model(source)) == []
    problem = only_problem(model(source), dataset())
    assert (problem.code, problem.line) == ("program.type", 2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('def own(v: Vertex(h="in")):\n    return v.h, v.h\n', "The program returns 2 values."),
        ('def own(v: Vertex(h="in")):\n    return sum(v.h)\n', None),
        ('def own(v: Vertex(h="in", q="in")):\n    return v.h + v.q\n', "The program reads v.q, which no port brings."),
    ],
)
def test_a_result_or_feature_the_layer_cannot_carry_is_explained(source: str, message: str | None) -> None:
    problem = only_problem(model(source), dataset())
    assert message is None or problem.message == message
    assert problem.hint


def test_a_setting_the_program_does_not_have_and_one_it_lacks() -> None:
    assert only_problem(model(MEAN, colour=3), dataset()).pointer == "/nodes/p/params/colour"
    source = MEAN.replace("*, out=4", "*, out")
    problem = only_problem(model(source), dataset())
    assert (problem.code, problem.pointer) == ("param.missing", "/nodes/p/params/out")


def test_a_fault_in_a_program_no_layer_runs_is_a_warning() -> None:
    document = model(MEAN)
    spare = document.programs[0].model_copy(update={"name": "spare", "source": "def ("})
    found = validate(document.model_copy(update={"programs": (*document.programs, spare)}), dataset())
    assert [(p.severity, p.pointer) for p in found.problems] == [("warning", "/programs/spare")]
    assert found.ok


def test_two_programs_of_one_name_are_refused() -> None:
    document = model(MEAN)
    problem = only_problem(document.model_copy(update={"programs": document.programs * 2}), dataset())
    assert (problem.code, problem.pointer) == ("program.duplicate", "/programs/1")


def test_two_layers_running_one_faulty_program_each_say_so() -> None:
    nodes = [
        node("input"),
        node("a:program", program="own"),
        node("b:program", program="own"),
        node("add"),
        node("output"),
    ]
    wires = ["input.h > a.x", "input.h > b.x", "a.y > add.x", "b.y > add.x", "add.y > output.x"]
    found = validate(doc(nodes, wires, {"own": "def ("}), dataset())
    assert [p.node_id for p in found.problems] == ["a", "b"]

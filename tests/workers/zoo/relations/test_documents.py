"""Documents over relations: checked, counted, built, written as text, made one's own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from tests.workers.zoo.documents import codes, dataset, doc, node, only_problem
from tests.workers.zoo.relations.documents import CHOICES, ROWS, facts, given, graph, model, stitched
from workers.compiler.codegen import reference
from workers.core.model import ModelDoc
from workers.core.problems import DocumentError
from workers.zoo.bind import bound_names, program_source, vertex_program
from workers.zoo.code.convert import to_code, to_document
from workers.zoo.layers import LAYERS
from workers.zoo.module import ModelModule
from workers.zoo.own import own_program
from workers.zoo.reading import read_signature
from workers.zoo.speed import Rates, epoch_s
from workers.zoo.step import Step
from workers.zoo.templates import chain
from workers.zoo.validate import validate
from workers.zoo.work import work

DATA = graph()
INFO = facts(DATA)
choices = pytest.mark.parametrize(("kind", "params"), CHOICES, ids=lambda v: v if isinstance(v, str) else "-".join(v))


def step_of(document: ModelDoc, node_id: str = "it", known: bool = True) -> Step:
    return next(s for s in validate(document, INFO if known else None).steps if s.node.id == node_id)


def built(document: ModelDoc, **how: Any) -> ModelModule:
    return ModelModule(document, INFO, dtype=torch.float64, seed=2, **how)


def test_every_layer_that_runs_a_program_is_among_the_choices() -> None:
    assert {kind for kind, _ in CHOICES} == set(ROWS)
    assert {p.get("sharing", "plain") for kind, p in CHOICES if kind == "rgcn"} == set(LAYERS["rgcn"].choice.uses)  # type: ignore[union-attr]


@choices
def test_a_model_over_relations_is_sound_and_says_its_size(kind: str, params: dict[str, Any]) -> None:
    found = validate(model(kind, **params), INFO)
    assert found.problems == ()
    assert found.over_relations
    assert found.parameters == sum(p.numel() for p in built(model(kind, **params)).parameters())
    assert validate(model(kind, **params)).parameters is None
    counted = work(found, INFO)
    assert counted is not None
    assert counted.flops > 0
    assert epoch_s(counted, 5, Rates(1e9, 1e9)) > 0


@choices
def test_a_program_binds_the_names_it_declares_and_gives_the_width_of_the_rule(
    kind: str, params: dict[str, Any]
) -> None:
    step = step_of(model(kind, **params))
    signature = read_signature(program_source(step))
    assert signature.typed
    assert bound_names(step).keys() == {*signature.sizes, *(c.name for c in signature.constants)}
    program = vertex_program(step)
    assert program[program.outputs[0][1]].type.shape == (step.outputs["y"].width,)


@choices
def test_kernels_of_a_model_give_what_the_reference_gives_forward_and_backward(
    kind: str, params: dict[str, Any]
) -> None:
    found = [_run(built(model(kind, **params), kernels=kernels)) for kernels in ("generated", "reference")]
    for mine, theirs in zip(*found, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-9, atol=1e-10)


def _run(module: ModelModule) -> list[Tensor]:
    """Values and all gradients."""
    out = module(*given(DATA))
    out.square().sum().backward()
    return [out, *(p.grad for p in module.parameters() if p.grad is not None)]


@choices
def test_a_layer_made_ones_own_is_the_same_model(kind: str, params: dict[str, Any]) -> None:
    document = model(kind, **params)
    mine, name = own_program(document, step_of(document))
    assert [n.type for n in mine.nodes] == ["input", "encode_types", "program", "linear", "output"]
    assert validate(mine, INFO).problems == ()
    assert validate(mine).ok
    assert mine.programs[0].name == name
    for a, b in zip(_run(built(document)), _run(built(mine)), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0)


@choices
def test_a_layer_as_wide_as_classes_can_be_made_ones_own(kind: str, params: dict[str, Any]) -> None:
    document = model(
        kind, **params | {"out_features": 0} | ({"num_blocks": 3, "num_bases": 2} if "sharing" in params else {})
    )
    if kind == "hgt":
        return  # its width is that of what arrives
    mine, _ = own_program(document, step_of(document))
    assert validate(mine, INFO).problems == ()
    assert (
        vertex_program(step_of(mine)).leaves("param").keys() == vertex_program(step_of(document)).leaves("param").keys()
    )


@choices
def test_text_and_drawing_are_one(kind: str, params: dict[str, Any]) -> None:
    document = model(kind, **params)
    read = to_document(to_code(document).code, ModelDoc())
    assert read.doc is not None
    assert validate(read.doc, INFO).problems == ()
    assert [n.type for n in read.doc.nodes] == [n.type for n in document.nodes]
    assert step_of(read.doc).params == step_of(document).params
    assert read.doc.wires == document.wires


# --- the type encoder -------------------------------------------------------------------------------------------------


def test_the_encoder_gives_rows_in_the_order_of_ids() -> None:
    module = built(
        chain([("input", "input", {}), ("rows", "encode_types", {"out_features": 3}), ("output", "output", {})])
    )
    weights = module.layers["rows"].named()
    assert weights.keys() == {"weight_0", "bias_0", "weight_4", "bias_4", "embedding"}
    x, ground = given(DATA)
    papers, fields = x.x[0] @ weights["weight_0"] + weights["bias_0"], x.x[4] @ weights["weight_4"] + weights["bias_4"]
    torch.testing.assert_close(module(x, ground), torch.cat([papers, weights["embedding"], fields]))


def test_without_features_the_encoder_is_its_embedding() -> None:
    data = graph(features=False)
    document = chain([("input", "input", {}), ("rows", "encode_types", {"out_features": 3}), ("output", "output", {})])
    module = ModelModule(document, facts(data), dtype=torch.float64)
    torch.testing.assert_close(module(*given(data)), module.layers["rows"].named()["embedding"])


def test_rows_of_some_vertices_are_those_of_the_whole() -> None:
    module = built(
        chain([("input", "input", {}), ("rows", "encode_types", {"out_features": 3}), ("output", "output", {})])
    )
    x, ground = given(DATA)
    some = torch.tensor([1, 6, 8, 12, 13, 15, 18])
    torch.testing.assert_close(module(x.rows(some), ground), module(x, ground)[some])


# --- what is refused --------------------------------------------------------------------------------------------------


def test_layers_for_one_relation_have_no_place_beside_others() -> None:
    nodes = [node("input"), node("rows:encode_types"), node("gcn"), node("last:linear", out_features=0), node("output")]
    wires = ["input.h > rows.x", "rows.y > gcn.x", "gcn.y > last.x", "last.y > output.x"]
    problem = only_problem(doc(nodes, wires), INFO)
    assert (problem.code, problem.node_id, problem.hint[:4]) == ("relations.mixed", "gcn", "Take")


def test_only_an_encoder_reads_what_types_say() -> None:
    nodes = [node("input"), node("rgcn", out_features=0), node("output")]
    problem = only_problem(doc(nodes, ["input.h > rgcn.x", "rgcn.y > output.x"]), INFO)
    assert (problem.code, problem.node_id, problem.port) == ("relations.encode", "rgcn", "x")


def test_a_model_for_one_relation_is_told_that_the_dataset_has_many() -> None:
    nodes = [node("input"), node("gcn", out_features=0), node("output")]
    found = codes(doc(nodes, ["input.h > gcn.x", "gcn.y > output.x"]), INFO)
    assert found == ["dataset.heterogeneous"]


def test_a_dataset_of_one_type_is_one_type_and_one_relation() -> None:
    found = validate(model("rgcn"), dataset(features=9))
    assert found.problems == ()
    assert {w.name: w.shape for w in step_of(model("rgcn")).weights} == {}
    of_encoder = next(s for s in found.steps if s.node.id == "rows").weights
    assert [(w.name, w.shape) for w in of_encoder] == [("weight_0", (9, 6)), ("bias_0", (6,))]


@pytest.mark.parametrize(
    ("kind", "params", "says"),
    [
        ("rgcn", {"out_features": 6, "sharing": "blocks", "num_blocks": 4}, "cut a width of 6"),
        ("rgcn", {"out_features": 6, "sharing": "rows", "num_bases": 2}, "are 12 numbers a vertex"),
        ("hgt", {"out_features": 4, "heads": 2}, "keep a width of 8"),
    ],
)
def test_widths_that_do_not_fit_are_told_at_the_wire(kind: str, params: dict[str, Any], says: str) -> None:
    problem = only_problem(model(kind, **params), INFO)
    assert (problem.code, problem.node_id) == ("shape.width", "it")
    assert says in problem.message


PROGRAM = """
def mine(v: TypedVertex({features}), w: Param("relations, in, out"), *, out=4):
    return sum(mean(nb.h @ w[r] for nb in r.innbs) for r in v.relations) {more}
"""


def own(features: str = 'h="in"', more: str = "", **params: Any) -> ModelDoc:
    document = model("program", program="mine", **params)
    nodes, wires = (
        list(document.nodes),
        [f"{w.source.node}.{w.source.port} > {w.target.node}.{w.target.port}" for w in document.wires],
    )
    return doc(nodes, wires, {"mine": PROGRAM.format(features=features, more=more)})


def test_a_program_over_relations_of_the_model_itself_makes_it_one() -> None:
    found = validate(own(), INFO)
    assert found.problems == ()
    assert found.over_relations
    module = built(own())
    assert module.layers["it"].named()["w"].shape == (7, 6, 4)
    expected = reference.run(
        vertex_program(step_of(own())),
        {"h": module.layers["rows"]({"x": (given(DATA)[0],)}, given(DATA)[1], 0), **module.layers["it"].named()},
        stitched(DATA),
    )["out"]  # fmt: skip
    last = module.layers["last"].named()
    torch.testing.assert_close(module(*given(DATA)), expected @ last["weight"] + last["bias"])


@pytest.mark.parametrize(
    ("document", "code"),
    [(own('h="in", norm=""', "* v.norm"), "program.feature"), (own(self_loops=True), "program.loops")],
)
def test_a_program_over_relations_has_neither_norms_nor_loops(document: ModelDoc, code: str) -> None:
    assert only_problem(document, INFO).code == code


def test_a_model_that_cannot_run_is_refused_with_its_problems() -> None:
    with pytest.raises(DocumentError):
        built(model("hgt", out_features=4, heads=2))

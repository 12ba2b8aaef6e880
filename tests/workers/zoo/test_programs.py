"""The layers' vertex programs: every row of the table reads as IR, with the tensors its paper has."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.workers.zoo.documents import dataset, wire
from workers.compiler.ir import Domain, Program
from workers.core.model import Scalar
from workers.zoo.bind import bound_names, vertex_program
from workers.zoo.layers import LAYERS
from workers.zoo.reading import read_signature, zoo_source
from workers.zoo.signature import Layer
from workers.zoo.step import Step
from workers.zoo.templates import TEMPLATES, chain
from workers.zoo.validate import validate

PROGRAMS = [
    layer
    for layer in LAYERS.values()
    if layer.program and layer.program.name and layer.group != "over relations"  # tests/workers/zoo/relations has those
]
rows = pytest.mark.parametrize("layer", PROGRAMS, ids=[layer.type for layer in PROGRAMS])


def step_of(layer: Layer, **params: Scalar) -> Step:
    """The layer wired to the features of a dataset that has those of edges too."""
    ends = {"x": "h", "e": "e"}
    doc = chain([("input", "input", {}), ("n", layer.type, params)])
    wires = [wire(f"input.{ends[p.name]} > n.{p.name}") for p in layer.inputs if not p.optional]
    found = validate(doc.model_copy(update={"wires": tuple(wires)}), dataset(edge_features=3))
    return next(s for s in found.steps if s.node.id == "n")


def program_of(kind: str, **params: Scalar) -> Program:
    return vertex_program(step_of(LAYERS[kind], **params))


def shapes(program: Program) -> dict[str, tuple[int, ...]]:
    return {name: v.type.shape for name, v in program.leaves("param").items()}


@rows
def test_a_program_binds_exactly_the_names_it_declares(layer: Layer) -> None:
    assert layer.program is not None
    signature = read_signature(zoo_source(layer.program.name))
    assert {*layer.program.sizes, *layer.program.constants} == {
        *signature.sizes,
        *(c.name for c in signature.constants),
    }
    given = {*layer.program.features, *(["norm"] if layer.preparation.norm else [])}
    assert signature.features.keys() == given
    assert signature.edge_features.keys() == layer.program.edges.keys()


@rows
def test_a_program_gives_what_the_shape_rule_says_for_every_choice_and_flag(layer: Layer) -> None:
    flags: dict[str, tuple[Any, ...]] = {p.name: p.choices for p in layer.params if p.choices}
    flags |= {p.name: (True, False) for p in layer.params if p.type == "bool"}
    for values in product(*flags.values()):
        params = dict(zip(flags, values, strict=True))
        program = program_of(layer.type, **params)
        result = program[program.outputs[0][1]].type
        assert result.domain is Domain.VERTEX
        assert result.shape[-1] == step_of(layer, **params).outputs["y"].width


@rows
def test_a_program_says_at_its_top_what_it_is(layer: Layer) -> None:
    assert layer.program is not None
    assert zoo_source(layer.program.name).startswith('"""')


def test_constants_of_a_program_are_the_settings_of_the_node() -> None:
    names = bound_names(step_of(LAYERS["gat"], heads=4, out_features=2, attention_dropout=0.1))
    assert names == {
        "in": 1433, "joined": 8, "out": 2, "heads": 4, "join": "concat", "slope": 0.2, "drop": 0.1, "bias": True,
    }  # fmt: skip


def test_tensors_are_those_of_the_papers() -> None:
    assert shapes(program_of("gcn", out_features=16)) == {"weight": (1433, 16), "b": (16,)}
    assert shapes(program_of("gcn", out_features=16, bias=False)) == {"weight": (1433, 16)}
    assert shapes(program_of("gat")) == {
        "weight": (1433, 64), "attend_source": (8, 8), "attend_destination": (8, 8), "b": (64,),
    }  # fmt: skip
    assert shapes(program_of("gat", join="mean"))["b"] == (8,)
    assert shapes(program_of("sage", out_features=5)) == {"own": (1433, 5), "others": (1433, 5), "b": (5,)}
    assert "eps" in shapes(program_of("gin"))
    assert "eps" not in shapes(program_of("gin", train_eps=False))
    assert shapes(program_of("appnp")) == {}


def test_appnp_drops_edges_anew_at_each_hop() -> None:
    drops = [v for v in program_of("appnp", hops=3).values if v.op == "dropout"]
    assert len({v.attr("stream") for v in drops}) == 3


@pytest.mark.parametrize(("name", "parameters"), [("gcn", 23_063), ("gat", 92_373), ("appnp", 92_231)])
def test_templates_have_as_many_parameters_on_cora_as_their_papers_models(name: str, parameters: int) -> None:
    assert validate(TEMPLATES[name].doc, dataset()).parameters == parameters

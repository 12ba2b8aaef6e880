"""One program over two vertex sets: what each side brings, and that awkward shapes give the awkward numbers."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import BIPARTITE, graph
from tests.workers.compiler.programs import PROGRAMS, written
from workers.compiler.codegen import reference
from workers.compiler.faults import LanguageError
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes import run_pipeline
from workers.compiler.two_sides import split_sides

ONE_HOP = ["gcn", "gat", "sage", "gin", "aggregate max", "lists pass through functions"]


def split(name: str) -> Program:
    return split_sides(parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings))


def test_each_side_brings_what_is_read_there() -> None:
    assert set(split("gcn").leaves("input")) == {"src:h", "src:norm", "dst:norm"}
    assert set(split("sage").leaves("input")) == {"src:h", "dst:h"}


@pytest.mark.parametrize("where", BIPARTITE)
@pytest.mark.parametrize("name", ONE_HOP)
def test_gradients_over_two_vertex_sets(name: str, where: str) -> None:
    program = split(name)
    inputs = random_inputs(program, BIPARTITE[where])
    check_gradients(program, inputs, BIPARTITE[where], lambda p: run_pipeline(p)[-1].program)


@pytest.mark.parametrize("name", ONE_HOP)
def test_on_equal_sets_it_is_the_program_over_one(name: str) -> None:
    g = graph([(0, 1), (2, 1), (3, 0), (1, 1), (0, 1)], 4)
    one, two = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings), split(name)
    inputs = {n: x.detach() for n, x in random_inputs(one, g).items()}
    twice = {n: inputs[n.split(":")[-1]] for n in [*two.leaves("input"), *two.leaves("param")]}
    expected = reference.run(one, inputs, g, training=True)["out"]
    torch.testing.assert_close(reference.run(two, twice, g, training=True)["out"], expected)


def test_more_destinations_than_sources_and_one_without_edges() -> None:
    program = split_sides(parse_program(written("return sum(nb.h for nb in v.innbs)")))
    h = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    found = reference.run(program, {"src:h": h}, graph([(0, 0), (0, 1), (1, 1), (1, 3)], 2, 4))["out"]
    assert found.tolist() == [[1, 2, 3], [5, 7, 9], [0, 0, 0], [4, 5, 6]]


def test_a_gradient_reaches_neighbours_only() -> None:
    program = split("gat")
    g = graph([(1, 2)], 4, 3)
    inputs = random_inputs(program, g)
    (found,) = torch.autograd.grad(reference.run(program, inputs, g)["out"].sum(), inputs["src:h"])
    assert [bool(row.any()) for row in found] == [False, True, False, False]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "v.z = sum(nb.h for nb in v.innbs)\nreturn sum(nb.z for nb in v.innbs)",
            "a source of a bipartite graph has no in-edges",
        ),
        ("return sum(nb.h for nb in v.outnbs)", "a destination of a bipartite graph has no out-edges"),
        ("return sum(nb.h * nb.degree for nb in v.innbs)", "a source of a bipartite graph has no in-edges"),
    ],
)
def test_what_a_side_does_not_have_is_refused_with_its_line(body: str, message: str) -> None:
    with pytest.raises(LanguageError, match=message) as caught:
        split_sides(parse_program(written(body)))
    assert caught.value.span is not None

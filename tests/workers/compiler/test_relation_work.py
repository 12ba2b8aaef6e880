"""What stitching saves of a program over relations: told by the compiler, and independent of how many there are."""

from __future__ import annotations

import pytest

from workers.compiler.graph_size import GraphSize
from workers.compiler.relation_work import RelationWork
from workers.compiler.view import compile_view
from workers.zoo.relation_layer import source

SIZES = {"rgcn": {"in": 16}, "rgat": {"in": 16}, "hgt": {}, "hetero_sage": {"in": 16}}


def work(name: str, relations: int, types: int = 7) -> RelationWork:
    found = compile_view(source(name), SIZES[name], graph=GraphSize(1000, 5000, relations, types))
    assert not found.problems
    assert found.relations is not None
    assert found.relations.fused == len(found.kernels)
    return found.relations


@pytest.mark.parametrize("name", SIZES)
def test_a_loop_grows_with_relations_and_what_runs_does_not(name: str) -> None:
    few, many = work(name, 6), work(name, 206)
    assert few.fused == many.fused < few.stitched == many.stitched < few.looped < many.looped


def test_a_loop_over_one_relation_and_type_launches_no_more_than_the_stitched_program() -> None:
    one = work("rgcn", 1, 1)
    assert one.looped <= one.stitched


def test_products_that_serve_all_relations_are_named_as_bundled() -> None:
    assert work("rgcn", 6).bundled == {"typed_matmul": 2, "typed_weight_grad": 1}


def test_operations_a_loop_would_repeat_are_those_on_edges_of_relations() -> None:
    assert set(work("rgcn", 6).by_relation) == {"typed_matmul", "gather_sender", "mean_edges"}


def test_a_program_of_one_relation_has_none() -> None:
    text = 'def plain(v: Vertex(h="in")):\n    return sum(nb.h for nb in v.innbs)\n'
    assert compile_view(text, {"in": 4}).relations is None

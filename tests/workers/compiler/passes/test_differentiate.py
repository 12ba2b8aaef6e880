"""Gradients of every op, against torch autograd through the reference, on random and awkward graphs."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.cases import CASES, leaf, program, random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import BIPARTITE, SQUARE, graph
from workers.compiler.codegen import reference
from workers.compiler.ir import Builder
from workers.compiler.ops import OPS
from workers.compiler.passes.differentiate import GRADIENTS, NO_GRADIENT, differentiate


def test_every_op_has_a_gradient_rule_or_a_reason() -> None:
    assert set(GRADIENTS) | set(NO_GRADIENT) == set(OPS)
    assert not set(GRADIENTS) & set(NO_GRADIENT)


@pytest.mark.parametrize("name", [n for n in CASES if n != "sum_rows"])
@pytest.mark.parametrize("where", SQUARE)
def test_gradient_of_an_op_agrees_with_autograd(name: str, where: str) -> None:
    p = program(name)
    check_gradients(p, random_inputs(p, SQUARE[where]), SQUARE[where])


@pytest.mark.parametrize("where", BIPARTITE)
def test_attention_over_two_vertex_sets(where: str) -> None:
    b = Builder("attention", bipartite=True)
    x, y = leaf(b, "x", (3,), "src"), leaf(b, "y", (1,), "dst")
    score = b.add("add", b.add("gather_src", b.add("sum_to", x, shape=(1,))), b.add("gather_dst", y))
    alpha = b.add("edge_softmax", b.add("leaky_relu", score, slope=0.2))
    out = b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", x)), side="dst", to="dst")
    p = b.build({"out": out})
    check_gradients(p, random_inputs(p, BIPARTITE[where]), BIPARTITE[where])


def test_gradient_does_not_leak_to_vertices_that_are_no_neighbours() -> None:
    b = Builder("sums", bipartite=True)
    out = b.add("sum_edges", b.add("gather_src", leaf(b, "x", (2,), "src")), side="dst", to="dst")
    g = graph([(1, 2)], 4, 3)
    joint = differentiate(b.build({"out": out}), ("x",))
    found = reference.run(joint.program, {"x": torch.ones(4, 2), "grad:out": torch.ones(3, 2)}, g)
    assert found["grad:x"].sum(dim=1).tolist() == [0, 2, 0, 0]


@pytest.mark.parametrize("op", ["max_edges", "min_edges"])
def test_equal_extremes_share_the_gradient(op: str) -> None:
    b = Builder("ties")
    p = b.build({"out": b.add(op, b.add("gather_src", leaf(b, "x", (1,))), side="dst", to="vertex")})
    g = graph([(0, 3), (1, 3), (2, 3), (0, 3)], 4)
    x = torch.full((4, 1), -2.0, dtype=torch.float64, requires_grad=True)
    check_gradients(p, {"x": x}, g)
    joint = differentiate(p, ("x",))
    found = reference.run(joint.program, {"x": x.detach(), "grad:out": torch.ones(4, 1, dtype=torch.float64)}, g)
    assert found["grad:x"].flatten().tolist() == [0.5, 0.25, 0.25, 0]


@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_equal_operands_share_the_gradient(op: str) -> None:
    b = Builder("ties")
    p = b.build({"out": b.add(op, leaf(b, "x", ()), leaf(b, "y", ()))})
    values = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in ([1.0, 2.0], [1.0, 3.0])]
    check_gradients(p, {"x": values[0], "y": values[1]}, graph([], 2))


def test_only_what_is_asked_for_is_built() -> None:
    b = Builder("dense")
    p = b.build({"out": b.add("matmul", leaf(b, "x", (3,)), leaf(b, "w", (3, 4), "param"))})
    ops = [v.op for v in differentiate(p, ("w",)).program.values]
    assert ops == ["input", "param", "matmul", "input", "weight_grad"]


def test_a_result_that_is_also_used_inside_gets_both_gradients() -> None:
    b = Builder("shared")
    x = leaf(b, "x", (2,))
    y = b.add("exp", x)
    p = b.build({"first": y, "second": b.add("mul", y, x), "third": y})
    check_gradients(p, random_inputs(p, SQUARE["random"]), SQUARE["random"])


def test_a_leaf_that_no_result_depends_on_gets_zeros() -> None:
    b = Builder("unused")
    leaf(b, "x", (2,))
    p = b.build({"out": leaf(b, "y", (2,))})
    check_gradients(p, random_inputs(p, SQUARE["path"]), SQUARE["path"])


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"\['z'\].*\['x'\]"):
        differentiate(program("relu"), ("z",))


def test_an_op_without_a_gradient_says_why() -> None:
    with pytest.raises(ValueError, match="second derivatives"):
        differentiate(program("sum_rows"), ("x",))

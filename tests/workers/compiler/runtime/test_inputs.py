"""Inputs that break kernels elsewhere: odd widths, strides, extreme logits, bipartite graphs, bad ids."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import leaf, random_inputs
from tests.workers.compiler.graphs import BIPARTITE, SQUARE, Graph, graph, random_graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Program
from workers.compiler.runtime import GraphIndex, compile_program
from workers.compiler.runtime.warn_once import warn_once

IN = {"side": "dst", "to": "vertex"}


def attention(heads: int, width: int) -> Program:
    """softmax(left of source + right of destination)-weighted sum of z."""
    b = Builder("attention")
    z = leaf(b, "z", (heads, width))
    left, right = leaf(b, "left", (heads, 1)), leaf(b, "right", (heads, 1))
    alpha = b.add("edge_softmax", b.add("add", b.add("gather_src", left), b.add("gather_dst", right)))
    return b.build({"out": b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", z)), **IN)})


WIDTHS = [(width, torch.float32) for width in (1, 2, 3, 7, 16, 17, 33, 100, 143, 257, 602)]


@pytest.mark.parametrize(("width", "dtype"), [*WIDTHS, (1, torch.float64), (7, torch.float64), (33, torch.float64)])
def test_every_width(width: int, dtype: torch.dtype, kernels: KernelCache) -> None:
    program = attention(1 if width > 100 else 3, width)
    check(program, random_inputs(program, SQUARE["random"], dtype=dtype), SQUARE["random"], kernels)


EXTREME = {
    "huge": lambda n: torch.linspace(-1e4, 1e4, n),
    "all -200": lambda n: torch.full((n,), -200.0),
    "all equal": lambda n: torch.full((n,), 3.0),
    "masked": lambda n: torch.where(torch.arange(n) % 2 == 0, -torch.inf, 1.0),
    "all masked": lambda n: torch.full((n,), -torch.inf),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("logits", EXTREME)
def test_softmax_of_extreme_logits_sums_to_one_or_nothing(
    logits: str, dtype: torch.dtype, kernels: KernelCache
) -> None:
    b = Builder("softmax")
    alpha = b.add("edge_softmax", leaf(b, "e", (), "edge"))
    program = b.build({"alpha": alpha, "total": b.add("sum_edges", alpha, **IN)})
    where = random_graph(4, 24)
    e = EXTREME[logits](24).to(dtype).requires_grad_()
    results = compile_program(program, dtype=dtype, cache=kernels)(where, {"e": e})
    alive = torch.zeros(4, dtype=torch.int64).index_add(0, torch.from_numpy(where.dst), torch.isfinite(e).long()) > 0
    torch.testing.assert_close(results["total"].detach(), alive.to(dtype))
    (gradient,) = torch.autograd.grad((results["alpha"] * torch.arange(24)).sum(), e)
    assert not gradient.isnan().any()


def test_exponentials_are_exact_to_the_last_bits(kernels: KernelCache) -> None:
    b = Builder("exp")
    program = b.build({"out": b.add("exp", leaf(b, "x", ()))})
    spread = [
        torch.linspace(-110, 95, 50_001),
        torch.linspace(-1, 1, 10_001),
        torch.tensor([0.0, torch.inf, -torch.inf]),
    ]
    for dtype, worst in ((torch.float32, 2.0), (torch.float64, 4.0)):
        x = torch.cat(spread).to(dtype) * (1 if dtype is torch.float32 else 7)
        where = Graph(np.zeros(0, np.int64), np.zeros(0, np.int64), len(x), len(x))
        found = compile_program(program, dtype=dtype, cache=kernels)(where, {"x": x})["out"]
        expected = x.double().exp()
        spacing = torch.finfo(dtype).eps * expected.abs().clamp(min=torch.finfo(dtype).tiny)
        finite = torch.isfinite(expected.to(dtype)) & torch.isfinite(found)
        assert ((found.double() - expected).abs()[finite] <= worst * spacing[finite]).all()
        assert torch.equal(torch.isinf(found), torch.isinf(expected.to(dtype)))
    nan = compile_program(program, cache=kernels)(graph([], 1), {"x": torch.tensor([torch.nan])})["out"]
    assert nan.isnan().all()


def strange(x: Tensor, how: str) -> Tensor:
    """The same numbers in memory that is not one straight block."""
    if how == "offset":
        return torch.cat([x.new_zeros(1), x.flatten()])[1:].reshape(x.shape)
    if how == "transposed":
        return x.flatten(1).T.contiguous().T.reshape(x.shape) if x.dim() > 1 else x
    return x[..., :1].expand(x.shape) if x.dim() else x


@pytest.mark.parametrize("how", ["offset", "transposed", "repeated"])
def test_strided_inputs_and_gradients(how: str, kernels: KernelCache) -> None:
    program, where = LAYERS["gat"], SQUARE["random"]
    inputs = {n: strange(x.detach(), how).requires_grad_() for n, x in random_inputs(program, where).items()}
    compiled = check(program, inputs, where, kernels)
    out = compiled(where, inputs, seed=7)["out"]
    (repeated,) = torch.autograd.grad(out.sum(), inputs["h"])  # the gradient of a sum has stride 0
    out = compiled(where, inputs, seed=7)["out"]
    (whole,) = torch.autograd.grad(out, inputs["h"], torch.ones_like(out))
    assert torch.equal(repeated, whole)


@pytest.mark.parametrize("wanted", [["weight"], ["h"], ["a_src", "bias"], []])
def test_gradients_of_some_inputs_only(wanted: list[str], kernels: KernelCache) -> None:
    program, where = LAYERS["gat"], SQUARE["random"]
    inputs = {n: x.detach().requires_grad_(n in wanted) for n, x in random_inputs(program, where).items()}
    check(program, inputs, where, kernels)


def test_a_device_without_kernels_runs_the_reference_and_says_so_once(kernels: KernelCache) -> None:
    program, where = LAYERS["gcn"], SQUARE["random"]
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    inputs = {n: x.detach().to("meta") for n, x in random_inputs(program, where).items()}
    warn_once.cache_clear()
    with pytest.warns(RuntimeWarning, match="no kernels are generated for meta; running the slow reference"):
        compiled(where, inputs)
    out = compiled(where, inputs)["out"]  # a second warning would be an error
    assert (out.device.type, out.shape) == ("meta", (9, 4))


def bipartite_attention() -> Program:
    b = Builder("between", bipartite=True)
    z, q = leaf(b, "z", (2, 3), "src"), leaf(b, "q", (2, 3), "dst")
    scores = b.add("sum_to", b.add("mul", b.add("gather_src", z), b.add("gather_dst", q)), shape=(2, 1))
    alpha = b.add("edge_softmax", scores)
    joined = b.add("sum_edges", b.add("mul", alpha, b.add("gather_src", z)), side="dst", to="dst")
    back = b.add("max_edges", b.add("gather_dst", q), side="src", to="src")
    return b.build({"joined": joined, "back": back})


@pytest.mark.parametrize("where", BIPARTITE)
def test_sources_and_destinations_may_be_two_sets(where: str, kernels: KernelCache) -> None:
    program = bipartite_attention()
    check(program, random_inputs(program, BIPARTITE[where]), BIPARTITE[where], kernels)


def test_gradients_reach_neighbours_only(kernels: KernelCache) -> None:
    program, where = bipartite_attention(), BIPARTITE["one edge"]
    inputs = random_inputs(program, where)
    out = compile_program(program, dtype=torch.float64, cache=kernels)(where, inputs)["joined"]
    (gradient,) = torch.autograd.grad(out.sum(), inputs["z"])
    assert gradient.flatten(1).abs().sum(1).nonzero().flatten().tolist() == [1]


def test_duplicate_edges_count_each_time(kernels: KernelCache) -> None:
    b = Builder("counted")
    e = leaf(b, "e", (), "edge")
    program = b.build({op: b.add(op, e, **IN) for op in ("sum_edges", "mean_edges", "max_edges")})
    results = compile_program(program, cache=kernels)(graph([(0, 1)] * 3, 2), {"e": torch.tensor([1.0, 2.0, 4.0])})
    assert [float(results[op][1]) for op in results] == pytest.approx([7, 7 / 3, 4])


def test_edge_values_keep_the_users_order(kernels: KernelCache) -> None:
    b = Builder("doubled")
    x, e = leaf(b, "x", (2,)), leaf(b, "e", (), "edge")
    program = b.build({"out": b.add("mul", b.add("gather_src", x), e)})
    where = random_graph(6, 40)
    inputs = {"x": torch.randn(6, 2), "e": torch.randn(40)}
    found = compile_program(program, cache=kernels)(where, inputs)["out"]
    assert torch.equal(found, inputs["x"][torch.from_numpy(where.src)] * inputs["e"][:, None])


@pytest.mark.parametrize("bad", [-1, 4, 2**40])
@pytest.mark.parametrize("end", ["source", "destination"])
def test_ids_outside_the_graph_are_named(bad: int, end: str) -> None:
    src, dst = [0, 1, 2], [1, 2, 3]
    (src if end == "source" else dst)[1] = bad
    with pytest.raises(ValueError, match=rf"edge 1 has {end} {bad} .*ids run from 0 to 3"):
        GraphIndex(np.array(src), np.array(dst), 4, 4)


def test_wrong_tensors_are_named(kernels: KernelCache) -> None:
    compiled, where = compile_program(LAYERS["gcn"], cache=kernels), SQUARE["random"]
    good = {n: x.detach().float() for n, x in random_inputs(LAYERS["gcn"], where).items()}
    with pytest.raises(ValueError, match="param 'weight' of program 'gcn' is missing"):
        compiled(where, {n: x for n, x in good.items() if n != "weight"})
    with pytest.raises(ValueError, match=r"input 'h' must have shape \[9, 5\], got \[8, 5\]"):
        compiled(where, good | {"h": good["h"][1:]})
    with pytest.raises(ValueError, match=r"input 'h' must be torch\.float32, got torch\.float64"):
        compiled(where, good | {"h": good["h"].double()})


def test_64_bit_ids_give_the_same_numbers(kernels: KernelCache) -> None:
    program, where = LAYERS["gat"], SQUARE["random"]
    inputs = random_inputs(program, where)
    wide = GraphIndex(where.src, where.dst, where.n_src, where.n_dst)
    wide.id_bits = 64
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    assert torch.equal(compiled(wide, inputs)["out"], compiled(where, inputs)["out"])


def test_a_graph_is_indexed_once() -> None:
    where = replace(SQUARE["random"])
    assert GraphIndex.of(where) is GraphIndex.of(where)


def gated_maximum(width: int) -> Program:
    """max of a message in several roundings, plus an edge value that is zero and collects the gradient."""
    b = Builder("gated")
    x, y, e = leaf(b, "x", (width,)), leaf(b, "y", (width,)), leaf(b, "e", (width,), "edge")
    key = b.add("add", b.add("mul", b.add("gather_src", x), e), b.add("gather_dst", y))
    score = b.add("sum_to", b.add("mul", key, b.add("gather_dst", x)), shape=(1,))
    message = b.add("mul", b.add("sigmoid", b.add("add", key, score)), b.add("div", key, b.add("exp", e)))
    return b.build({"out": b.add("max_edges", b.add("add", message, leaf(b, "shift", (width,), "edge")), **IN)})


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("width", [1, 6, 33])
def test_the_gradient_of_a_maximum_finds_the_edges_that_reach_it(
    width: int, dtype: torch.dtype, kernels: KernelCache
) -> None:
    """The backward kernel computes every message again and must round it as the forward kernel did."""
    program, where = gated_maximum(width), random_graph(300, 4000)
    inputs = random_inputs(program, where, dtype=dtype)
    inputs["shift"] = torch.zeros_like(inputs["shift"]).requires_grad_()
    out = compile_program(program, dtype=dtype, cache=kernels)(where, inputs)["out"]
    (shift,) = torch.autograd.grad(out.sum(), inputs["shift"])
    handed = torch.zeros_like(out).index_add(0, torch.from_numpy(where.dst), shift)
    torch.testing.assert_close(handed, torch.ones_like(out))

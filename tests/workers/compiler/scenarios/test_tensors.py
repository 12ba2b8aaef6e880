"""Tensors and graphs as other code hands them over: views, wide ids, differentiated twice, under torch.compile."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.graphs import Graph, random_graph
from tests.workers.compiler.scenarios.running import Runner, gradients, inputs_of, layer
from workers.compiler.runtime import GraphIndex
from workers.compiler.runtime.warn_once import warn_once

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

WHERE = random_graph(7, 30)
GAT = layer("gat", out=2, heads=2, joined=4, drop=0.0)


def everything(run: Runner, where: Graph, inputs: dict[str, Tensor]) -> list[Tensor]:
    out = run(GAT, where, inputs)["out"]
    return [out.detach(), *gradients(out.square(), inputs).values()]


def same(found: list[Tensor], expected: list[Tensor]) -> None:
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-12)


def test_30_second_derivatives_are_those_of_plain_torch(run: Runner) -> None:
    warn_once.cache_clear()
    found = []
    for how in (run, Runner("reference", run.cache)):
        inputs = inputs_of(GAT, WHERE)
        first = torch.autograd.grad(how(GAT, WHERE, inputs)["out"].pow(3).sum(), inputs["h"], create_graph=True)[0]
        found.append(list(torch.autograd.grad(first.square().sum(), list(inputs.values()))))
    assert found[0][0].any()
    same(*found)


def test_32_ids_of_64_bits_give_the_same_numbers(run: Runner) -> None:
    wide = GraphIndex(WHERE.src, WHERE.dst, WHERE.n_src, WHERE.n_dst)
    wide.id_bits = 64
    found, expected = (everything(run, where, inputs_of(GAT, WHERE)) for where in (wide, WHERE))  # type: ignore[arg-type]
    same(found, expected)


def test_36_what_a_program_is_given_is_as_it_was(run: Runner) -> None:
    inputs = inputs_of(GAT, WHERE)
    before = {n: x.detach().clone() for n, x in inputs.items()}
    everything(run, WHERE, inputs)
    assert all(torch.equal(x, before[n]) for n, x in inputs.items())


def offset(x: Tensor) -> Tensor:
    return torch.cat([x.new_zeros(1), x.flatten()])[1:].reshape(x.shape)


def transposed(x: Tensor) -> Tensor:
    return x.T.contiguous().T if x.dim() == 2 else x


def repeated(x: Tensor) -> Tensor:
    return x[..., :1].expand(x.shape)


@pytest.mark.parametrize("how", [offset, transposed, repeated])
def test_42_numbers_that_lie_apart_are_read_as_they_are(how: object, run: Runner) -> None:
    assert callable(how)
    views = {n: how(x.detach()) for n, x in inputs_of(GAT, WHERE).items()}
    straight = {n: x.clone(memory_format=torch.contiguous_format) for n, x in views.items()}
    found, expected = (
        everything(run, WHERE, {n: x.requires_grad_() for n, x in side.items()}) for side in (views, straight)
    )
    same(found, expected)


def test_41_one_compiled_function_serves_two_sizes(run: Runner) -> None:
    if run.target != "triton":
        return  # the reference is plain torch, and C++ is what runtime/test_operation.py runs on
    compiled = run.compiled(GAT)
    whole = torch.compile(lambda g, i: compiled(g, i), fullgraph=True, dynamic=True, backend="aot_eager")
    for where in (WHERE, random_graph(11, 25, 1)):
        index, inputs = GraphIndex(where.src, where.dst, where.n_src, where.n_dst), inputs_of(GAT, where)
        out = whole(index, inputs)["out"]
        same([out.detach(), *gradients(out.square(), inputs).values()], everything(run, where, inputs))

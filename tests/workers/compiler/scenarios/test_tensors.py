"""Tensors and graphs as other code hands them over: views, wide ids, differentiated twice, under torch.compile."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.graphs import Graph, graph, random_graph
from tests.workers.compiler.runtime.memory import peak_of
from tests.workers.compiler.scenarios.running import Runner, gradients, inputs_of, layer
from workers.compiler.runtime import GraphIndex, executor
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


def test_23_attention_takes_memory_for_vertices_and_a_number_a_head_for_edges(run: Runner) -> None:
    heads, width = 8, 64
    where = graph([(u, v) for u in range(12) for v in range(12)], 12)
    program = layer("gat", out=width, heads=heads, joined=heads * width, drop=0.0)
    inputs = inputs_of(program, where)
    run(program, where, inputs)  # what is built once is no part of it
    held = peak_of(lambda: gradients(run(program, where, inputs)["out"], inputs))
    numbers = where.n_src * heads * width
    if run.target == "reference":
        assert held > 8 * len(where.src) * heads * width  # it does hold a row an edge: the measure would see one
    else:
        # What is sent, what comes out and their gradients; and a few numbers for each edge and head.
        assert held < 8 * (5 * numbers + 6 * len(where.src) * heads)


CANARY, FENCE = 12345.0, 64


@pytest.mark.parametrize("width", [3, 7, 33])
def test_36_kernels_write_inside_their_tensors(width: int, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that no kernel writes lie before and behind every tensor that one does."""
    if run.target == "reference":
        return  # plain torch
    guarded: list[Tensor] = []

    def fenced(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
        whole = torch.full((math.prod(shape) + 2 * FENCE,), CANARY, dtype=dtype, device=device)
        guarded.append(whole)
        return whole[FENCE:-FENCE].reshape(shape)

    monkeypatch.setattr(executor, "allocate", fenced)
    for program in (layer("gat", out=width, heads=3, joined=3 * width), layer("gcn", out=width)):
        inputs = inputs_of(program, WHERE)
        gradients(run(program, WHERE, inputs, training=True, seed=1)["out"], inputs)
    assert guarded
    assert all((x[:FENCE] == CANARY).all() and (x[-FENCE:] == CANARY).all() for x in guarded)


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

"""bfloat16 tensors, float32 arithmetic: close to float64 on the same numbers, however many edges a row has."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import leaf, random_inputs
from tests.workers.compiler.graphs import SQUARE, Graph, graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.runtime.agreement import gradients
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Program
from workers.compiler.runtime import compile_program

TOLERANCE = 2e-2
IN = {"side": "dst", "to": "vertex"}


def compare(program: Program, inputs: dict[str, Tensor], where: Graph, kernels: KernelCache) -> None:
    """Results, and all gradients as one vector, against float64 torch: the error relative to the norm."""
    compiled = compile_program(program, dtype=torch.bfloat16, cache=kernels)
    found = compiled(where, inputs, training=True, seed=7)
    exact = {n: x.detach().double().requires_grad_(x.requires_grad) for n, x in inputs.items()}
    expected = reference.run(program, exact, where, training=True, seed=7)
    close([found[n] for n in found], [expected[n] for n in found])
    close(gradients(found, inputs), gradients(expected, exact))


def close(found: list[Tensor], expected: list[Tensor]) -> None:
    assert {x.dtype for x in found} == {torch.bfloat16}
    ours, exact = (torch.cat([x.detach().double().flatten() for x in side]) for side in (found, expected))
    assert (ours - exact).norm() <= TOLERANCE * exact.norm()


def halved(program: Program, where: Graph) -> dict[str, Tensor]:
    made = random_inputs(program, where, dtype=torch.float32)
    return {n: x.detach().bfloat16().requires_grad_(x.requires_grad) for n, x in made.items()}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str, kernels: KernelCache) -> None:
    where = SQUARE["random"]
    compare(LAYERS[name], halved(LAYERS[name], where), where, kernels)


@pytest.mark.parametrize("op", ["sum_edges", "mean_edges"])
def test_a_row_of_ten_thousand_edges_loses_nothing(op: str, kernels: KernelCache) -> None:
    """Added up in bfloat16, ones would stop at 256."""
    arcs = 10_000
    where = graph([(0, 1)] * arcs + [(1, 0)], 2)
    b = Builder("row")
    x = b.add("gather_src", leaf(b, "x", (16,)))
    program = b.build({"out": b.add(op, x, **IN)})
    inputs = {"x": torch.ones(2, 16, dtype=torch.bfloat16, requires_grad=True)}
    compare(program, inputs, where, kernels)
    out = compile_program(program, dtype=torch.bfloat16, cache=kernels)(where, inputs)["out"]
    assert out[1, 0].item() == (torch.tensor(10_000.0).bfloat16().item() if op == "sum_edges" else 1)


def test_attention_over_ten_thousand_edges(kernels: KernelCache) -> None:
    arcs = 10_000
    where = graph([(k, 0) for k in range(arcs)], arcs)
    compare(LAYERS["gat"], halved(LAYERS["gat"], where), where, kernels)


def test_equal_maxima_share_the_gradient(kernels: KernelCache) -> None:
    """The kernel that looks for the edges of a maximum compares rounded numbers, as the maximum was stored rounded."""
    where = graph([(0, 3), (1, 3), (2, 3)], 4)
    b = Builder("most")
    scaled = b.add("mul", b.add("gather_src", leaf(b, "x", (16,))), b.add("constant", value=1 / 3))
    program = b.build({"out": b.add("max_edges", scaled, **IN)})
    rows = torch.tensor([1.0, 2.0, 2.0, 5.0]).bfloat16()
    x = rows[:, None].expand(4, 16).clone().requires_grad_()
    compile_program(program, dtype=torch.bfloat16, cache=kernels)(where, {"x": x})["out"][3].sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad[:, 0].float(), torch.tensor([0, 1 / 6, 1 / 6, 0]), rtol=1e-2, atol=0)

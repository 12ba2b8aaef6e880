"""Gradients of gradients: right, slow and said so, or refused; never silently zero."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import leaf, random_inputs
from tests.workers.compiler.graphs import SQUARE, random_graph
from tests.workers.compiler.layers import LAYERS
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder
from workers.compiler.runtime import compile_program
from workers.compiler.runtime.warn_once import warn_once

SLOW = "second derivatives run on the slow reference interpreter"
WHERE = random_graph(5, 12)


@pytest.fixture(autouse=True)
def _nothing_warned_of_before() -> None:
    warn_once.cache_clear()


@pytest.mark.parametrize("where", ["random", "no edges", "duplicates"])
@pytest.mark.parametrize("name", LAYERS)
def test_they_equal_those_of_plain_torch(name: str, where: str, kernels: KernelCache) -> None:
    program, graph = LAYERS[name], SQUARE[where]
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    inputs = random_inputs(program, graph)

    def seconds(results: dict[str, Tensor]) -> list[Tensor]:
        loss = results["out"].square().sum()
        firsts = torch.autograd.grad(
            loss, list(inputs.values()), create_graph=True, allow_unused=True, materialize_grads=True
        )
        penalty = torch.stack([g.square().sum() for g in firsts]).sum()
        return list(torch.autograd.grad(penalty, list(inputs.values()), allow_unused=True, materialize_grads=True))

    with pytest.warns(RuntimeWarning, match=SLOW):
        found = seconds(compiled(graph, inputs, training=True, seed=3))
    for x, y in zip(found, seconds(reference.run(program, inputs, graph, training=True, seed=3)), strict=True):
        torch.testing.assert_close(x, y, rtol=1e-8, atol=1e-8)


def test_finite_differences_agree(kernels: KernelCache) -> None:
    program = LAYERS["gat"]
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    inputs = random_inputs(program, WHERE)
    with pytest.warns(RuntimeWarning, match=SLOW):
        assert torch.autograd.gradgradcheck(
            lambda *xs: compiled(WHERE, dict(zip(inputs, xs, strict=True)))["out"], tuple(inputs.values())
        )


def test_the_warning_comes_once(kernels: KernelCache, recwarn: pytest.WarningsRecorder) -> None:
    compiled = compile_program(LAYERS["gcn"], dtype=torch.float64, cache=kernels)
    inputs = random_inputs(LAYERS["gcn"], WHERE)
    for _ in range(3):
        torch.autograd.grad(compiled(WHERE, inputs)["out"].sum(), inputs["h"], create_graph=True)
    assert [str(w.message) for w in recwarn if SLOW in str(w.message)] == [f"program 'gcn': {SLOW}"]


def test_leaves_made_from_each_other_are_differentiated_once(kernels: KernelCache) -> None:
    compiled = compile_program(LAYERS["gcn"], dtype=torch.float64, cache=kernels)
    inputs = {n: x.detach() for n, x in random_inputs(LAYERS["gcn"], WHERE).items()}
    h = inputs["h"].requires_grad_()
    norm = h.square().mean(1)
    given = inputs | {"h": h, "norm": norm}
    with pytest.warns(RuntimeWarning, match=SLOW):
        (found,) = torch.autograd.grad(compiled(WHERE, given)["out"].sum(), h, create_graph=True)
    (expected,) = torch.autograd.grad(reference.run(compiled.program, given, WHERE)["out"].sum(), h)
    torch.testing.assert_close(found, expected)


def test_a_freed_input_is_named(kernels: KernelCache) -> None:
    """Keeping every input alive for a derivative that hardly anyone takes would cost everyone memory."""
    b = Builder("spread")
    program = b.build({"out": b.add("sum_edges", b.add("gather_src", leaf(b, "x", (2,))), side="dst", to="vertex")})
    compiled = compile_program(program, dtype=torch.float64, cache=kernels)
    base = torch.ones(5, 2, dtype=torch.float64, requires_grad=True)
    out = compiled(WHERE, {"x": base * 2})["out"]
    with (
        pytest.warns(RuntimeWarning, match=SLOW),
        pytest.raises(RuntimeError, match=r"second derivative needs 'x', which was freed"),
    ):
        torch.autograd.grad(out.sum(), base, create_graph=True)


def test_a_changed_input_is_named(kernels: KernelCache) -> None:
    compiled = compile_program(LAYERS["gcn"], dtype=torch.float64, cache=kernels)
    inputs = random_inputs(LAYERS["gcn"], WHERE)
    h, norm = inputs["h"].detach(), inputs["norm"].detach()
    out = compiled(WHERE, inputs | {"h": h, "norm": norm})["out"]
    norm.mul_(2)
    with pytest.warns(RuntimeWarning, match=SLOW), pytest.raises(RuntimeError, match=r"'norm', which was written to"):
        torch.autograd.grad(out.sum(), inputs["weight"], create_graph=True)

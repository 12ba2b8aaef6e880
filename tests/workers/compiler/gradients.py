"""The oracle of all gradient tests: the joint program against torch autograd through the reference."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from workers.compiler.codegen import reference
from workers.compiler.edges import Edges
from workers.compiler.ir import Program
from workers.compiler.passes.differentiate import differentiate

Transform = Callable[[Program], Program]


def check_gradients(
    program: Program,
    inputs: dict[str, Tensor],
    graph: Edges,
    transform: Transform = lambda p: p,
    *,
    training: bool = True,
) -> None:
    """Forward results and every leaf's gradient agree with autograd, and nothing is NaN."""
    joint = differentiate(program, tuple(inputs))
    expected = reference.run(program, inputs, graph, training=training, seed=7)
    seeds = {name: _seed(x, k) for k, (name, x) in enumerate(expected.items())}
    total = sum(((expected[name] * seeds[name]).sum() for name in expected), torch.zeros(()))
    wanted = _autograd(total, inputs)
    given = {n: x.detach() for n, x in inputs.items()} | {f"grad:{n}": g for n, g in seeds.items()}
    found = reference.run(transform(joint.program), given, graph, training=training, seed=7)
    for name, x in expected.items():
        torch.testing.assert_close(found[name], x.detach(), rtol=1e-9, atol=1e-11, msg=named(name))
    for name, x in wanted.items():
        assert not found[f"grad:{name}"].isnan().any(), f"gradient of {name} has NaN"
        torch.testing.assert_close(found[f"grad:{name}"], x, rtol=1e-8, atol=1e-10, msg=named(f"gradient of {name}"))


def named(what: str) -> Callable[[str], str]:
    return lambda message: f"{what}: {message}"


def _seed(x: Tensor, k: int) -> Tensor:
    generator = torch.Generator().manual_seed(k)
    return torch.rand(x.shape, dtype=x.dtype, generator=generator) + 0.5


def _autograd(total: Tensor, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    if not total.requires_grad:
        return {name: torch.zeros_like(x) for name, x in inputs.items()}
    found = torch.autograd.grad(total, list(inputs.values()), allow_unused=True, materialize_grads=True)
    return dict(zip(inputs, found, strict=True))

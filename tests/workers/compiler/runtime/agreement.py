"""The oracle of generated code: values and gradients of the reference interpreter under torch autograd."""

from __future__ import annotations

import torch
from torch import Tensor

from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.edges import Edges
from workers.compiler.ir import Program
from workers.compiler.runtime import CompiledProgram, compile_program
from workers.compiler.runtime.targets import Target, TargetName

TOLERANCE = {torch.float64: (1e-9, 1e-11), torch.float32: (2e-4, 2e-5)}


def check(
    program: Program,
    inputs: dict[str, Tensor],
    graph: Edges,
    cache: KernelCache | None,
    *,
    training: bool = True,
    disabled: tuple[str, ...] = (),
    target: TargetName | Target = "auto",
) -> CompiledProgram:
    """Compile, run on `inputs` and compare results and every gradient with float64 torch; nothing may be NaN."""
    dtype = next(iter(inputs.values())).dtype
    compiled = compile_program(program, dtype=dtype, cache=cache, disabled=disabled, target=target)
    before = {name: x.detach().clone() for name, x in inputs.items()}
    found = compiled(graph, inputs, training=training, seed=7)
    exact = {name: x.detach().double().requires_grad_(x.requires_grad) for name, x in inputs.items()}
    agree(found, reference.run(program, exact, graph, training=training, seed=7), inputs, exact)
    for name, x in inputs.items():
        assert torch.equal(x.detach(), before[name]), f"{name} was written to"
    return compiled


def agree(
    found: dict[str, Tensor],
    expected: dict[str, Tensor],
    inputs: dict[str, Tensor],
    exact: dict[str, Tensor] | None = None,
) -> dict[str, Tensor]:
    """Results and gradients are those expected from `exact`, which are `inputs` in double precision; the gradients."""
    for name, x in expected.items():
        _close(found[name], x, name)
    wanted = [name for name, x in inputs.items() if x.requires_grad]
    slopes = dict(zip(wanted, gradients(found, inputs), strict=True))
    for (name, x), y in zip(slopes.items(), gradients(expected, exact or inputs), strict=True):
        _close(x, y, f"gradient of {name}")
    return slopes


def gradients(results: dict[str, Tensor], inputs: dict[str, Tensor]) -> list[Tensor]:
    """Of a fixed weighted sum of all results, for the inputs that want one."""
    wanted = [x for x in inputs.values() if x.requires_grad]
    total = sum((results[n] * weights(results[n], k)).sum() for k, n in enumerate(sorted(results)))
    assert isinstance(total, Tensor)
    if not wanted:
        return []
    if not total.requires_grad:
        return [torch.zeros_like(x) for x in wanted]
    return list(torch.autograd.grad(total, wanted, allow_unused=True, materialize_grads=True))


def weights(x: Tensor, k: int) -> Tensor:
    generator = torch.Generator().manual_seed(k)
    return torch.rand(x.shape, dtype=torch.float64, generator=generator).to(x.dtype) + 0.5


def _close(found: Tensor, expected: Tensor, what: str) -> None:
    assert not found.isnan().any(), f"{what} has NaN"
    rtol, atol = TOLERANCE[found.dtype]
    torch.testing.assert_close(found.double(), expected, rtol=rtol, atol=atol, msg=lambda m: f"{what}: {m}")

"""Hands compiled programs to torch: forward runs one schedule, backward another, and torch sees a single node.

This is the way of eager calls; under torch.compile and torch.export a program is an operation of `operation.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from workers.compiler.ir import Program
from workers.compiler.runtime import profile
from workers.compiler.runtime.executor import Call, Executor
from workers.compiler.runtime.second_derivatives import Leaf, differentiable_gradients


@dataclass(frozen=True)
class Variant:
    """A program compiled for one set of wanted gradients.

    `names` are those of the inputs and parameters in argument order, `leaves` their ids; `outputs` are the ids of the
    results, `saved` of what the backward reads, `seeds` of the results' gradients; `gradients` go by position in
    `leaves`.
    """

    program: Program
    names: tuple[str, ...]
    leaves: tuple[int, ...]
    outputs: tuple[int, ...]
    saved: tuple[int, ...]
    seeds: tuple[int, ...]
    gradients: dict[int, int]
    forward: Executor
    backward: Executor | None

    @property
    def name(self) -> str:
        return self.program.name

    def saved_tensor(self, i: int, tensor: Tensor) -> profile.SavedTensor:
        """What a profile says of value `i`, kept for the backward pass."""
        op, shape = self.forward.schedule.program[i].op, tuple(tensor.shape)
        return profile.SavedTensor(self.name, f"%{i}", op, shape, tensor.nbytes, i in self.leaves)


class Apply(torch.autograd.Function):
    """Results of a variant from its leaves; kernels give the first derivative, the reference any further one."""

    @staticmethod
    def forward(ctx: Any, variant: Variant, call: Call, *leaves: Tensor) -> tuple[Tensor, ...]:
        tensors = dict(zip(variant.leaves, (x.detach().contiguous() for x in leaves), strict=True))
        found = variant.forward.run(call, tensors)
        tensors |= found
        if variant.backward is not None:
            given = dict(zip(variant.leaves, leaves, strict=True))
            ctx.variant, ctx.call = variant, call
            ctx.leaves = [Leaf.of(x) for x in leaves]
            ctx.save_for_backward(*(given.get(i, tensors[i]) for i in variant.saved))
            if (record := profile.active()) is not None:
                record.save(variant.name, (variant.saved_tensor(i, tensors[i]) for i in variant.saved))
        return tuple(variant.forward.shaped(i, call, tensors) for i in variant.outputs)

    @staticmethod
    def backward(ctx: Any, *seeds: Tensor) -> tuple[Tensor | None, ...]:
        variant: Variant = ctx.variant
        again = torch.is_grad_enabled()  # the caller wants to differentiate this backward pass
        by_place = _by_reference(ctx, seeds) if again else _by_kernels(ctx, seeds)
        return None, None, *(by_place.get(k) for k in range(len(variant.leaves)))


def _by_kernels(ctx: Any, seeds: tuple[Tensor, ...]) -> dict[int, Tensor]:
    """Gradients by position in the variant's leaves."""
    variant, call = ctx.variant, ctx.call
    links = (x.detach().contiguous() for x in (*ctx.saved_tensors, *seeds))
    tensors = dict(zip((*variant.saved, *variant.seeds), links, strict=True))
    found = variant.backward.run(call, tensors) | tensors
    return {k: variant.backward.shaped(i, call, found) for k, i in variant.gradients.items()}


def _by_reference(ctx: Any, seeds: tuple[Tensor, ...]) -> dict[int, Tensor | None]:
    variant, call = ctx.variant, ctx.call
    leaves = dict(zip(variant.names, ctx.leaves, strict=True))
    wanted = [variant.names[k] for k in variant.gradients]
    how = {"training": call.training, "seed": call.seed}
    found = differentiable_gradients(variant.program, leaves, wanted, seeds, call.graph, **how)
    return {k: found.get(variant.names[k]) for k in variant.gradients}

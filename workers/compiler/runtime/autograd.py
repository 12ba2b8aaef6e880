"""Hands compiled programs to torch: forward runs one schedule, backward another, and torch sees a single node.

This is the way of eager calls; under torch.compile and torch.export a program is an operation of `operation.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from workers.compiler.ir import Program
from workers.compiler.rows import root
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

    @cached_property
    def kept_apart(self) -> tuple[int, ...]:
        """What the backward pass reads that is neither an argument nor a result."""
        program = self.forward.schedule.program
        known = {*self.leaves, *(root(program, i) for i in self.outputs)}
        return tuple(i for i in self.saved if i not in known)

    def saved_tensor(self, i: int, tensor: Tensor) -> profile.SavedTensor:
        """What a profile says of value `i`, kept for the backward pass."""
        op, shape = self.forward.schedule.program[i].op, tuple(tensor.shape)
        return profile.SavedTensor(self.name, f"%{i}", op, shape, tensor.nbytes, i in self.leaves)


class Apply(torch.autograd.Function):
    """Results of a variant from its leaves; kernels give the first derivative, the reference any further one."""

    @staticmethod
    def forward(ctx: Any, variant: Variant, call: Call, *leaves: Tensor) -> tuple[Tensor, ...]:
        tensors = dict(zip(variant.leaves, (x.detach().contiguous() for x in leaves), strict=True))
        tensors |= variant.forward.run(call, dict(tensors))
        if variant.backward is not None:
            ctx.variant, ctx.call = variant, call
            ctx.leaves = [Leaf.of(x) for x in leaves]
            given = dict(zip(variant.leaves, leaves, strict=True))
            apart = () if _is_hooked() else variant.kept_apart
            ctx.apart = {i: tensors[i] for i in apart}
            ctx.save_for_backward(*(given.get(i, tensors[i]) for i in variant.saved if i not in ctx.apart))
            if (record := profile.active()) is not None:
                record.save(variant.name, (variant.saved_tensor(i, tensors[i]) for i in variant.saved))
        return tuple(variant.forward.shaped(i, call, tensors) for i in variant.outputs)

    @staticmethod
    def backward(ctx: Any, *seeds: Tensor) -> tuple[Tensor | None, ...]:
        variant: Variant = ctx.variant
        again = torch.is_grad_enabled()  # the caller wants to differentiate this backward pass
        by_place = _by_reference(ctx, seeds) if again else _by_kernels(ctx, seeds)
        return None, None, *(by_place.get(k) for k in range(len(variant.leaves)))


def _is_hooked() -> bool:
    """Whether somebody else is to keep what is saved, as checkpointing does."""
    return torch._C._autograd._top_saved_tensors_default_hooks(True) is not None


def _by_kernels(ctx: Any, seeds: tuple[Tensor, ...]) -> dict[int, Tensor]:
    """Gradients by position in the variant's leaves.

    What the forward pass kept apart is let go of by the step that reads it last, unless there may be another backward.
    """
    variant, call = ctx.variant, ctx.call
    read = [i for i in variant.saved if i not in ctx.apart]
    links = (x.detach().contiguous() for x in (*ctx.saved_tensors, *seeds))
    tensors = dict(zip((*read, *variant.seeds), links, strict=True)) | ctx.apart
    if not torch._C._autograd._get_current_graph_task_keep_graph():
        ctx.apart = dict.fromkeys(ctx.apart)
    found = variant.backward.run(call, tensors)
    return {k: variant.backward.shaped(i, call, found) for k, i in variant.gradients.items()}


def _by_reference(ctx: Any, seeds: tuple[Tensor, ...]) -> dict[int, Tensor | None]:
    variant, call = ctx.variant, ctx.call
    leaves = dict(zip(variant.names, ctx.leaves, strict=True))
    wanted = [variant.names[k] for k in variant.gradients]
    how = {"training": call.training, "seed": call.seed}
    found = differentiable_gradients(variant.program, leaves, wanted, seeds, call.graph, **how)
    return {k: found.get(variant.names[k]) for k in variant.gradients}

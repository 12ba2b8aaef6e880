"""Activation checkpointing: part of a program keeps what it reads, and runs again in the backward for all else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

Body = Callable[[Sequence[Tensor], bool], list[Tensor]]  # outputs of the part; whether it runs for the second time


def recomputed(body: Body, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Outputs of `body`, which keep nothing but `tensors`. The second run must give what the first gave."""
    if not torch.is_grad_enabled() or not any(x.requires_grad for x in tensors):
        return body(tensors, False)
    outputs: tuple[Tensor, ...] = _Recomputed.apply(body, *tensors)
    return list(outputs)


class _Recomputed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, body: Body, *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.body = body
        ctx.save_for_backward(*tensors)
        outputs = body(tensors, False)
        ctx.mark_non_differentiable(*(x for x in outputs if not x.is_floating_point()))
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        tensors = [x.detach().requires_grad_(x.requires_grad) for x in ctx.saved_tensors]
        with torch.enable_grad():
            outputs = ctx.body(tensors, True)
        wanted = [(out, grad) for out, grad in zip(outputs, grads, strict=True) if out.requires_grad]
        torch.autograd.backward([out for out, _ in wanted], [grad for _, grad in wanted])
        return None, *(x.grad for x in tensors)

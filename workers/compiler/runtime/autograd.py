"""Hands compiled programs to torch: forward runs one schedule, backward another, and torch sees a single node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from workers.compiler.runtime import profile
from workers.compiler.runtime.executor import Call, Executor

SECOND_DERIVATIVES = "compiled programs have no second derivatives; run the program with the reference interpreter"


@dataclass(frozen=True)
class Variant:
    """A program compiled for one set of wanted gradients.

    `leaves` are the ids of the inputs and parameters in argument order, `outputs` of the results; `saved` of what
    the backward reads; `seeds` of the results' gradients; `gradients` by position in `leaves`.
    """

    name: str
    leaves: tuple[int, ...]
    outputs: tuple[int, ...]
    saved: tuple[int, ...]
    seeds: tuple[int, ...]
    gradients: dict[int, int]
    forward: Executor
    backward: Executor | None


class Apply(torch.autograd.Function):
    """Results of a variant from its leaves, differentiable once."""

    @staticmethod
    def forward(ctx: Any, variant: Variant, call: Call, *leaves: Tensor) -> tuple[Tensor, ...]:
        tensors = dict(zip(variant.leaves, (x.detach().contiguous() for x in leaves), strict=True))
        found = variant.forward.run(call, tensors)
        tensors |= found
        given = dict(zip(variant.leaves, leaves, strict=True))
        kept = [given.get(i, tensors[i]) for i in variant.saved]
        ctx.variant, ctx.call = variant, call
        ctx.save_for_backward(*kept)
        if (record := profile.active()) is not None:
            record.saved(variant.name, sum(tensors[i].nbytes for i in variant.saved if i not in variant.leaves))
        return tuple(variant.forward.shaped(i, call, tensors) for i in variant.outputs)

    @staticmethod
    def backward(ctx: Any, *seeds: Tensor) -> tuple[Tensor | None, ...]:
        variant: Variant = ctx.variant
        assert variant.backward is not None
        links = (*ctx.saved_tensors, *seeds)
        read = (x.detach().contiguous() for x in links)
        tensors = dict(zip((*variant.saved, *variant.seeds), read, strict=True))
        with torch.no_grad():
            found = variant.backward.run(ctx.call, tensors)
            wanted = [variant.gradients.get(k) for k in range(len(variant.leaves))]
            out = [None if i is None else variant.backward.shaped(i, ctx.call, found | tensors) for i in wanted]
        if torch.is_grad_enabled():
            out = list(_Last.apply(len(links), *links, *out))
        return None, None, *out


class _Last(torch.autograd.Function):
    """Stands where second derivatives would begin and says that there are none."""

    @staticmethod
    def forward(_ctx: Any, skip: int, *tensors: Tensor | None) -> tuple[Tensor | None, ...]:
        return tuple(None if t is None else t.view_as(t) for t in tensors[skip:])

    @staticmethod
    def backward(_ctx: Any, *_: Tensor) -> tuple[None, ...]:
        raise NotImplementedError(SECOND_DERIVATIVES)

"""Batch norm in training over a batch that is split: the sums are summed over the ranks, there and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Sum = Callable[[Tensor], Tensor]


def split_batch_norm(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float,
    eps: float,
    count: int,
    there: Sum,
    back: Sum,
) -> Tensor:
    """x[n, c, ...] of a batch with `count` elements a channel everywhere; running statistics are written in place."""
    shift = torch.zeros_like(x[0, :, ...].flatten(1)[:, 0]) if running_mean is None else running_mean
    mean, var = _moments(x.detach(), shift.detach(), count, there)
    if running_mean is not None and running_var is not None:
        _follow(running_mean, mean, momentum)
        _follow(running_var, var * (count / (count - 1)), momentum)
    inverse = torch.rsqrt(var + eps)
    weight = torch.ones_like(shift) if weight is None else weight
    bias = torch.zeros_like(shift) if bias is None else bias
    out: Tensor = _Normalised.apply(x, weight, bias, mean.to(x.dtype), inverse.to(x.dtype), count, back)
    return out


def _moments(x: Tensor, shift: Tensor, count: int, there: Sum) -> tuple[Tensor, Tensor]:
    """Mean and biased variance a channel in float64, from sums of what is left over a shift, which keeps digits."""
    over = [dim for dim in range(x.dim()) if dim != 1]
    left = x - _channels(shift, x)
    first, second = there(torch.stack([left.sum(over), left.square_().sum(over)]).double()) / count
    return first + shift, second - first * first


def _follow(running: Tensor, now: Tensor, momentum: float) -> None:
    running.mul_(1 - momentum).add_(now.to(running.dtype), alpha=momentum)


def _channels(per_channel: Tensor, x: Tensor) -> Tensor:
    return per_channel.reshape(1, -1, *[1] * (x.dim() - 2))


class _Normalised(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, inverse: Tensor, count: int, back: Sum
    ) -> Tensor:
        ctx.save_for_backward(x, weight, mean, inverse)
        ctx.count, ctx.back = count, back
        return (x - _channels(mean, x)) * _channels(inverse * weight, x) + _channels(bias, x)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        x, weight, mean, inverse = ctx.saved_tensors
        grad: Tensor = grads[0]
        over = [dim for dim in range(x.dim()) if dim != 1]
        normal = (x - _channels(mean, x)) * _channels(inverse, x)
        here = torch.stack([grad.sum(over), (grad * normal).sum(over)])
        first, second = ctx.back(here) / ctx.count
        into = (grad - _channels(first, x) - normal * _channels(second, x)) * _channels(inverse * weight, x)
        return into, here[1], here[0], None, None, None, None

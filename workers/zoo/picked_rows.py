"""Some rows of a tensor, each at most once: their gradient is copied back, where torch would add it up."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _Picked(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, rows: Tensor) -> Tensor:
        ctx.save_for_backward(rows)
        ctx.shape = x.shape
        return x.index_select(0, rows)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None]:
        (rows,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_copy_(0, rows, g), None


def picked(x: Tensor, rows: Tensor) -> Tensor:
    """x[rows] for distinct rows, int64[M]; a view where they follow one another, as those of one type do."""
    if _one_stretch(rows):
        return x.narrow(0, int(rows[0]), len(rows))
    found: Tensor = _Picked.apply(x, rows)  # type: ignore[no-untyped-call]
    return found


def _one_stretch(rows: Tensor) -> bool:
    """Whether each row is the one after the row before."""
    return len(rows) > 0 and int(rows[-1] - rows[0]) == len(rows) - 1 and bool((rows.diff() == 1).all())

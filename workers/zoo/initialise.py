"""How a layer's tensors start, by the names the layer table uses. Torch; only what builds modules imports it."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from workers.zoo.signature import Init


def start(shape: tuple[int, ...], init: Init, dtype: torch.dtype, random: torch.Generator) -> Tensor:
    """A new tensor [*shape] of `dtype`; drawn in float64, so that runs of both formats start from the same numbers."""
    return _STARTS[init](shape, random).to(dtype)


def _uniform(bound: float, shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    return (2 * torch.rand(shape, dtype=torch.float64, generator=random) - 1) * bound


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of a matrix; a vector counts as one row."""
    return (shape[-2], shape[-1]) if len(shape) > 1 else (1, shape[-1])


def _glorot(shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    """Glorot and Bengio 2010: uniform with variance 2 / (rows + columns)."""
    return _uniform(math.sqrt(6 / max(1, sum(_fans(shape)))), shape, random)


def _kaiming(shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    """He et al. 2015 for ReLU: uniform with variance 2 / rows."""
    return _uniform(math.sqrt(6 / max(1, _fans(shape)[0])), shape, random)


def _fan_in(shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    return _uniform(1 / math.sqrt(max(1, _fans(shape)[0])), shape, random)


def _rows(shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    """As glorot for a single row, so that rows start the same however many there are."""
    return _uniform(math.sqrt(6 / (1 + shape[-1])), shape, random)


_STARTS: dict[Init, Callable[[tuple[int, ...], torch.Generator], Tensor]] = {
    "glorot_uniform": _glorot,
    "kaiming_uniform": _kaiming,
    "uniform_fan_in": _fan_in,
    "rows": _rows,
    "zeros": lambda shape, random: torch.zeros(shape, dtype=torch.float64),
    "ones": lambda shape, random: torch.ones(shape, dtype=torch.float64),
}

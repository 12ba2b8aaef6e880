"""A model to plan for: the module, and inputs to capture it with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True)
class Example:
    """`model(*inputs)` is the loss of a step, a mean over the batch."""

    model: nn.Module
    inputs: tuple[Any, ...]  # tensors, or lists of them


def random(seed: int) -> torch.Generator:
    """What inputs are drawn from."""
    return torch.Generator().manual_seed(seed)

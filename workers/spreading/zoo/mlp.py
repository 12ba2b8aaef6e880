"""A multi-layer perceptron."""

from __future__ import annotations

from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import MlpSizes


class Mlp(nn.Module):
    """x [B, features] and classes [B] to the loss."""

    def __init__(self, sizes: MlpSizes) -> None:
        super().__init__()
        widths = [sizes.features, *[sizes.width] * sizes.layers]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.out = nn.Linear(sizes.width, sizes.classes)

    def forward(self, x: Tensor, classes: Tensor) -> Tensor:
        for layer in self.hidden:
            x = F.relu(layer(x))
        return F.cross_entropy(self.out(x), classes)


def mlp(sizes: MlpSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    x = torch.randn(sizes.batch, sizes.features, generator=drawn)
    return Example(Mlp(sizes), (x, torch.randint(sizes.classes, (sizes.batch,), generator=drawn)))

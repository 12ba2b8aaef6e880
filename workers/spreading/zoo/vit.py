"""A vision Transformer."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.block import Block
from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import VitSizes


class Vit(nn.Module):
    """images [B, channels, side, side] and classes [B] to the loss."""

    def __init__(self, sizes: VitSizes) -> None:
        super().__init__()
        self.patches = nn.Conv2d(sizes.channels, sizes.width, sizes.patch, stride=sizes.patch)
        self.positions = nn.Parameter(torch.randn((sizes.image // sizes.patch) ** 2, sizes.width) * 0.02)
        self.blocks = nn.ModuleList(
            Block(sizes.width, sizes.heads, sizes.hidden, causal=False) for _ in range(sizes.layers)
        )
        self.norm = nn.LayerNorm(sizes.width)
        self.out = nn.Linear(sizes.width, sizes.classes)

    def forward(self, images: Tensor, classes: Tensor) -> Tensor:
        x = self.patches(images).flatten(2).transpose(1, 2) + self.positions
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.out(self.norm(x).mean(1)), classes)


def vit(sizes: VitSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    images = torch.randn(sizes.batch, sizes.channels, sizes.image, sizes.image, generator=drawn)
    return Example(Vit(sizes), (images, torch.randint(sizes.classes, (sizes.batch,), generator=drawn)))

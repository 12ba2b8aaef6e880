"""A wide residual network (Zagoruyko and Komodakis, 2016): batch norm and ReLU before each convolution."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import WideResnetSizes


class Residual(nn.Module):
    """x [B, a, H, W] to [B, b, H / stride, W / stride]."""

    def __init__(self, a: int, b: int, stride: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.BatchNorm2d(a), nn.BatchNorm2d(b)
        self.conv1 = nn.Conv2d(a, b, 3, stride=stride, padding=1, bias=False)
        self.conv2 = nn.Conv2d(b, b, 3, padding=1, bias=False)
        self.past = nn.Conv2d(a, b, 1, stride=stride, bias=False) if a != b or stride > 1 else None

    def forward(self, x: Tensor) -> Tensor:
        active = F.relu(self.norm1(x))
        past = x if self.past is None else self.past(active)
        changed: Tensor = self.conv2(F.relu(self.norm2(self.conv1(active))))
        return past + changed


class WideResnet(nn.Module):
    """images [B, channels, side, side] and classes [B] to the loss."""

    def __init__(self, sizes: WideResnetSizes) -> None:
        super().__init__()
        widths = [sizes.base * sizes.widen * factor for factor in (1, 2, 4)]
        self.first = nn.Conv2d(sizes.channels, widths[0], 3, padding=1, bias=False)
        self.blocks = nn.ModuleList()
        before = widths[0]
        for stage, width in enumerate(widths):
            for block in range(sizes.blocks):
                self.blocks.append(Residual(before, width, stride=2 if stage and not block else 1))
                before = width
        self.norm = nn.BatchNorm2d(before)
        self.out = nn.Linear(before, sizes.classes)

    def forward(self, images: Tensor, classes: Tensor) -> Tensor:
        x = self.first(images)
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.out(F.relu(self.norm(x)).mean((2, 3))), classes)


def wide_resnet(sizes: WideResnetSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    images = torch.randn(sizes.batch, sizes.channels, sizes.image, sizes.image, generator=drawn)
    return Example(WideResnet(sizes), (images, torch.randint(sizes.classes, (sizes.batch,), generator=drawn)))

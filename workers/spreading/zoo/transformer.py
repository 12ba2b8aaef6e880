"""A Transformer language model (GPT-2's shape: learned positions, pre-norm)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.block import Block
from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import TransformerSizes


class Transformer(nn.Module):
    """tokens [B, L] and the tokens that follow [B, L] to the loss."""

    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Parameter(torch.randn(sizes.length, sizes.width) * 0.02)
        self.blocks = nn.ModuleList(
            Block(sizes.width, sizes.heads, sizes.hidden, causal=True) for _ in range(sizes.layers)
        )
        self.norm = nn.LayerNorm(sizes.width)
        self.out = nn.Linear(sizes.width, sizes.vocabulary, bias=False)

    def forward(self, tokens: Tensor, following: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions
        for block in self.blocks:
            x = block(x)
        logits = self.out(self.norm(x))
        return F.cross_entropy(logits.transpose(1, 2), following)


def transformer(sizes: TransformerSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    text = torch.randint(sizes.vocabulary, (sizes.batch, sizes.length + 1), generator=drawn)
    return Example(Transformer(sizes), (text[:, :-1].contiguous(), text[:, 1:].contiguous()))

"""A block of a Transformer: attention and a two-layer net, each after a norm and added to what comes in.

Queries, keys and values are projected apart and viewed as [B, L, H, D], so columns of a projection split into heads.
"""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    """x [B, L, width] to the same."""

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self._heads(projected(x)) for projected in (self.q, self.k, self.v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        out: Tensor = self.out(mixed.transpose(1, 2).reshape(x.shape))
        return out

    def _heads(self, x: Tensor) -> Tensor:
        """[B, L, width] to [B, H, L, D]."""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)


class Block(nn.Module):
    """x [B, L, width] to the same."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool) -> None:
        super().__init__()
        self.attention = Attention(width, heads, causal)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.norm_attention, self.norm_net = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm_attention(x))
        changed: Tensor = self.down(F.gelu(self.up(self.norm_net(x))))
        return x + changed

"""An LSTM language model. All layers are one operator, as torch runs them."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import LstmSizes


class Lstm(nn.Module):
    """tokens [B, L] and the tokens that follow [B, L] to the loss."""

    def __init__(self, sizes: LstmSizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.layers = nn.LSTM(sizes.width, sizes.width, sizes.layers, batch_first=True)
        self.out = nn.Linear(sizes.width, sizes.vocabulary)

    def forward(self, tokens: Tensor, following: Tensor) -> Tensor:
        x, _ = self.layers(self.tokens(tokens))
        return F.cross_entropy(self.out(x).transpose(1, 2), following)


def lstm(sizes: LstmSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    text = torch.randint(sizes.vocabulary, (sizes.batch, sizes.length + 1), generator=drawn)
    return Example(Lstm(sizes), (text[:, :-1].contiguous(), text[:, 1:].contiguous()))

"""A deep learning recommendation model (Naumov et al., 2019): which items a user clicks."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.zoo.example import Example, random
from workers.spreading.zoo.sizes import DlrmSizes


class Dlrm(nn.Module):
    """dense [B, dense], ids [B] of every table and clicks [B] to the loss."""

    def __init__(self, sizes: DlrmSizes) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(sizes.rows, sizes.width) for _ in range(sizes.tables))
        self.bottom1, self.bottom2 = nn.Linear(sizes.dense, sizes.hidden), nn.Linear(sizes.hidden, sizes.width)
        pairs = (sizes.tables + 1) ** 2
        self.top1, self.top2 = nn.Linear(sizes.width + pairs, sizes.hidden), nn.Linear(sizes.hidden, 1)

    def forward(self, dense: Tensor, ids: list[Tensor], clicks: Tensor) -> Tensor:
        x = F.relu(self.bottom2(F.relu(self.bottom1(dense))))
        rows = torch.stack([x, *(table(at) for table, at in zip(self.tables, ids, strict=True))], 1)  # B, tables + 1, E
        products = torch.bmm(rows, rows.transpose(1, 2)).flatten(1)
        scores = self.top2(F.relu(self.top1(torch.cat([x, products], 1)))).squeeze(1)
        return F.binary_cross_entropy_with_logits(scores, clicks)


def dlrm(sizes: DlrmSizes, seed: int = 0) -> Example:
    drawn = random(seed)
    dense = torch.randn(sizes.batch, sizes.dense, generator=drawn)
    ids = [torch.randint(sizes.rows, (sizes.batch,), generator=drawn) for _ in range(sizes.tables)]
    clicks = torch.randint(2, (sizes.batch,), generator=drawn).float()
    return Example(Dlrm(sizes), (dense, ids, clicks))

"""A contender's first steps, without dropout."""

from __future__ import annotations

import torch

from workers.training.comparison.race import Racer


def losses(racer: Racer, steps: int = 4) -> list[float]:
    """Of plain gradient descent; those of two contenders agree where scores and gradients do."""
    forward = racer.start()
    racer.module.eval()
    optimizer = torch.optim.SGD(racer.module.parameters(), 0.05)
    return [_step(racer, forward(step), optimizer) for step in range(1, steps + 1)]


def _step(racer: Racer, scores: torch.Tensor, optimizer: torch.optim.Optimizer) -> float:
    optimizer.zero_grad()
    loss = racer.loss(scores)
    loss.backward()
    optimizer.step()
    return float(loss.detach())

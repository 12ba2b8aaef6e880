"""A peer's layer over dictionaries of types, as a layer over the rows of all vertices."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from workers.systems.hgl.comparison.typed_graph import TypedGraph


class Walked(Protocol):
    """A peer's graph, and how its layers over dictionaries are called with it."""

    @property
    def typed(self) -> TypedGraph: ...

    def walk(self, layer: nn.Module, rows: dict[str, Tensor]) -> dict[str, Tensor | None]:
        """Rows [n_t, width] of the types that `layer` gives any."""
        ...


class ByType(nn.Module):
    """The layer, and beside it what a vertex adds by its type, where there is such a part."""

    def __init__(self, layer: nn.Module, width: int, itself: nn.Module | None = None) -> None:
        super().__init__()
        self.layer, self.width, self.itself = layer, width, itself

    def forward(self, where: Walked, x: Tensor) -> Tensor:
        """[N, F] to [N, width]"""
        rows = where.typed.rows(x)
        found = where.typed.together(where.walk(self.layer, rows), x, self.width)
        return found if self.itself is None else found + torch.cat(list(self.itself(rows).values()))


def call(layer: nn.Module, where: Walked, x: Tensor) -> Tensor:
    found: Tensor = layer(where, x)
    return found

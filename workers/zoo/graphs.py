"""The variants of one graph that layers ask for: with or without self-loops, with normalising degrees. Torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.zoo.signature import Preparation


@dataclass(frozen=True)
class Prepared:
    """A graph as one layer wants it, and the vertex features that come with it by name."""

    graph: Any
    features: Mapping[str, Tensor]


class Graphs:
    """Builds every asked-for variant once. `index(src, dst, n)` makes the graph object that the kernels walk."""

    def __init__(
        self,
        src: NDArray[np.int64],
        dst: NDArray[np.int64],
        n: int,
        index: Callable[[NDArray[np.int64], NDArray[np.int64], int], Any],
        dtype: torch.dtype,
    ) -> None:
        self.src, self.dst, self.n, self.index, self.dtype = src, dst, n, index, dtype
        self._graphs: dict[bool, Any] = {}
        self._norms: dict[bool, Tensor] = {}

    def prepared(self, wanted: Preparation) -> Prepared:
        features = {"norm": self._norm(wanted.self_loops)} if wanted.norm else {}
        return Prepared(self._graph(wanted.self_loops), features)

    def _ends(self, self_loops: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if not self_loops:
            return self.src, self.dst
        kept, loops = self.src != self.dst, np.arange(self.n)
        return np.concatenate([self.src[kept], loops]), np.concatenate([self.dst[kept], loops])

    def _graph(self, self_loops: bool) -> Any:
        if self_loops not in self._graphs:
            self._graphs[self_loops] = self.index(*self._ends(self_loops), self.n)
        return self._graphs[self_loops]

    def _norm(self, self_loops: bool) -> Tensor:
        """[N]: 1 / sqrt(in-degree), 0 for vertices without in-edges."""
        if self_loops not in self._norms:
            degree = np.bincount(self._ends(self_loops)[1], minlength=self.n).astype(np.float64)
            norm = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0)
            self._norms[self_loops] = torch.from_numpy(norm).to(self.dtype)
        return self._norms[self_loops]

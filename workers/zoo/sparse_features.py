"""Features that are mostly zeros, kept as their entries through the first product of a model, forward and backward.

`x @ W` is a sum over the entries of each row, so it is run as a vertex program over the bipartite graph whose sources
are the columns of x, whose destinations are its rows and whose edges are its entries; the gradient of W is the same
sum over the entries of each column. Both are generated kernels like all others: no atomics, no dependence on threads.

Shape letters: N rows, F columns, Z entries, O columns of a weight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor

from workers.compiler.runtime import CompiledProgram, GraphIndex, compile_program
from workers.compiler.two_sides import split_sides
from workers.core.dataset import SparseRows
from workers.zoo.reading import read_program, zoo_source
from workers.zoo.typed_features import TypedFeatures

FIRST_PRODUCT = "/features"
"""What the product's program is called behind the name of the node it belongs to."""


@dataclass(frozen=True)
class SparseFeatures:
    """A matrix [N, F] by its entries: edge k of `entries` runs from the column to the row of values[k]; values [Z]."""

    entries: GraphIndex
    values: Tensor

    @classmethod
    def of(cls, rows: SparseRows, dtype: torch.dtype) -> SparseFeatures:
        """Raises ValueError for a column outside the matrix."""
        n = len(rows.indptr) - 1
        row = np.repeat(np.arange(n), np.diff(rows.indptr))
        return cls(GraphIndex(rows.indices, row, rows.columns, n), torch.from_numpy(rows.data).to(dtype))

    def rows(self, ids: Tensor) -> SparseFeatures:
        """The rows `ids` int64[M] in that order, as a matrix [M, F]."""
        half = self.entries.by_dst
        starts, counts = half.ptr[ids.numpy()], np.diff(half.ptr)[ids.numpy()]
        row = np.repeat(np.arange(len(counts)), counts)
        place = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(len(row))
        taken = GraphIndex(half.other[place], row, self.entries.n_src, len(counts))
        return replace(self, entries=taken, values=self.values[torch.from_numpy(half.edge[place].astype(np.int64))])

    @property
    def shape(self) -> tuple[int, int]:
        return self.entries.n_dst, self.entries.n_src

    def __len__(self) -> int:
        return self.entries.n_dst

    def dropout(self, p: float, *, training: bool, seed: int) -> SparseFeatures:
        """The same with a share p of its entries zeroed and the rest scaled up, while training."""
        if not training or p == 0:
            return self
        inputs = {"h": self.values[:, None]}
        dropped = _dropout(p, self.values.dtype)(self._alone, inputs, training=True, seed=seed)["out"]
        return replace(self, values=dropped[:, 0])

    @cached_property
    def _alone(self) -> GraphIndex:
        """The entries as vertices without edges, made once and not every epoch."""
        return GraphIndex((), (), len(self.values), len(self.values))

    def dense(self) -> Tensor:
        """[N, F]."""
        out = torch.zeros(self.shape, dtype=self.values.dtype)
        out[torch.from_numpy(self.entries.dst), torch.from_numpy(self.entries.src)] = self.values
        return out


def product(x: Tensor | SparseFeatures | TypedFeatures, weight: Tensor, multiply: CompiledProgram) -> Tensor:
    """`x @ weight` [N, O], differentiable by the weight [F, O]; entries go through `multiply` of `entries_product`."""
    if not isinstance(x, SparseFeatures):
        return dense(x) @ weight
    return multiply(x.entries, {"src:weight": weight, "value": x.values})["out"]


def entries_product(owner: str, width: int, dtype: torch.dtype) -> CompiledProgram:
    """The program that multiplies entries with a weight of `width` columns, named after the node it belongs to."""
    program = read_program(zoo_source("entries_product"), {"out": width})
    return compile_program(replace(split_sides(program), name=f"{owner}{FIRST_PRODUCT}"), dtype=dtype)


def dense(x: Tensor | SparseFeatures | TypedFeatures) -> Tensor:
    """`x` as an ordinary matrix."""
    assert not isinstance(x, TypedFeatures), "only a type encoder reads what types say"
    return x.dense() if isinstance(x, SparseFeatures) else x


@lru_cache(maxsize=16)
def _dropout(p: float, dtype: torch.dtype) -> CompiledProgram:
    return compile_program(read_program(zoo_source("dropout"), {"in": 1, "p": p}), dtype=dtype)

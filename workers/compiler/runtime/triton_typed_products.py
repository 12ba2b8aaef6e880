"""Products of rows with the matrix of their relation or type in Triton: all kinds in one launch.

Rows of a kind are cut into tiles, whose list is made once a graph. Sums over the rows of a kind are made piece by piece
and joined in order, so nothing depends on which program runs first.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import torch
import triton.language as tl
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.codegen.skeletons import SKELETONS
from workers.compiler.codegen.triton_blocks import padded
from workers.compiler.codegen.triton_expressions import SCALARS
from workers.compiler.runtime.device_graph import array_on_device
from workers.compiler.runtime.typed_products import Rows

LEAST = 16  # what a block product takes at least, along every axis
MOST = 64  # and what a program takes at once
PIECE = 1024  # rows that are summed by themselves
JOINED = 256  # numbers a program joins


@dataclass(frozen=True)
class Tiles:
    """int32 or int64 [tiles]: the kind of each tile, its rows; starts [kinds + 1]: the first tile of each kind."""

    kind: NDArray[Any]
    first: NDArray[Any]
    end: NDArray[Any]
    starts: NDArray[Any]


_TILES: dict[tuple[int, int, int], Tiles] = {}


def tiles(bounds: NDArray[Any], blocks: int, rows: int) -> Tiles:
    """Tiles of `rows` products each, `blocks` of them a row; made once and kept as long as the bounds."""
    key = id(bounds), blocks, rows
    if key not in _TILES:
        _TILES[key] = _cut(bounds * blocks, rows)
        weakref.finalize(bounds, _TILES.pop, key, None)
    return _TILES[key]


def _cut(bounds: NDArray[Any], rows: int) -> Tiles:
    counts = -(-np.diff(bounds) // rows)
    starts = np.concatenate([[0], np.cumsum(counts)])
    kind = np.repeat(np.arange(len(counts)), counts)
    first = bounds[kind] + (np.arange(len(kind)) - starts[kind]) * rows
    end = np.minimum(first + rows, bounds[kind + 1])
    ids = np.int32 if bounds[-1] < 2**31 else np.int64
    return Tiles(*(np.ascontiguousarray(a, ids) for a in (kind, first, end, starts)))


def typed_products_text(dtype: str) -> str:
    """The Triton source of the products for numbers of `dtype`."""
    return SKELETONS.get_template("typed_products.py.jinja").render(scalar=SCALARS[dtype])


@dataclass(frozen=True)
class TritonTypedProducts:
    """Both products as functions of `module`."""

    module: ModuleType

    def multiply(self, rows: Rows, weight: Tensor, out: Tensor) -> None:
        """out[r] = row r times the matrix of its kind. weight: [kinds, K, C], however it lies; out: [rows, ..., C]."""
        _, depth, columns = weight.shape
        blocks, device = rows.blocks(depth), out.device
        block_rows, block_columns = MOST, _block(columns)
        cut = tiles(rows.bounds, blocks, block_rows)
        if not len(cut.kind):
            return
        self.module.product[(len(cut.kind), -(-columns // block_columns))](
            rows.x, _picks(rows, device), weight, out, *_on(device, cut.kind, cut.first, cut.end), *weight.stride(),
            DEPTH=depth, COLUMNS=columns, BLOCKS=blocks, PICKED=rows.index is not None,
            BR=block_rows, BD=_block(depth), BC=block_columns, I=_numbering(rows.x, out),
        )  # fmt: skip

    def multiply_transposed(self, rows: Rows, g: Rows, out: Tensor) -> None:
        """out[kind] = sum over its rows of the transposed row times g's. out: [kinds, K, C]."""
        kinds, depth, columns = out.shape
        blocks, device, size = rows.blocks(depth), out.device, depth * columns
        cut = tiles(rows.bounds, blocks, PIECE)
        parts = torch.empty((max(1, len(cut.kind)), size), dtype=_sums(out.dtype), device=device)
        d, c = _block(depth), _block(columns)
        if len(cut.kind):
            self.module.transposed[(len(cut.kind), -(-depth // d), -(-columns // c))](
                rows.x, _picks(rows, device), g.x, _picks(g, device), parts, *_on(device, cut.first, cut.end),
                DEPTH=depth, COLUMNS=columns, BLOCKS=blocks, PICKED=rows.index is not None,
                G_PICKED=g.index is not None, BR=MOST, BD=d, BC=c, I=_numbering(rows.x, g.x),
            )  # fmt: skip
        if kinds:
            starts = array_on_device(cut.starts, device)
            self.module.join[(kinds, -(-size // JOINED))](parts, starts, out, SIZE=size, B=JOINED)


def _on(device: torch.device, *arrays: NDArray[Any]) -> list[Tensor]:
    return [array_on_device(a, device) for a in arrays]


def _picks(rows: Rows, device: torch.device) -> Tensor:
    """Which rows are picked; any tensor where they are taken as they are."""
    return rows.x if rows.index is None else array_on_device(rows.index, device)


def _block(size: int) -> int:
    return max(LEAST, min(MOST, padded(size)))


def _numbering(*tensors: Tensor) -> tl.dtype:
    """What counts every number of every tensor."""
    return tl.int32 if max(x.numel() for x in tensors) < 2**31 else tl.int64


def _sums(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype is torch.bfloat16 else dtype

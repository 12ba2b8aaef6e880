"""Products of rows with the matrix of their relation or type: all kinds in one call, however many there are.

Rows of a kind lie side by side. Work is cut into pieces of one kind each, which threads share; the cut is made by the
numbers of rows alone, so results do not depend on threads. A kind without rows costs a comparison.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.codegen.expressions import IDS, SCALARS
from workers.compiler.codegen.skeletons import SKELETONS
from workers.compiler.runtime.products import PANEL, PIECE, PIECES, SERIAL_BELOW


class _TypedProduct(ctypes.Structure):
    """`struct TypedProduct` of the template."""

    _fields_ = (
        ("kinds", ctypes.c_int64),
        ("depth", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("bounds", ctypes.c_void_p),
        ("blocks", ctypes.c_int64),
        ("a", ctypes.c_void_p),
        ("index", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("b_index", ctypes.c_void_p),
        ("b_by_kind", ctypes.c_int64),
        ("b_by_row", ctypes.c_int64),
        ("b_by_column", ctypes.c_int64),
        ("out", ctypes.c_void_p),
        ("scratch", ctypes.c_void_p),
        ("threads", ctypes.c_int64),
    )


@dataclass(frozen=True)
class Rows:
    """x: [rows, ..., K], contiguous. With `index`, Id[rows], row r is x[index[r]]. bounds: int64[kinds + 1]."""

    x: Tensor
    bounds: NDArray[Any]
    index: NDArray[Any] | None = None

    @property
    def count(self) -> int:
        return int(self.bounds[-1])

    def blocks(self, depth: int) -> int:
        """Products a row, where one takes `depth` numbers."""
        return self.x.numel() // (max(self.x.shape[0], 1) * depth) or 1

    def by_hand(self) -> Tensor:
        """The rows as one tensor."""
        return self.x if self.index is None else self.x[torch.from_numpy(self.index).long()]


def typed_products_source(dtype: str, id_bits: int) -> str:
    """The C++ of both products for numbers of `dtype`: float32 or float64."""
    return SKELETONS.get_template("typed_products.cpp.jinja").render(scalar=SCALARS[dtype], id=IDS[id_bits])


@dataclass(frozen=True)
class TypedProducts:
    """Both products as machine code."""

    library: ctypes.CDLL

    def multiply(self, rows: Rows, weight: Tensor, out: Tensor) -> None:
        """out[r] = row r times the matrix of its kind. weight: [kinds, K, C], however it lies; out: [rows, ..., C]."""
        kinds, depth, columns = weight.shape
        scratch = torch.empty(kinds * (columns + PANEL) * depth, dtype=out.dtype)
        starts = (ctypes.c_int64 * (kinds + 1))()
        steps = weight.stride(0), weight.stride(1), weight.stride(2)
        call = self._call(rows, (kinds, depth, columns), Rows(weight, rows.bounds), steps, out, scratch)
        self.library.asterism_typed_product(ctypes.byref(call), starts)

    def multiply_transposed(self, rows: Rows, g: Rows, out: Tensor) -> None:
        """out[kind] = sum over its rows of the transposed row times g's. out: [kinds, K, C]."""
        kinds, depth, columns = out.shape
        pieces = kinds + rows.count // PIECE
        scratch = torch.empty(pieces * depth * columns, dtype=out.dtype)
        starts = (ctypes.c_int64 * (kinds + 1))()
        call = self._call(rows, (kinds, depth, columns), g, (0, 0, 0), out, scratch)
        most, least = ctypes.c_int64(PIECES), ctypes.c_int64(PIECE)
        self.library.asterism_typed_transposed_product(ctypes.byref(call), starts, most, least)

    def _call(
        self,
        rows: Rows,
        sizes: tuple[int, int, int],
        right: Rows,
        steps: tuple[int, int, int],
        out: Tensor,
        scratch: Tensor,
    ) -> _TypedProduct:
        _, depth, columns = sizes
        blocks = rows.blocks(depth)
        work = rows.count * blocks * depth * columns
        left = rows.x.data_ptr(), _address(rows.index)
        places = rows.bounds.ctypes.data, blocks, *left, right.x.data_ptr(), _address(right.index)
        threads = torch.get_num_threads() if work >= SERIAL_BELOW else 1
        return _TypedProduct(*sizes, *places, *steps, out.data_ptr(), scratch.data_ptr(), threads)


def _address(index: NDArray[Any] | None) -> int | None:
    return None if index is None else index.ctypes.data

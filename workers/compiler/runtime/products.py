"""Products of a tall matrix, a row a vertex, with a small one: dense layers and the gradients of their weights.

A BLAS is made for large matrices; here all of the small one stays in a core's cache, and rows pass by once. Sums go in
an order that the shapes fix, so results do not depend on threads. Larger small matrices are left to the BLAS.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from workers.compiler.codegen.expressions import SCALARS
from workers.compiler.codegen.skeletons import SKELETONS

SMALL = 1 << 17  # bytes of the small matrix, up to which products are ours
PANEL = 32  # columns of a panel at most
PIECE = 512  # rows that are summed by themselves in a transposed product, at least
PIECES = 32  # and how many such pieces there are at most
SERIAL_BELOW = 200_000  # operations; waking threads costs more than this much work


class _Product(ctypes.Structure):
    """`struct Product` of the template."""

    _fields_ = (
        ("rows", ctypes.c_int64),
        ("depth", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("a", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("b_by_row", ctypes.c_int64),
        ("b_by_column", ctypes.c_int64),
        ("added", ctypes.c_void_p),
        ("added_by_row", ctypes.c_int64),
        ("out", ctypes.c_void_p),
        ("scratch", ctypes.c_void_p),
        ("threads", ctypes.c_int64),
    )


def products_source(dtype: str) -> str:
    """The C++ of both products for numbers of `dtype`: float32 or float64."""
    return SKELETONS.get_template("products.cpp.jinja").render(scalar=SCALARS[dtype])


def is_small(shape: torch.Size, dtype: torch.dtype) -> bool:
    """Whether a product with a matrix of that shape is ours."""
    return 0 < shape.numel() * dtype.itemsize <= SMALL


@dataclass(frozen=True)
class Products:
    """Both products as machine code."""

    library: ctypes.CDLL

    def multiply(self, a: Tensor, b: Tensor, added: Tensor | None, out: Tensor) -> None:
        """out = a b (+ added). a: [..., K], contiguous; b: [K, C] however it lies; added: [C] or like out, which it may
        be."""
        depth, columns = b.shape
        panels = torch.empty((columns + PANEL) * depth, dtype=b.dtype)
        call = _Product(
            a.numel() // depth,
            depth,
            columns,
            a.data_ptr(),
            b.data_ptr(),
            *b.stride(),
            None if added is None else added.data_ptr(),
            0 if added is None or added.dim() == 1 else columns,
            out.data_ptr(),
            panels.data_ptr(),
            _threads(a.numel() * columns),
        )
        self.library.asterism_product(ctypes.byref(call))

    def multiply_transposed(self, a: Tensor, b: Tensor, out: Tensor) -> None:
        """out = transposed a times b. a: [N, K], b: [N, C], both contiguous."""
        rows, depth = a.shape
        columns = b.shape[1]
        pieces = min(PIECES, max(1, rows // PIECE))
        scratch = torch.empty(pieces * depth * columns, dtype=b.dtype)
        places = (a.data_ptr(), b.data_ptr(), columns, 1, None, 0, out.data_ptr(), scratch.data_ptr())
        call = _Product(rows, depth, columns, *places, _threads(a.numel() * columns))
        self.library.asterism_transposed_product(ctypes.byref(call), ctypes.c_int64(pieces))


def _threads(operations: int) -> int:
    return torch.get_num_threads() if operations >= SERIAL_BELOW else 1

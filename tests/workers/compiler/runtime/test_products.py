"""Products of tall matrices with small ones: right for every shape, bit for bit the same on any number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import Tensor

from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime.executor import DTYPES
from workers.compiler.runtime.products import SMALL, Products, is_small, products_source

# Rows, depth, columns: full tiles, and what is left of rows, of the sum, of one and of two vectors.
SHAPES = [
    (1, 1, 1), (7, 3, 5), (8, 16, 16), (255, 8, 17), (300, 33, 31), (513, 9, 32), (40, 100, 47), (9_001, 64, 65),
    (2, 700, 3),
]  # fmt: skip
GUARD = 64


@pytest.fixture(params=[torch.float32, torch.float64], ids=str)
def products(request: pytest.FixtureRequest, kernels: KernelCache) -> tuple[Products, torch.dtype]:
    return Products(*kernels.load([products_source(DTYPES[request.param])])), request.param


@contextmanager
def threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def guarded(*shape: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """An output, and all of the memory it lies in the middle of."""
    size = torch.Size(shape).numel()
    memory = torch.full((size + 2 * GUARD,), 7, dtype=dtype)
    return memory[GUARD : GUARD + size].view(shape), memory


def check(out: Tensor, memory: Tensor, want: Tensor, summed: Tensor) -> None:
    """`summed`: the sums of the terms' absolute values, since terms that cancel leave an error larger than the rest."""
    assert (memory[:GUARD] == 7).all(), "written before the output"
    assert (memory[-GUARD:] == 7).all(), "written behind the output"
    allowed = 4 * torch.finfo(out.dtype).eps * summed
    assert ((out.double() - want).abs() <= allowed).all()


@pytest.mark.parametrize(("rows", "depth", "columns"), SHAPES)
@pytest.mark.parametrize("added", ["nothing", "bias", "rows", "in place"])
def test_a_product_for_every_shape(
    products: tuple[Products, torch.dtype], rows: int, depth: int, columns: int, added: str
) -> None:
    ours, dtype = products
    a, b = torch.randn(rows, depth, dtype=dtype), torch.randn(depth, columns, dtype=dtype)
    more = torch.randn(*((columns,) if added == "bias" else (rows, columns)), dtype=dtype)
    offset = torch.zeros(()).double() if added == "nothing" else more.double()
    want, summed = a.double() @ b.double() + offset, a.double().abs() @ b.double().abs() + offset.abs()
    results = []
    for count, right in ((1, b), (4, b), (2, b.T.contiguous().T)):
        out, memory = guarded(rows, columns, dtype=dtype)
        with threads(count):
            if added == "in place":
                out.copy_(more)
            ours.multiply(a, right, {"nothing": None, "in place": out}.get(added, more), out)
        check(out, memory, want, summed)
        results.append(out)
    assert all(torch.equal(r, results[0]) for r in results)


@pytest.mark.parametrize(("rows", "depth", "columns"), SHAPES)
def test_a_transposed_product_for_every_shape(
    products: tuple[Products, torch.dtype], rows: int, depth: int, columns: int
) -> None:
    ours, dtype = products
    a, b = torch.randn(rows, depth, dtype=dtype), torch.randn(rows, columns, dtype=dtype)
    want, summed = a.double().T @ b.double(), a.double().abs().T @ b.double().abs()
    results = []
    for count in (1, 2, 4):
        out, memory = guarded(depth, columns, dtype=dtype)
        with threads(count):
            ours.multiply_transposed(a, b, out)
        check(out, memory, want, summed)
        results.append(out)
    assert all(torch.equal(r, results[0]) for r in results)


def test_what_is_not_finite_stays_where_it_is(products: tuple[Products, torch.dtype]) -> None:
    """Panels are filled up with zeros; no infinity may meet one in a number that is kept."""
    ours, dtype = products
    a, b = torch.ones(20, 5, dtype=dtype), torch.ones(5, 19, dtype=dtype)
    a[3, 1], b[2, 18] = torch.inf, torch.nan
    out = torch.empty(20, 19, dtype=dtype)
    ours.multiply(a, b, None, out)
    torch.testing.assert_close(out, a @ b, equal_nan=True)
    ours.multiply_transposed(a, a[:, :3].contiguous(), wide := torch.empty(5, 3, dtype=dtype))
    torch.testing.assert_close(wide, a.T @ a[:, :3], equal_nan=True)


def test_large_and_empty_matrices_are_left_to_the_blas() -> None:
    assert is_small(torch.Size((SMALL // 4, 1)), torch.float32)
    assert not is_small(torch.Size((SMALL // 4, 2)), torch.float32)
    assert not is_small(torch.Size((0, 5)), torch.float32)

"""Which sums the BLAS adds up."""

from __future__ import annotations

from tests.workers.compiler.cases import leaf
from workers.compiler.ir import Builder, Program
from workers.compiler.passes.fuse import fuse
from workers.compiler.rows import DenseStep


def steps(program: Program) -> list[tuple[str, int | None]]:
    """Each step: its value's op, and what the BLAS adds to it."""
    found = fuse(program, [i for _, i in program.outputs]).steps
    return [(s.name.rpartition("_")[0], s.added if isinstance(s, DenseStep) else None) for s in found]


def test_a_bias_is_added_to_the_product() -> None:
    b = Builder("linear")
    product = b.add("matmul", leaf(b, "x", (4,)), leaf(b, "w", (4, 8), "param"))
    bias = leaf(b, "bias", (8,), "param")
    assert steps(b.build({"out": b.add("add", product, bias)})) == [("matmul", bias)]


def test_products_are_added_one_to_another() -> None:
    b = Builder("three")
    x = leaf(b, "x", (4,))
    first, second, third = (b.add("matmul", x, leaf(b, n, (4, 8), "param")) for n in "uvw")
    both = b.add("add", first, second)
    assert steps(b.build({"out": b.add("add", both, third)})) == [("matmul", None), ("matmul", first), ("matmul", both)]


def test_a_product_that_others_read_is_written() -> None:
    b = Builder("shared")
    product = b.add("matmul", leaf(b, "x", (4,)), leaf(b, "w", (4, 8), "param"))
    out = b.add("mul", b.add("add", product, leaf(b, "bias", (8,), "param")), product)
    assert steps(b.build({"out": out})) == [("matmul", None), ("map", None)]


def test_what_a_kernel_makes_is_added_in_the_kernel() -> None:
    b = Builder("mixed")
    x = leaf(b, "x", (8,))
    product = b.add("matmul", x, leaf(b, "w", (8, 8), "param"))
    total = b.add("sum_edges", b.add("gather_src", x), side="dst", to="vertex")
    assert steps(b.build({"out": b.add("add", product, total)})) == [("matmul", None), ("dst", None)]

"""A result is written over a tensor only where every number is read before its place is written."""

from __future__ import annotations

from tests.workers.compiler.cases import leaf
from workers.compiler.ir import Builder, Program
from workers.compiler.passes.fuse import fuse
from workers.compiler.passes.overwriting import overwritable
from workers.compiler.passes.reuse_buffers import reuse_buffers
from workers.compiler.rows import Schedule

IN = {"side": "dst", "to": "vertex"}
OUT = {"side": "src", "to": "vertex"}


def schedule(program: Program) -> Schedule:
    return reuse_buffers(fuse(program, [i for _, i in program.outputs]))


def test_a_kernel_writes_over_what_it_reads_at_its_own_row() -> None:
    b = Builder("own row")
    x = leaf(b, "x", (8,))
    total = b.add("sum_edges", b.add("gather_src", x), **IN)
    back = b.add("add", b.add("sum_edges", b.add("gather_dst", total), **OUT), total)
    found = schedule(b.build({"out": back}))
    assert list(overwritable(found, found.steps[-1], back)) == []  # other rows are read as well
    b = Builder("own row only")
    heard = b.add("sum_edges", b.add("gather_src", leaf(b, "x", (8,))), **IN)
    told = b.add("sum_edges", b.add("gather_dst", leaf(b, "y", (8,))), **OUT)
    both = b.add("add", told, heard)
    found = schedule(b.build({"out": both}))
    assert [s.stores for s in found.steps] == [(told,), (both,)]
    assert found.reuses == {both: told}


def test_what_is_read_again_is_left_alone() -> None:
    b = Builder("twice")
    heard = b.add("sum_edges", b.add("gather_src", leaf(b, "x", (8,))), **IN)
    told = b.add("sum_edges", b.add("gather_dst", leaf(b, "y", (8,))), **OUT)
    both = b.add("add", told, heard)
    found = schedule(b.build({"out": both, "more": b.add("mul", b.add("exp", both), told)}))
    assert len(found.steps) == 2
    assert found.reuses == {}


def test_a_product_is_added_in_place() -> None:
    b = Builder("products")
    x, y = leaf(b, "x", (8,)), leaf(b, "y", (8,))
    first = b.add("matmul", x, leaf(b, "w", (8, 8), "param"))
    out = b.add("add", first, b.add("matmul", y, leaf(b, "u", (8, 8), "param")))
    found = schedule(b.build({"out": out}))
    assert [s.stores for s in found.steps] == [(first,), (out,)]
    assert found.reuses == {out: first}

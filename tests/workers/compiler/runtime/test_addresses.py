"""Places in tensors are counted in 64 bits, whatever the width of vertex numbers."""

from __future__ import annotations

import mmap

import torch

from tests.workers.compiler.cases import leaf
from tests.workers.compiler.graphs import graph
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder
from workers.compiler.runtime import GraphIndex, compile_program

ROWS, WIDTH = 300_000, 8_000


def test_a_row_that_starts_behind_two_to_the_31st_number(kernels: KernelCache) -> None:
    """Of 9.6 GB only the pages that are touched take memory."""
    last = ROWS - 1
    assert last * WIDTH > 2**31
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    memory = mmap.mmap(-1, 4 * ROWS * WIDTH, flags=flags)
    x = torch.frombuffer(memory, dtype=torch.float32).view(ROWS, WIDTH)
    x[0], x[last] = 2, 3
    b = Builder("far", bipartite=True)
    found = b.add("sum_edges", b.add("gather_src", leaf(b, "x", (WIDTH,), "src")), side="dst", to="dst")
    where = graph([(last, 0), (last, 1), (0, 1)], ROWS, 2)
    assert GraphIndex.of(where).id_bits == 32
    with torch.no_grad():
        out = compile_program(b.build({"out": found}), cache=kernels)(where, {"x": x})["out"]
    assert (out[0] == 3).all()
    assert (out[1] == 5).all()

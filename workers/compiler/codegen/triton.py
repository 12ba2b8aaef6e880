"""Triton for one row kernel: the tables of `triton_expressions.py` in the skeleton of `templates/`.

1. A program owns a group of BR rows; in a loop over their edges it meets BE edges of every row at a time. A value is a
   block [rows, edges, *features] (`triton_blocks.py`), one line each.
2. Values read from memory are loaded in the shape in which they are read, once for the rows and once in every loop.
3. An aggregation keeps a block of edges and joins it after the loop, so what a loop does is loads and arithmetic.
4. Rows with very many edges are cut into chunks of edges: one function for every loop takes a chunk and leaves what it
   aggregated, a last one joins the chunks of a row in order and does the rest. What earlier loops aggregated is joined
   wherever it is needed.
5. Sums over all rows are kept for each program, which takes every so many groups of rows; the caller adds them.

Nothing depends on which program runs first: every number is written by one program, and chunks are joined in order.
"""

from __future__ import annotations

from dataclasses import dataclass

from workers.compiler.codegen.skeletons import SKELETONS
from workers.compiler.codegen.triton_expressions import CALLS, EXPRESSIONS, SCALARS
from workers.compiler.codegen.triton_function import Function, FunctionWriter, Walk
from workers.compiler.ops import OPS
from workers.compiler.rows import RowKernel, Schedule, Side


@dataclass(frozen=True)
class Rendered:
    """Source of one kernel and what its caller has to know.

    functions   `rows` takes rows whole; the others, in the order in which they run, take the heavy rows
    numbers     of the widest block a row and an edge: how many fit into a program
    sums        for every sum over all rows its numbers; `parts` for every aggregation of a heavy row
    maps        whose arrays it is given (`maps.py`)
    """

    source: str
    functions: tuple[Function, ...]
    numbers: int
    sums: tuple[int, ...]
    parts: tuple[int, ...]
    maps: tuple[str, ...] = ()


def render(schedule: Schedule, kernel: RowKernel, *, dtype: str = "float32") -> Rendered:
    """The Triton source of `kernel`; the same kernel always gives the same bytes."""
    writers = [FunctionWriter(schedule, kernel, walk, dtype) for walk in _walks(kernel)]
    functions = tuple(w.function() for w in writers)
    source = SKELETONS.get_template("kernel.py.jinja").render(
        scalar=SCALARS[dtype],
        half=dtype == "bfloat16",
        functions=_called(schedule, kernel),
        kernels=functions,
    )
    first = writers[0]
    widths = tuple(first.width(i) for i in kernel.reductions)
    parts = tuple(first.width(i) for p in kernel.phases for i in p.aggregations)
    return Rendered(source, functions, first.widest, widths, parts, first.memory.maps)


def _walks(kernel: RowKernel) -> list[Walk]:
    """How each function meets the edges: all of a row; then for heavy rows loop by loop, and the end."""
    loops = [k for k, p in enumerate(kernel.phases) if p.loop]
    whole = Walk("rows", None)
    if kernel.side is Side.MAP:
        return [whole]
    return [whole, *(Walk(f"chunks_{k}", k) for k in loops), Walk("join", len(kernel.phases))]


def _called(schedule: Schedule, kernel: RowKernel) -> set[str]:
    """Functions of the preamble that the kernel calls."""
    used = {schedule.program[i].op for i in kernel.values()}
    return {op for op in used if OPS[op].group == "pointwise" and op in EXPRESSIONS} | {
        f for op in used for f in CALLS.get(op, ())
    }

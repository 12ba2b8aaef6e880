"""C++ for an edge loop with aggregations: short rows in one go, long ones in pieces that threads share.

A row with many times the edges of a chunk would keep one thread busy while the others wait. It is cut into pieces,
each with accumulators of its own, which are merged in the order of the pieces. Where the cuts are depends on the graph
alone, so results depend neither on the number of threads nor on who did what. Tasks go to threads without a chunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from workers.compiler.codegen.expressions import AGGREGATIONS
from workers.compiler.codegen.loops import Axes, View, nest
from workers.compiler.rows import Phase

if TYPE_CHECKING:
    from workers.compiler.codegen.cpp import Writer


@dataclass(frozen=True)
class CutLoop:
    """The loop of phase `k` of `writer`'s kernel."""

    writer: Writer
    k: int
    phase: Phase

    def lines(self) -> list[str]:
        starts = [line for i in self.phase.aggregations for line in self.writer.start(i)]
        loop = self.writer.loop(self.phase)
        walk, names = f"walk{self.k}", ", ".join(self._view(i).base for i in self.phase.aggregations)
        given = "".join(f", {self._parameter(i)}" for i in self.phase.aggregations)
        return [
            *starts,
            f"const auto {walk} = [&](const int64_t first, const int64_t end{given}) __attribute__((always_inline)) {{",
            *_indented(loop),
            "};",
            "if (end - first <= g.longest) {",
            f"  {walk}(first, end, {names});",
            "} else {",
            *_indented(self._pieces(starts, f"{walk}(from, to, {names});")),
            "}",
        ]

    def _pieces(self, starts: list[str], call: str) -> list[str]:
        numbers = sum(self.writer.operands.width(i) for i in self.phase.aggregations)
        return [
            "const int64_t pieces = (end - first + g.piece - 1) / g.piece;",
            f"T* const parts = new T[pieces * {numbers}];",
            "#pragma omp taskloop grainsize(1) default(shared)",
            "for (int64_t piece = 0; piece < pieces; ++piece) {",
            "  const int64_t from = first + piece * g.piece, to = from + g.piece < end ? from + g.piece : end;",
            *_indented([*starts, call, *self._each("{part} = {own};", numbers)]),
            "}",
            "for (int64_t piece = 0; piece < pieces; ++piece) {",
            *_indented(self._each("", numbers)),
            "}",
            "delete[] parts;",
        ]

    def _each(self, statement: str, numbers: int) -> list[str]:
        """`statement` for every number of every accumulator and its place among the parts; a merge if it is empty."""
        lines, start = [], 0
        for i in self.phase.aggregations:
            own, op = self._view(i), self.writer.program[i].op
            part = View(f"parts[piece * {numbers} + {start}]", own.shape, own.strides, scalar=True)
            if not own.scalar:
                part = View(f"(parts + piece * {numbers} + {start})", own.shape, own.strides)
            step = statement or AGGREGATIONS[op].step.format("{own}", "{part}")
            lines += nest(own.shape, partial(_filled, step, own, part))
            start += self.writer.operands.width(i)
        return lines

    def _view(self, i: int) -> View:
        return self.writer.operands.arrays[i]

    def _parameter(self, i: int) -> str:
        view, width = self._view(i), self.writer.operands.width(i)
        return f"T& {view.base}" if view.scalar else f"T (&{view.base})[{width}]"


def _filled(step: str, own: View, part: View, axes: Axes) -> str:
    return step.format(own=axes.at(own), part=axes.at(part))


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]

"""C++ for an edge loop in blocks: what `blocks.py` decided, segment by segment.

Values of a whole block lie in an array `<name>_all`, edge after edge. Of a last block that is not full, the statements
side by side compute what nobody reads; arrays filled edge by edge start at zero, so that these are numbers too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workers.compiler.codegen.blocks import Blocks, same_at_every_edge
from workers.compiler.codegen.inlining import inlined
from workers.compiler.codegen.loops import View, array, contiguous, nest
from workers.compiler.ir import Domain
from workers.compiler.rows import Phase, root

if TYPE_CHECKING:
    from workers.compiler.codegen.cpp import Writer


@dataclass(frozen=True)
class BlockLoop:
    """The loop of one phase of `writer`'s kernel."""

    writer: Writer
    phase: Phase
    blocks: Blocks

    def lines(self) -> list[str]:
        body = [line for k in range(len(self.blocks.segments)) for line in self._segment(k)]
        if len(self.blocks.segments) % 2 == 0 and self.phase.edge_stores:
            body += self._edge_by_edge(len(self.blocks.segments), ())
        count = self.blocks.edges
        loop = [
            f"for (int64_t block = first; block < end; block += {count}) {{",
            f"  const int n = end - block < {count} ? int(end - block) : {count};",
            *_indented(body),
            "}",
        ]
        return ["{", *_indented([*self._declarations(), *loop]), "}"]

    # --- arrays of a block -----------------------------------------------------------------------------------------

    def _all(self, i: int) -> str:
        operands = self.writer.operands
        return f"{operands.names.get(i) or operands.tensors[i]}_all"

    def _width(self, i: int) -> int:
        return self.writer.operands.width(i)

    def _copied(self) -> list[int]:
        """Operands of narrow values that are laid side by side first."""
        program = self.writer.program
        found = {a for i in self.blocks.narrow for a in program[i].args if a not in self.blocks.kept}
        return sorted(a for a in found if program[a].op != "constant" and not self._single(a))

    def _single(self, i: int) -> bool:
        return self._width(i) == 1 and self._constant(i)

    def _constant(self, i: int) -> bool:
        """Whether a value is at hand before the loop: one that is kept in memory, a row an edge, is not."""
        program, kernel = self.writer.program, self.writer.kernel
        kept = program[i].type.domain is Domain.EDGE and root(program, i) in self.writer.operands.tensors
        return not kept and same_at_every_edge(program, i, kernel.side.value)

    def _declarations(self) -> list[str]:
        filled = [*self._copied(), *(i for i in self.blocks.kept if i not in self.blocks.narrow)]
        arrays = [(i, " = {}") for i in filled] + [(i, "") for i in self.blocks.narrow]
        lines = [
            f"alignas(64) T {self._all(i)}[{self.blocks.edges * self._width(i)}]{start};" for i, start in sorted(arrays)
        ]
        for i in (i for i in self._copied() if self._constant(i)):
            lines += [f"for (int b = 0; b < {self.blocks.edges}; ++b) {{", *_indented(self._copy(i)), "}"]
        return lines

    def _copy(self, i: int) -> list[str]:
        """The numbers of value `i` at the present edge, into its array."""
        shape = self.writer.program[i].type.shape
        target = self._of_edge(i)
        return nest(shape, lambda axes: f"{axes.at(target)} = {self.writer.expression(i, axes)};")

    def _of_edge(self, i: int) -> View:
        shape, width = self.writer.program[i].type.shape, self._width(i)
        if width == 1:
            return View(f"{self._all(i)}[b]", shape, contiguous(shape), scalar=True)
        return array(f"({self._all(i)} + b * {width})", shape)

    # --- segments --------------------------------------------------------------------------------------------------

    def _segment(self, k: int) -> list[str]:
        values = self.blocks.segments[k]
        return self._side_by_side(values) if k % 2 else self._edge_by_edge(k, values)

    def _side_by_side(self, values: Iterable[int]) -> list[str]:
        arrays = self.writer.operands.arrays
        before = dict(arrays)
        for i in (*self._copied(), *self.blocks.kept):
            arrays[i] = self._flat(i)
        lines = [line for i in values for line in self._compute(i)]
        arrays.clear()
        arrays.update(before)
        for i in values:
            arrays[i] = self._of_edge(i)
        return lines

    def _flat(self, i: int) -> View:
        return array(self._all(i), (self.blocks.edges * self._width(i),))

    def _compute(self, i: int) -> list[str]:
        arrays = self.writer.operands.arrays
        target = arrays.pop(i)
        lines = nest(target.shape, lambda axes: f"{axes.at(target)} = {self.writer.expression(i, axes)};")
        arrays[i] = target
        return lines

    def _edge_by_edge(self, k: int, values: tuple[int, ...]) -> list[str]:
        last = k >= len(self.blocks.segments) - 1
        body = [line for part in self._parts(k, values, last) for line in part]
        if not body:
            return []
        head = self.writer.operands.loop_head(self.phase, prefetch=k == 0)
        inside = ["const int64_t e = block + b;", *head, *body]
        return ["for (int b = 0; b < n; ++b) {", *_indented(inside), "}"]

    def _parts(self, k: int, values: tuple[int, ...], last: bool) -> Iterator[list[str]]:
        writer, aggregations = self.writer, self.phase.aggregations
        computed = tuple(i for i in values if i not in aggregations)
        stores = self.phase.edge_stores if last else ()
        elsewhere = tuple(i for run in self.blocks.segments for i in run if i not in values)
        inside = inlined(writer.program, computed, readers=values, outside=elsewhere, stored=self.phase.edge_stores)
        for i in computed:
            writer.operands.arrays.pop(i, None)  # an earlier segment's array is out of scope
        if k == 0:
            yield from (self._copy(i) for i in self._copied() if not self._constant(i))
        yield from (writer.define(i) for i in computed if i not in inside)
        yield from (self._copy(i) for i in computed if i in self.blocks.kept)
        writer.operands.arrays.update({i: self._of_edge(i) for i in computed if i in self.blocks.kept})
        yield from (writer.store(i, writer.operands.written_row(i)) for i in stores)
        yield from (writer.accumulate(i) for i in values if i in aggregations)


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]

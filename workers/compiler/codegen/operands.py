"""Where the numbers of a kernel's values are: tensors in memory, arrays on the stack, and views of either."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workers.compiler.codegen.expressions import number
from workers.compiler.codegen.local_names import VIEWS, LocalNames, viewed
from workers.compiler.codegen.loops import View, array, contiguous
from workers.compiler.codegen.storage import precise
from workers.compiler.ir import Domain, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import Layout, Phase, root

ROW_NUMBER = {Layout.EDGES: "edge", Layout.SLOTS: "slot"}  # the writer of slots meets them one by one
LEAST_AHEAD, MOST_AHEAD, NUMBERS_AHEAD = 4, 32, 2048  # how many edges ahead rows are asked for
NARROWEST = 2  # numbers of a row that is not asked for early


@dataclass(frozen=True)
class Operands(LocalNames):
    """Operands of one kernel. `half` says that tensors hold half as many bits as numbers that are computed with.

    `arrays` are the values that have an array on the stack so far.
    """

    half: bool = False
    arrays: dict[int, View] = field(default_factory=dict)

    def declare(self, value: Value, start: str = "") -> tuple[View, str]:
        """An array for `value` (a plain variable where one number is enough) and its declaration."""
        name, shape, width = self.names[value.id], value.type.shape, self.width(value.id)
        if width == 1:
            view = View(name, shape, contiguous(shape), scalar=True)
            return view, f"T {name}{f' = {start}' if start else ''};"
        return array(name, shape), f"T {name}[{width}]{' = {}' if start else ''};"

    # --- views -----------------------------------------------------------------------------------------------------

    def view(self, i: int) -> View | None:
        """Where the numbers of value `i` are, or None if it is printed inside its user."""
        value = self.program[i]
        if i in self.arrays:
            return self.arrays[i]
        if value.op == "constant":
            return View(number(value.number("value")), (), (), scalar=True)
        if i in self.tensors:
            return array(self._base(i), value.type.shape)
        if OPS[value.op].group == "movement":
            return self._gathered(value)
        return viewed(value, self.known(value.args[0])) if value.op in VIEWS else None

    def known(self, i: int) -> View:
        view = self.view(i)
        assert view is not None, f"value {i} ({self.program[i].op}) is read before it has a place"
        return view

    def _base(self, i: int) -> str:
        layout, name = self.layout(i), self.tensors[i]
        if layout is Layout.PARAM:
            return name
        return f"{name}_{'row' if layout is Layout.ROWS else 'edge'}"

    def layout(self, i: int) -> Layout:
        """How a tensor's rows are found: those of items other than edges stand in the order of the items."""
        return Layout.EDGES if self._is_item(i) and not self._on_edges(i) else self.schedule.layout(i)

    def _is_item(self, i: int) -> bool:
        return self.program[i].type.domain is self.kernel.items

    def _on_edges(self, i: int) -> bool:
        return self.program[i].type.domain is Domain.EDGE

    def _gathered(self, value: Value) -> View:
        if self.gathers_own(value):
            return self.known(value.args[0])
        return array(f"{self.tensors[root(self.program, value.args[0])]}_{self._where(value)}", value.type.shape)

    def _where(self, value: Value) -> str:
        return self.walked_by(value) or "far"

    # --- pointers --------------------------------------------------------------------------------------------------

    def arguments(self) -> list[str]:
        """Names for the tensors the kernel is called with."""
        names = [*self.tensors.values(), *self.outputs.values()]
        types = [f"{'const ' * (i in self.tensors)}{self.number_type(i)}*" for i in (*self.tensors, *self.outputs)]
        over = {o: i for o, i in self.schedule.reuses.items() if o in self.outputs and i in self.tensors}
        alone = [" __restrict" * (i not in {*over, *over.values()}) for i in (*self.tensors, *self.outputs)]
        parts = enumerate(zip(types, alone, names, strict=True))
        lines = [f"{t}{restrict} const {n} = ({t})tensors[{k}];" for k, (t, restrict, n) in parts]
        return lines + [f"const Id* __restrict const m_{m} = g.maps[{k}];" for k, m in enumerate(self.maps)]

    def number_type(self, i: int) -> str:
        """How a tensor's numbers are stored: S, which is half as wide as T, or T."""
        return "S" if self.half and not precise(self.schedule, i) else "T"

    def own_rows(self) -> list[str]:
        """Pointers to this row of the tensors read for it."""
        used = {root(self.program, a) for i in self.kernel.values() for a in self._own_operands(self.program[i])}
        mine = [i for i in self.kernel.loads if i in used and self.layout(i) is Layout.ROWS]
        gathered = self._gathers(self.kernel.values(), of_row=True)
        return [self._pointer(i, "row") for i in mine] + [self._pointer(i, m, f"m_{m}[row]") for i, m in gathered]

    def _gathers(self, values: Iterable[int], *, of_row: bool) -> list[tuple[int, str]]:
        """Tensors that are gathered along maps from the rows, or from the items of rows, and the maps."""
        gathers = [self.program[i] for i in values if OPS[self.program[i].op].group == "movement"]
        named = [v for v in gathers if not self.gathers_own(v) and self.walked_by(v)]
        pairs = {
            (root(self.program, v.args[0]), self.walked_by(v))
            for v in named
            if self.of_row(self.walked_by(v)) is of_row
        }
        return sorted(pairs, key=lambda p: (self.kernel.loads.index(p[0]), p[1]))

    def _own_operands(self, value: Value) -> tuple[int, ...]:
        far = OPS[value.op].group == "movement" and not self.gathers_own(value)
        return () if far else value.args

    def _pointer(self, i: int, what: str, row: str = "") -> str:
        name = self.tensors[i]
        kind = self.number_type(i)
        restrict = "" if what == "row" and i in self.schedule.reuses.values() else " __restrict"
        return f"const {kind}*{restrict} const {name}_{what} = {name} + {row or what} * {self.width(i)};"

    def loop_head(self, phase: Phase, *, prefetch: bool = True) -> list[str]:
        """Numbers of the edge and pointers to what it reads, declared only where used; then what later edges read."""
        far, edge = self._far_tensors(phase), self._edge_tensors(phase)
        gathered = self._gathers(phase.edges, of_row=False)
        numbers = {ROW_NUMBER[self.layout(i)] for i in edge}
        numbers |= {self.written_row(i) for i in phase.edge_stores} - {"e"}
        if any(self.program[i].op == "dropout" for i in phase.edges):
            numbers.add("edge")
        lines = [f"const int64_t {name} = g.{name}[e];" for name in sorted(numbers)]
        lines += ["const int64_t far = g.other[e];"] if far else []
        lines += [self._pointer(i, "far") for i in far]
        lines += [self._pointer(i, "edge", ROW_NUMBER[self.layout(i)]) for i in edge]
        lines += [self._pointer(i, m, f"m_{m}[e]") for i, m in gathered]
        return lines + (self._prefetches(far, edge, gathered) if prefetch else [])

    def written_row(self, i: int) -> str:
        """The row of edge tensor `i` that this kernel writes for edge `e`."""
        return "e" if self.schedule.layout(i) is Layout.SLOTS else "edge"

    def _far_tensors(self, phase: Phase) -> list[int]:
        gathers = (self.program[i] for i in phase.edges if OPS[self.program[i].op].group == "movement")
        found = {root(self.program, v.args[0]) for v in gathers if not self.gathers_own(v) and not self.walked_by(v)}
        return sorted(found, key=self.kernel.loads.index)

    def _edge_tensors(self, phase: Phase) -> list[int]:
        read = {root(self.program, a) for i in (*phase.edges, *phase.aggregations) for a in self.program[i].args}
        return [i for i in self.kernel.loads if i in read and self._is_item(i)]

    def _prefetches(self, far: list[int], edge: list[int], gathered: list[tuple[int, str]]) -> list[str]:
        """Ask early for what lies anywhere in memory: narrow rows earlier than wide ones, which fill the caches.

        Of a number or two a vertex nothing: asking costs as much as the little that is read, most of it in a cache.
        """
        rows = [("g.other", i) for i in far if self.width(i) > NARROWEST]
        rows += [(f"g.{ROW_NUMBER[self.layout(i)]}", i) for i in edge]
        rows += [(f"m_{m}", i) for i, m in gathered if self.width(i) > NARROWEST]
        soon = {i: min(MOST_AHEAD, max(LEAST_AHEAD, NUMBERS_AHEAD // self.width(i))) for _, i in rows}
        lines = [f"const int64_t in_{n} = e + {n} < last ? e + {n} : last;" for n in sorted(set(soon.values()))]
        return lines + [self._prefetch(i, f"{ids}[in_{soon[i]}]") for ids, i in rows]

    def _prefetch(self, i: int, row: str) -> str:
        return f"prefetch<{self.width(i)}>({self.tensors[i]} + int64_t({row}) * {self.width(i)});"

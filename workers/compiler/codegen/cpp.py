"""C++ for one row kernel: the tables of `expressions.py` in the skeleton of `templates/`.

1. A pointwise value used once, by a statement over the same shape, is printed inside it; every other value gets a small
   array on the stack. Reshapes, slices, repeats and gathers are views: other ways to index the same numbers.
2. Statements are printed phase by phase: row statements, then the edge loop's body and the accumulators around it.
3. Sums over all rows are kept for each chunk of rows and added in chunk order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workers.compiler import dropout
from workers.compiler.codegen.block_loop import BlockLoop
from workers.compiler.codegen.blocks import blocks
from workers.compiler.codegen.cut_loop import CutLoop
from workers.compiler.codegen.expressions import AGGREGATIONS, CALLS, EXPRESSIONS, IDS, SCALARS, exp_terms, number
from workers.compiler.codegen.inlining import inlined
from workers.compiler.codegen.loops import Axes, View, array, contiguous, nest, reduction
from workers.compiler.codegen.operands import Operands
from workers.compiler.codegen.skeletons import SKELETONS
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.rows import Phase, RowKernel, Schedule


@dataclass(frozen=True)
class Rendered:
    """Source of one kernel, the numbers of scratch memory it wants for each chunk, the maps it is given (`maps.py`)."""

    source: str
    partials: int
    maps: tuple[str, ...] = ()


@dataclass(frozen=True)
class RowSum:
    """A sum over all rows in the skeleton: array `name` of a chunk, at `start` in its scratch, result `out`."""

    name: str
    size: int
    start: int
    out: str


@dataclass(frozen=True)
class PhaseText:
    """Lines of one phase in the skeleton: row statements, the loop over the row's edges, what ends aggregations."""

    rows: list[str]
    loop: list[str]
    tail: list[str]


def render(schedule: Schedule, kernel: RowKernel, *, dtype: str = "float32", id_bits: int = 32) -> Rendered:
    """The C++ source of `kernel`; the same kernel always gives the same bytes."""
    writer = Writer(schedule, kernel, Operands(schedule, kernel, dtype == "bfloat16"))
    phases = [writer.phase(k, p) for k, p in enumerate(kernel.phases)]
    sums = writer.row_sums()
    source = SKELETONS.get_template("kernel.cpp.jinja").render(
        scalar=SCALARS[dtype],
        half=dtype == "bfloat16",
        suffix="" if dtype == "float64" else "f",
        id=IDS[id_bits],
        exact=exactly_compared(schedule.program),
        exp_terms=exp_terms(dtype),
        functions=writer.functions(phases),
        arguments=[*writer.operands.arguments(), *writer.dropout_setup()],
        own=writer.operands.own_rows(),
        walks=any(p.loop for p in kernel.phases),
        phases=phases,
        sums=sums,
        maps=bool(writer.operands.maps),
    )
    return Rendered(source, sum(s.size for s in sums), writer.operands.maps)


def exactly_compared(program: Program) -> bool:
    """Whether an edge value is compared with what another kernel found among its like: the gradient of a maximum asks
    which edges reach it. Then every rounding must be the same wherever the value is computed."""
    return any(v.op == "eq" and v.type.domain in (Domain.EDGE, Domain.RECEIVER, Domain.SENDER) for v in program.values)


@dataclass(frozen=True)
class Writer:
    schedule: Schedule
    kernel: RowKernel
    operands: Operands

    @property
    def program(self) -> Program:
        return self.schedule.program

    # --- expressions -----------------------------------------------------------------------------------------------

    def expression(self, i: int, axes: Axes) -> str:
        """The number of value `i` at the current position of the loops."""
        view = self.operands.view(i)
        if view is not None:
            return axes.at(view)
        value = self.program[i]
        args = [self.expression(a, axes) for a in value.args]
        attrs = {k: number(a) for k, a in value.attrs if isinstance(a, float)}
        extra = self._dropout_words(value, axes) if value.op == "dropout" else {}
        return EXPRESSIONS[value.op].format(*args, **attrs | extra)

    def _dropout_words(self, value: Value, axes: Axes) -> dict[str, str]:
        name = self.operands.names[value.id]
        row = {Domain.EDGE: "edge", Domain.PARAM: "0"}.get(value.type.domain, "row")
        whole = View("", value.type.shape, contiguous(value.type.shape))
        return {
            "row": f"dropout_row({name}_key, {row})",
            "column": f"uint32_t({axes.position(whole.aligned(axes.shape))})",
            "threshold": f"{name}_threshold",
            "scale": f"{name}_scale",
        }

    def dropout_setup(self) -> list[str]:
        """What every dropout needs once a call."""
        values = (self.program[i] for i in self.kernel.values())
        return [line for v in values if v.op == "dropout" for line in self._dropout_setup(v)]

    def _dropout_setup(self, value: Value) -> list[str]:
        name, p = self.operands.names[value.id], value.number("p")
        scale = number(1 / (1 - p)) if p < 1 else "T(0)"
        return [
            f"const uint64_t {name}_key = dropout_key(g.seed, {value.whole('stream')}u);",
            f"const uint32_t {name}_threshold = g.training ? {dropout.threshold(p)}u : 0u;",
            f"const T {name}_scale = g.training ? {scale} : T(1);",
        ]

    def functions(self, phases: list[PhaseText]) -> set[str]:
        """Functions of the preamble that the kernel calls."""
        used = {self.program[i].op for i in self.kernel.values()}
        prefetches = any("prefetch<" in line for p in phases for line in p.loop)
        return used | {f for op in used for f in CALLS.get(op, ())} | ({"prefetch"} if prefetches else set())

    # --- phases ----------------------------------------------------------------------------------------------------

    def phase(self, k: int, phase: Phase) -> PhaseText:
        rows = self._row_lines(k, phase)
        if not phase.loop:
            return PhaseText(rows, [], [])
        loop = self.loop(phase) if not phase.aggregations else CutLoop(self, k, phase).lines()
        finishes = [line for i in phase.aggregations for line in self._finish(i)]
        return PhaseText(rows, loop, finishes)

    def loop(self, phase: Phase) -> list[str]:
        """The walk over edges `first` to `end`."""
        for i in phase.edges:
            self.operands.arrays.pop(i, None)  # an earlier loop's array is out of scope
        found = blocks(self.program, phase)
        if found is not None:
            return BlockLoop(self, phase, found).lines()
        body = [*self.operands.loop_head(phase), *self._edge_lines(phase)]
        return ["for (int64_t e = first; e < end; ++e) {", *(f"  {line}" for line in body), "}"]

    def _row_lines(self, k: int, phase: Phase) -> list[str]:
        elsewhere = tuple(i for i in self.kernel.values() if i not in phase.rows)
        finished = self.kernel.phases[k - 1].aggregations if k else ()
        stored = tuple(i for i in (*finished, *phase.rows) if i in self.operands.outputs)
        inside = inlined(self.program, phase.rows, readers=phase.rows, outside=elsewhere, stored=stored)
        lines = [line for i in phase.rows if i not in inside for line in self.define(i)]
        lines += [line for i in stored for line in self.store(i, "row")]
        return lines + (self._row_sum_lines() if k == len(self.kernel.phases) - 1 else [])

    def _edge_lines(self, phase: Phase) -> list[str]:
        readers = (*phase.edges, *phase.aggregations)
        inside = inlined(self.program, phase.edges, readers=readers, outside=(), stored=phase.edge_stores)
        lines = [line for i in phase.edges if i not in inside for line in self.define(i)]
        lines += [line for i in phase.edge_stores for line in self.store(i, self.operands.written_row(i))]
        return lines + [line for i in phase.aggregations for line in self.accumulate(i)]

    # --- statements ------------------------------------------------------------------------------------------------

    def define(self, i: int) -> list[str]:
        """Compute value `i` into an array of its own (nothing to do for a view)."""
        value = self.program[i]
        if self.operands.view(i) is not None and not self._must_copy(value):
            return []
        writers: dict[str, Callable[[Value], list[str]]] = {"sum_to": self._define_sum, "concat": self._define_concat}
        return writers.get(value.op, self._define_pointwise)(value)

    def _must_copy(self, value: Value) -> bool:
        """A repeat or a cut that is reshaped afterwards must lie in one piece."""
        reshaped = any(v.op == "reshape" and value.id in v.args for v in self.program.values)
        return reshaped and value.op in ("expand", "slice") and not self.operands.known(value.id).in_one_piece

    def _define_pointwise(self, value: Value) -> list[str]:
        view, line = self.operands.declare(value)
        source = value.id if self.operands.view(value.id) is None else value.args[0]
        body = nest(value.type.shape, lambda axes: f"{axes.at(view)} = {self.expression(source, axes)};")
        self.operands.arrays[value.id] = view
        return [line, *body]

    def _define_sum(self, value: Value) -> list[str]:
        view, line = self.operands.declare(value, "T(0)")
        shape = self.program[value.args[0]].type.shape
        exact = exactly_compared(self.program)
        body = reduction(shape, view, lambda axes: self.expression(value.args[0], axes), in_order=exact)
        self.operands.arrays[value.id] = view
        return [line, *body]

    def _define_concat(self, value: Value) -> list[str]:
        view, line = self.operands.declare(value)
        lines, start = [line], 0
        for a in value.args:
            shape = self.program[a].type.shape
            lines += self._copy(a, View(view.base, shape, view.strides, start, view.scalar))
            start += shape[-1]
        self.operands.arrays[value.id] = view
        return lines

    def _copy(self, i: int, target: View) -> list[str]:
        return nest(target.shape, lambda axes: f"{axes.at(target)} = {self.expression(i, axes)};")

    def store(self, i: int, row: str) -> list[str]:
        """Write value `i` to its tensor."""
        place = f"{self.operands.outputs[i]}[{row} * {self.operands.width(i)} + "
        shape = self.program[i].type.shape
        return nest(shape, lambda axes: f"{place}{axes.position(contiguous(shape))}] = {self.expression(i, axes)};")

    # --- aggregations ----------------------------------------------------------------------------------------------

    def start(self, i: int) -> list[str]:
        """An accumulator for aggregation `i`."""
        value, start = self.program[i], AGGREGATIONS[self.program[i].op].start
        view, line = self.operands.declare(value, start)
        self.operands.arrays[i] = view
        filled = view.scalar or start == "T(0)"
        return [line, *([] if filled else nest(value.type.shape, lambda axes: f"{axes.at(view)} = {start};"))]

    def accumulate(self, i: int) -> list[str]:
        value, view = self.program[i], self.operands.arrays[i]
        step = AGGREGATIONS[value.op].step
        return nest(value.type.shape, lambda axes: step.format(axes.at(view), self.expression(value.args[0], axes)))

    def _finish(self, i: int) -> list[str]:
        value, view = self.program[i], self.operands.arrays[i]
        text = AGGREGATIONS[value.op].finish
        return nest(value.type.shape, lambda axes: text.format(axes.at(view))) if text else []

    # --- sums over all rows ----------------------------------------------------------------------------------------

    def row_sums(self) -> list[RowSum]:
        found: list[RowSum] = []
        for i in self.kernel.reductions:
            start = sum(s.size for s in found)
            found.append(RowSum(self._sum_name(i), self.operands.width(i), start, self.operands.outputs[i]))
        return found

    def _sum_name(self, i: int) -> str:
        return f"{self.operands.names[i]}_sum"

    def _row_sum_lines(self) -> list[str]:
        """Add this row to the chunk's sums."""
        return [line for i in self.kernel.reductions for line in self._add_row(i)]

    def _add_row(self, i: int) -> list[str]:
        value = self.program[i]
        total = array(self._sum_name(i), value.type.shape)
        return nest(total.shape, lambda axes: f"{axes.at(total)} += {self.expression(value.args[0], axes)};")

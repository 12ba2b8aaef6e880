"""C++ for one row kernel: op -> expression tables around the skeleton in `templates/`.

1. Name the tensors a kernel takes (`t0`, `t1`, ...) and the values it computes (`v0`, ...): names are local, so the same
   kernel of two programs is the same text and is compiled once.
2. A pointwise value used once, by a statement over the same shape, is printed inside it; every other value gets a small
   array on the stack. Reshapes, slices, repeats and gathers are views: other ways to index the same numbers.
3. Statements are printed phase by phase into the skeleton.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from workers.compiler import dropout
from workers.compiler.codegen.loops import Axes, View, array, contiguous, nest, reduction
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.ops import OPS
from workers.compiler.rows import Layout, Phase, RowKernel, Schedule, Side, root, size

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # noqa: S701  (C++, not HTML)
)

# op -> expression of its operands and attributes; a name with a trailing underscore is a function of ops.cpp.jinja.
EXPRESSIONS: dict[str, str] = {
    "neg": "(-{0})",
    "exp": "exp_({0})",
    "log": "log_({0})",
    "sqrt": "sqrt_({0})",
    "abs": "abs_({0})",
    "sign": "sign_({0})",
    "reciprocal": "reciprocal_({0})",
    "relu": "relu_({0})",
    "elu": "elu_({0})",
    "sigmoid": "sigmoid_({0})",
    "tanh": "tanh_({0})",
    "leaky_relu": "leaky_relu_({0}, {slope})",
    "leaky_relu_grad": "({0} > 0 ? T(1) : {slope})",
    "step": "({0} > 0 ? T(1) : T(0))",
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "div": "({0} / {1})",
    "maximum": "maximum_({0}, {1})",
    "minimum": "minimum_({0}, {1})",
    "gt": "({0} > {1} ? T(1) : T(0))",
    "ge": "({0} >= {1} ? T(1) : T(0))",
    "lt": "({0} < {1} ? T(1) : T(0))",
    "le": "({0} <= {1} ? T(1) : T(0))",
    "eq": "({0} == {1} ? T(1) : T(0))",
    "where": "({0} != 0 ? {1} : {2})",
    "dropout": "dropout_({0}, {row}, {column}, {threshold}, {scale})",
}
CALLS: dict[str, tuple[str, ...]] = {  # functions of the preamble that other functions need
    "elu": ("exp",),
    "sigmoid": ("exp",),
    "max_edges": ("maximum",),
    "min_edges": ("minimum",),
}


@dataclass(frozen=True)
class Accumulator:
    """How an aggregation starts, takes one edge, and ends (None: as it is)."""

    start: str
    step: str
    finish: str | None = None


AGGREGATIONS: dict[str, Accumulator] = {
    "sum_edges": Accumulator("T(0)", "{0} += {1};"),
    "mean_edges": Accumulator("T(0)", "{0} += {1};", "if (end > first) {0} /= T(end - first);"),
    "max_edges": Accumulator("-T(__builtin_inf())", "{0} = maximum_({0}, {1});", "if (end == first) {0} = 0;"),
    "min_edges": Accumulator("T(__builtin_inf())", "{0} = minimum_({0}, {1});", "if (end == first) {0} = 0;"),
}
SCALARS = {"float32": "float", "float64": "double"}
IDS = {32: "int32_t", 64: "int64_t"}
VIEWS = ("reshape", "expand", "slice")
ROW_NUMBER = {Layout.EDGES: "edge", Layout.SLOTS: "slot"}


def number(value: float) -> str:
    """A C++ literal of type T that holds exactly this double."""
    special = {math.inf: "T(__builtin_inf())", -math.inf: "-T(__builtin_inf())"}
    return special.get(value) or ('T(__builtin_nan(""))' if value != value else f"T({value!r})")


@dataclass(frozen=True)
class Rendered:
    """Source of one kernel and what it wants at run time: numbers of scratch memory a chunk."""

    source: str
    partials: int


def render(schedule: Schedule, kernel: RowKernel, *, dtype: str = "float32", id_bits: int = 32) -> Rendered:
    """The C++ source of `kernel`; the same kernel always gives the same bytes."""
    writer = _Writer(schedule, kernel)
    phases = [writer.phase(k, p) for k, p in enumerate(kernel.phases)]
    reductions = writer.reductions()
    source = TEMPLATES.get_template("kernel.cpp.jinja").render(
        scalar=SCALARS[dtype],
        suffix="f" if dtype == "float32" else "",
        id=IDS[id_bits],
        exp_terms=[repr(1 / math.factorial(k)) for k in range(7 if dtype == "float32" else 13, -1, -1)],
        functions=writer.functions(),
        arguments=writer.arguments(),
        own=writer.own_rows(),
        walks=any(p.loop for p in kernel.phases),
        phases=phases,
        reductions=reductions,
    )
    return Rendered(source, sum(int(str(r["size"])) for r in reductions))


@dataclass
class _Writer:
    schedule: Schedule
    kernel: RowKernel
    views: dict[int, View] = field(default_factory=dict)  # values that have an array, by id

    # --- names -----------------------------------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        return self.schedule.program

    @cached_property
    def tensors(self) -> dict[int, str]:
        """Tensors read, by value id."""
        return {i: f"t{k}" for k, i in enumerate(self.kernel.loads)}

    @cached_property
    def outputs(self) -> dict[int, str]:
        return {i: f"t{k + len(self.kernel.loads)}" for k, i in enumerate(self.kernel.stores)}

    @cached_property
    def names(self) -> dict[int, str]:
        return {i: f"v{k}" for k, i in enumerate(self.kernel.values())}

    def arguments(self) -> list[str]:
        """Declarations that unpack the tensors and prepare the dropouts."""
        reads = [f"const T* __restrict const {name} = tensors[{k}];" for k, name in enumerate(self.tensors.values())]
        first = len(reads)
        writes = [f"T* __restrict const {n} = tensors[{first + k}];" for k, n in enumerate(self.outputs.values())]
        return [*reads, *writes, *(line for v in self.dropouts for line in self._dropout_setup(v))]

    @cached_property
    def dropouts(self) -> list[Value]:
        return [self.program[i] for i in self.kernel.values() if self.program[i].op == "dropout"]

    def _dropout_setup(self, value: Value) -> list[str]:
        name, p = self.names[value.id], value.number("p")
        scale = number(1 / (1 - p)) if p < 1 else "T(0)"
        return [
            f"const uint64_t {name}_key = dropout_key(g.seed, {value.whole('stream')}u);",
            f"const uint32_t {name}_threshold = g.training ? {dropout.threshold(p)}u : 0u;",
            f"const T {name}_scale = g.training ? {scale} : T(1);",
        ]

    def functions(self) -> set[str]:
        used = {self.program[i].op for i in self.kernel.values()}
        return used | {f for op in used for f in CALLS.get(op, ())}

    # --- where values are ------------------------------------------------------------------------------------------

    def own_rows(self) -> list[str]:
        """Pointers to this row of the tensors read for it."""
        mine = [i for i in self._own_loads() if self.schedule.layout(i) is Layout.ROWS]
        return [f"const T* __restrict const {self._own(i)} = {self.tensors[i]} + row * {self.width(i)};" for i in mine]

    def _own(self, i: int) -> str:
        return f"{self.tensors[i]}_row"

    def _own_loads(self) -> list[int]:
        used = {a for a, mine in self._reads() if mine}
        return [i for i in self.kernel.loads if i in used]

    def _reads(self) -> list[tuple[int, bool]]:
        """Every tensor read with whether it is this row's (as against the row at the far end)."""
        out = []
        for i in self.kernel.values():
            value = self.program[i]
            far = OPS[value.op].group == "movement" and not self._gathers_own(value)
            out += [(root(self.program, a), not far) for a in value.args if root(self.program, a) in self.tensors]
        return out

    def _gathers_own(self, value: Value) -> bool:
        return value.op == f"gather_{self.kernel.side.value}"

    def width(self, i: int) -> int:
        return size(self.program[i].type)

    def view(self, i: int) -> View | None:
        """Where the numbers of value `i` are, or None if it is printed inside its user."""
        value, shape = self.program[i], self.program[i].type.shape
        if i in self.views:
            return self.views[i]
        if value.op == "constant":
            return View(number(value.number("value")), (), (), scalar=True)
        if i in self.tensors:
            return array(self._tensor_base(i), shape)
        if OPS[value.op].group == "movement":
            return self._gathered(value)
        if value.op in VIEWS:
            return self._viewed(value)
        return None

    def _tensor_base(self, i: int) -> str:
        layout, name = self.schedule.layout(i), self.tensors[i]
        if self.kernel.domain is Domain.PARAM or layout is Layout.PARAM:
            return name
        return f"{name}_{'row' if layout is Layout.ROWS else 'edge'}"

    def _gathered(self, value: Value) -> View:
        if self._gathers_own(value):
            inner = self.view(value.args[0])
            assert inner is not None, "a value read along edges has an array"
            return inner
        return array(f"{self.tensors[root(self.program, value.args[0])]}_far", value.type.shape)

    def _viewed(self, value: Value) -> View:
        inner = self.view(value.args[0])
        assert inner is not None, "a value seen through a view has an array"
        if value.op == "reshape":
            return inner.reshaped(value.type.shape)
        if value.op == "expand":
            return inner.expanded(value.type.shape)
        return inner.sliced(value.whole("start"), value.whole("stop"))

    # --- expressions -----------------------------------------------------------------------------------------------

    def expression(self, i: int, axes: Axes) -> str:
        """The number of value `i` at the current position of the loops."""
        view = self.view(i)
        if view is not None:
            return axes.at(view)
        value = self.program[i]
        args = [self.expression(a, axes) for a in value.args]
        attrs = {k: number(a) for k, a in value.attrs if isinstance(a, float)}
        extra = self._dropout_extra(value, axes) if value.op == "dropout" else {}
        return EXPRESSIONS[value.op].format(*args, **attrs | extra)

    def _dropout_extra(self, value: Value, axes: Axes) -> Mapping[str, str]:
        name = self.names[value.id]
        row = {Domain.EDGE: "edge", Domain.PARAM: "0"}.get(value.type.domain, "row")
        whole = View("", value.type.shape, contiguous(value.type.shape))
        return {
            "row": f"dropout_row({name}_key, {row})",
            "column": f"uint32_t({axes.position(whole.aligned(axes.shape))})",
            "threshold": f"{name}_threshold",
            "scale": f"{name}_scale",
        }

    # --- what is printed inside its user ---------------------------------------------------------------------------

    def inlined(self, scope: tuple[int, ...], users: Mapping[int, list[tuple[int, ...] | None]]) -> set[int]:
        """Values of `scope` with one user that visits exactly their shape. A user of None cannot take them inside."""
        return {i for i in scope if OPS[self.program[i].op].group == "pointwise" and self._fits(i, users.get(i, []))}

    def _fits(self, i: int, users: list[tuple[int, ...] | None]) -> bool:
        return len(users) == 1 and users[0] is not None and _squeezed(users[0]) == _squeezed(self.program[i].type.shape)

    def users(self, scope: tuple[int, ...], elsewhere: tuple[int, ...]) -> dict[int, list[tuple[int, ...] | None]]:
        """Who reads what: the shape a user in `scope` visits, None for views and for users outside it."""
        found: dict[int, list[tuple[int, ...] | None]] = {}
        for i in scope:
            for a in self.program[i].args:
                found.setdefault(a, []).append(self._visits(self.program[i], a))
        for i in elsewhere:
            for a in self.program[i].args:
                found.setdefault(a, []).append(None)
        return found

    def _visits(self, value: Value, operand: int) -> tuple[int, ...] | None:
        if value.op in VIEWS or OPS[value.op].group == "movement":
            return None
        takes_whole = value.op in ("sum_to", "concat") or OPS[value.op].group == "aggregation"
        return self.program[operand].type.shape if takes_whole else value.type.shape

    # --- phases ----------------------------------------------------------------------------------------------------

    def phase(self, k: int, phase: Phase) -> dict[str, object]:
        """The lines of phase `k`: row statements, then the edge loop's head, body and the accumulators' ends."""
        rows = self.row_lines(k, phase)
        if not phase.loop:
            return {"rows": rows, "loop": False}
        starts = [line for i in phase.aggregations for line in self.accumulator(i)]
        edges = self.edge_lines(phase)
        head = self.loop_head(phase)
        tail = [line for i in phase.aggregations for line in self.finish(i)]
        return {"rows": [*rows, *starts], "loop": True, "head": head, "edges": edges, "tail": tail}

    def row_lines(self, k: int, phase: Phase) -> list[str]:
        elsewhere = tuple(i for i in self.kernel.values() if i not in phase.rows)
        users = self.users(phase.rows, elsewhere)
        finished = self.kernel.phases[k - 1].aggregations if k else ()
        stored = [i for i in (*finished, *phase.rows) if i in self.outputs]
        for i in stored:
            users.setdefault(i, []).append(self.program[i].type.shape)
        inside = self.inlined(phase.rows, users)
        lines = [line for i in phase.rows if i not in inside for line in self.define(i)]
        lines += [line for i in stored for line in self.store(i, f"{self.outputs[i]}[row * {self.width(i)} + {{0}}]")]
        return lines + (self.reduction_lines() if k == len(self.kernel.phases) - 1 else [])

    def edge_lines(self, phase: Phase) -> list[str]:
        users = self.users((*phase.edges, *phase.aggregations), ())
        for i in phase.edge_stores:
            users.setdefault(i, []).append(self.program[i].type.shape)
        inside = self.inlined(phase.edges, users)
        for i in phase.edges:
            self.views.pop(i, None)
        lines = [line for i in phase.edges if i not in inside for line in self.define(i)]
        for i in phase.edge_stores:
            where = ROW_NUMBER[self.schedule.layout(i)]
            lines += self.store(i, f"{self.outputs[i]}[{where} * {self.width(i)} + {{0}}]")
        return lines + [line for i in phase.aggregations for line in self.accumulate(i)]

    def loop_head(self, phase: Phase) -> list[str]:
        """Numbers of the edge and pointers to what it reads, declared only where used."""
        far, edge = self._far_tensors(phase), self._edge_tensors(phase)
        text_needs = {ROW_NUMBER[self.schedule.layout(i)] for i in (*edge, *phase.edge_stores)}
        if any(self.program[i].op == "dropout" for i in phase.edges):
            text_needs.add("edge")
        lines = [f"const int64_t {name} = {self._edge_number(name)};" for name in sorted(text_needs)]
        if far:
            lines.append("const int64_t far = g.other[e];")
        for i in far:
            lines.append(f"const T* __restrict const {self.tensors[i]}_far = {self.tensors[i]} + far * {self.width(i)};")
        for i in edge:
            number_ = ROW_NUMBER[self.schedule.layout(i)]
            lines.append(f"const T* __restrict const {self.tensors[i]}_edge = {self.tensors[i]} + {number_} * {self.width(i)};")
        return [*lines, *self._prefetches(far)]

    def _edge_number(self, name: str) -> str:
        return "e" if name == "slot" and self.kernel.side is Side.DST else f"g.{name}[e]"

    def _far_tensors(self, phase: Phase) -> list[int]:
        gathers = (self.program[i] for i in phase.edges if OPS[self.program[i].op].group == "movement")
        found = {root(self.program, v.args[0]) for v in gathers if not self._gathers_own(v)}
        return sorted(found, key=self.kernel.loads.index)

    def _edge_tensors(self, phase: Phase) -> list[int]:
        read = {root(self.program, a) for i in (*phase.edges, *phase.aggregations) for a in self.program[i].args}
        return [i for i in self.kernel.loads if i in read and self.program[i].type.domain is Domain.EDGE]

    def _prefetches(self, far: list[int]) -> list[str]:
        """Ask early for the rows a few edges ahead: they lie anywhere in memory."""
        wide = [i for i in far if self.width(i) >= 8]
        if not wide:
            return []
        lines = ["const int64_t ahead = g.other[e + 8 < last ? e + 8 : last];"]
        for i in wide:
            step = f"for (int i = 0; i < {self.width(i)}; i += 64 / sizeof(T))"
            lines.append(f"{step} __builtin_prefetch({self.tensors[i]} + ahead * {self.width(i)} + i);")
        return lines

    # --- statements ------------------------------------------------------------------------------------------------

    def define(self, i: int) -> list[str]:
        """Compute value `i` into an array of its own (nothing to do for a view)."""
        value = self.program[i]
        if self.view(i) is not None and not self._must_copy(value):
            return []
        writer: dict[str, Callable[[Value], list[str]]] = {"sum_to": self._define_sum, "concat": self._define_concat}
        return writer.get(value.op, self._define_pointwise)(value)

    def _must_copy(self, value: Value) -> bool:
        """A repeat or a slice that is reshaped afterwards must lie in one piece."""
        if value.op not in ("expand", "slice"):
            return False
        return any(self.program[i].op == "reshape" and value.id in self.program[i].args for i in range(len(self.program.values)))

    def _declare(self, value: Value, start: str = "") -> tuple[View, str]:
        name, width = self.names[value.id], self.width(value.id)
        if width == 1:
            shape = value.type.shape
            return View(name, shape, contiguous(shape), scalar=True), f"T {name}{f' = {start}' if start else ''};"
        return array(name, value.type.shape), f"T {name}[{width}]{' = {}' if start else ''};"

    def _define_pointwise(self, value: Value) -> list[str]:
        view, line = self._declare(value)
        source = value.id if self.view(value.id) is None else value.args[0]
        body = nest(value.type.shape, lambda axes: f"{axes.at(view)} = {self.expression(source, axes)};")
        self.views[value.id] = view
        return [line, *body]

    def _define_sum(self, value: Value) -> list[str]:
        view, line = self._declare(value, "T(0)")
        shape = self.program[value.args[0]].type.shape
        padded = View(view.base, shape, view.aligned(shape), scalar=view.scalar)
        body = reduction(shape, padded, lambda axes: self.expression(value.args[0], axes))
        self.views[value.id] = view
        return [line, *body]

    def _define_concat(self, value: Value) -> list[str]:
        view, line = self._declare(value)
        lines, start = [line], 0
        for a in value.args:
            shape = self.program[a].type.shape
            part = View(view.base, shape, view.strides, start, view.scalar)
            lines += nest(shape, lambda axes, a=a, part=part: f"{axes.at(part)} = {self.expression(a, axes)};")
            start += shape[-1]
        self.views[value.id] = view
        return lines

    def accumulator(self, i: int) -> list[str]:
        value = self.program[i]
        rule = AGGREGATIONS[value.op]
        view, line = self._declare(value, rule.start)
        self.views[i] = view
        filled = view.scalar or rule.start == "T(0)"
        return [line, *([] if filled else nest(value.type.shape, lambda axes: f"{axes.at(view)} = {rule.start};"))]

    def accumulate(self, i: int) -> list[str]:
        value, view = self.program[i], self.views[i]
        step = AGGREGATIONS[value.op].step
        return nest(value.type.shape, lambda axes: step.format(axes.at(view), self.expression(value.args[0], axes)))

    def finish(self, i: int) -> list[str]:
        value, view = self.program[i], self.views[i]
        text = AGGREGATIONS[value.op].finish
        return nest(value.type.shape, lambda axes: text.format(axes.at(view))) if text else []

    def store(self, i: int, target: str) -> list[str]:
        shape = self.program[i].type.shape
        return nest(shape, lambda axes: f"{target.format(axes.position(contiguous(shape)))} = {self.expression(i, axes)};")

    # --- sums over all rows ----------------------------------------------------------------------------------------

    def reductions(self) -> list[dict[str, object]]:
        out: list[dict[str, object]] = []
        start = 0
        for i in self.kernel.reductions:
            out.append({"name": f"{self.names[i]}_sum", "size": self.width(i), "start": start, "out": self.outputs[i]})
            start += self.width(i)
        return out

    def reduction_lines(self) -> list[str]:
        """Add this row to the chunk's sums."""
        lines: list[str] = []
        for i in self.kernel.reductions:
            (a,) = self.program[i].args
            view = array(f"{self.names[i]}_sum", self.program[i].type.shape)
            lines += nest(view.shape, lambda axes, a=a, view=view: f"{axes.at(view)} += {self.expression(a, axes)};")
        return lines


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    while shape[:1] == (1,):
        shape = shape[1:]
    return shape

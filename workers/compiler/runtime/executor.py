"""Runs a schedule: allocates tensors, calls kernels and the BLAS in order, lets go of what nobody reads any more.

1. Every step's operands are contiguous tensors by value id; leaves come from the caller, degrees from the graph.
2. A row kernel gets the graph's arrays in one struct, its tensors as an array of pointers, and scratch for row sums.
3. Threads share chunks of rows; small work runs on one. Neither changes a bit of the result.
"""

from __future__ import annotations

import ctypes
import os
import time
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from workers.compiler.codegen.build import KernelCache
from workers.compiler.codegen.cpp import Rendered, render
from workers.compiler.cost import Cost, Extent, step_cost
from workers.compiler.ir import Domain
from workers.compiler.rows import DenseStep, RowKernel, Schedule, Side, Step, root, size
from workers.compiler.runtime import live, profile
from workers.compiler.runtime.graph import GraphIndex
from workers.compiler.text import print_value

DTYPES = {torch.float32: "float32", torch.float64: "float64"}
WORD = 2**64 - 1
SERIAL_BELOW = 20_000  # numbers touched; waking threads costs more than this much work

# OpenMP's threads stay behind when a process forks, and who counts on them there waits for ever: torch as well as we.
os.register_at_fork(after_in_child=lambda: torch.set_num_threads(1))


class _Rows(ctypes.Structure):
    """`struct Rows` of the kernel skeleton."""

    _fields_ = (
        ("chunks", ctypes.c_int64),
        ("bounds", ctypes.c_void_p),
        ("ptr", ctypes.c_void_p),
        ("other", ctypes.c_void_p),
        ("slot", ctypes.c_void_p),
        ("edge", ctypes.c_void_p),
        ("threads", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("training", ctypes.c_int64),
    )


@dataclass(frozen=True)
class Call:
    """What one run is told besides tensors."""

    graph: GraphIndex
    training: bool
    seed: int


@dataclass(frozen=True)
class Compiled:
    """A row kernel with its machine code for one width of ids; the numbers it computes for each row and each edge."""

    kernel: RowKernel
    rendered: Rendered
    function: ctypes._NamedFuncPointer
    row_work: int
    edge_work: int

    def threads(self, graph: GraphIndex, chunks: int) -> int:
        """Threads worth waking."""
        work = self.row_work * graph.rows(self.kernel.domain) + self.edge_work * graph.edges
        return min(torch.get_num_threads(), max(1, chunks)) if work >= SERIAL_BELOW else 1


def allocate(shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    return torch.empty(shape, dtype=dtype)


@dataclass(frozen=True)
class Executor:
    """One schedule for one dtype. `direction` is a label of profiles: forward or backward."""

    schedule: Schedule
    dtype: torch.dtype
    cache: KernelCache
    direction: str = "forward"

    # --- code ------------------------------------------------------------------------------------------------------

    def rendered(self, id_bits: int = 32) -> list[Rendered]:
        """Every kernel's source, in the schedule's order; written once and kept."""
        if id_bits not in self._sources:
            dtype = DTYPES[self.dtype]
            self._sources[id_bits] = [
                render(self.schedule, k, dtype=dtype, id_bits=id_bits) for k in self.schedule.kernels
            ]
        return self._sources[id_bits]

    def compiled(self, id_bits: int) -> dict[str, Compiled]:
        """Machine code by kernel name, built or found on first use."""
        if id_bits not in self._code:
            rendered = self.rendered(id_bits)
            libraries = self.cache.load([r.source for r in rendered])
            functions = (lib.asterism_kernel for lib in libraries)
            triples = zip(self.schedule.kernels, rendered, functions, strict=True)
            self._code[id_bits] = {k.name: Compiled(k, r, f, *self._work(k)) for k, r, f in triples}
        return self._code[id_bits]

    @cached_property
    def _sources(self) -> dict[int, list[Rendered]]:
        return {}

    @cached_property
    def _code(self) -> dict[int, dict[str, Compiled]]:
        return {}

    @cached_property
    def _frees(self) -> list[tuple[int, ...]]:
        return self.schedule.last_uses()

    # --- running ---------------------------------------------------------------------------------------------------

    def run(self, call: Call, given: dict[int, Tensor]) -> dict[int, Tensor]:
        """Tensors of the schedule's targets from those of its leaves and given values."""
        tensors = dict(given)
        record = profile.active()
        code = self.compiled(call.graph.id_bits)
        for step, free in zip(self.schedule.steps, self._frees, strict=True):
            self._degrees(step, call, tensors)
            start = time.perf_counter() if record else 0.0
            if isinstance(step, DenseStep):
                tensors[step.value] = self._dense(step, call, tensors)
            else:
                self._kernel(code[step.name], call, tensors)
            if record:
                record.record(self.labels[step.name], time.perf_counter() - start, self.cost(step, call.graph))
            if (watch := live.watching()) is not None:
                watch.made(self.schedule.program.name, step.name, (tensors[i] for i in step.stores))
            for i in free:
                del tensors[i]
        return {i: tensors[i] for i in self.schedule.targets}

    def _degrees(self, step: Step, call: Call, tensors: dict[int, Tensor]) -> None:
        for i in step.loads:
            value = self.schedule.program[i]
            if i not in tensors and value.op == "degree":
                tensors[i] = call.graph.degree(value.text("side"), self.dtype)

    def _dense(self, step: DenseStep, call: Call, tensors: dict[int, Tensor]) -> Tensor:
        value = self.schedule.program[step.value]
        a, b = (self.shaped(i, call, tensors) for i in value.args)
        if value.op == "weight_grad":
            return a.reshape(-1, a.shape[-1]).T @ b.reshape(-1, b.shape[-1])
        return a @ (b.T if dict(value.attrs).get("transposed") else b)

    def shaped(self, i: int, call: Call, tensors: dict[int, Tensor]) -> Tensor:
        """The tensor of value `i`, which may be a reshaped view of what is stored."""
        return tensors[root(self.schedule.program, i)].reshape(self.full_shape(i, call.graph))

    def full_shape(self, i: int, graph: GraphIndex) -> tuple[int, ...]:
        type_ = self.schedule.program[i].type
        return type_.shape if type_.domain is Domain.PARAM else (graph.rows(type_.domain), *type_.shape)

    def _kernel(self, code: Compiled, call: Call, tensors: dict[int, Tensor]) -> None:
        kernel = code.kernel
        for i in kernel.stores:
            tensors[i] = allocate(self.full_shape(i, call.graph), self.dtype)
        pointers = [tensors[i].data_ptr() for i in (*kernel.loads, *kernel.stores)]
        rows = self._rows(code, call)
        partials = torch.empty(code.rendered.partials * rows.chunks, dtype=self.dtype)
        array = (ctypes.c_void_p * len(pointers))(*pointers)
        code.function(ctypes.byref(rows), array, ctypes.c_void_p(partials.data_ptr()))

    def _rows(self, code: Compiled, call: Call) -> _Rows:
        graph, kernel = call.graph, code.kernel
        half = graph.rows_alone(kernel.domain) if kernel.side is Side.MAP else graph.half(kernel.side)
        return _Rows(half.chunks, *half.addresses, code.threads(graph, half.chunks), call.seed & WORD, call.training)

    def _work(self, kernel: RowKernel) -> tuple[int, int]:
        types = [self.schedule.program[i].type for i in kernel.values()]
        edges = sum(size(t) for t in types if t.domain is Domain.EDGE)
        return sum(map(size, types)) - edges, edges

    # --- what a step is --------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, profile.StepTime]:
        """What profiles say of every step, by its name."""
        return {step.name: self._label(step) for step in self.schedule.steps}

    def _label(self, step: Step) -> profile.StepTime:
        program = self.schedule.program
        values = [program[i] for i in (step.values() if isinstance(step, RowKernel) else (step.value,))]
        return profile.StepTime(
            program.name,
            step.name,
            self.direction,
            step.side.value if isinstance(step, RowKernel) else "dense",
            tuple(v.op for v in values),
            tuple(print_value(v) for v in values),
            tuple(sorted({v.span.line for v in values if v.span})),
        )

    def cost(self, step: Step, graph: GraphIndex) -> Cost:
        """What one call of a step takes at least."""
        rows = {domain: graph.rows(domain) for domain in Domain}
        return step_cost(self.schedule, step, Extent(rows, self.dtype.itemsize, graph.id_bits // 8))

"""Runs a schedule: allocates tensors, calls kernels and the BLAS in order, lets go of what nobody reads any more.

1. Every step's operands are contiguous tensors by value id; leaves come from the caller, degrees from the graph.
2. How a row kernel runs is its target's business: `cpp_executor.py`, `triton_executor.py`.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from workers.compiler.codegen.storage import precise
from workers.compiler.cost import Cost, Extent, computed, step_cost
from workers.compiler.ir import Domain, Value
from workers.compiler.rows import DenseStep, RowKernel, Schedule, Step, root, source
from workers.compiler.runtime import live, profile
from workers.compiler.runtime.graph import GraphIndex, IntArray
from workers.compiler.runtime.memory import allocate
from workers.compiler.runtime.stitched import StitchedIndex
from workers.compiler.runtime.typed_products import Rows
from workers.compiler.text import print_value

DTYPES = {torch.float32: "float32", torch.float64: "float64", torch.bfloat16: "bfloat16"}
CPU = torch.device("cpu")

# OpenMP's threads stay behind when a process forks, and who counts on them there waits for ever: torch as well as we.
os.register_at_fork(after_in_child=lambda: torch.set_num_threads(1))


@dataclass(frozen=True)
class Call:
    """What one run is told besides tensors."""

    graph: GraphIndex
    training: bool
    seed: int


class Planned(NamedTuple):
    """A step with what there is to do around it, by value: degrees it may ask the graph for, with their side; tensors
    that nobody reads after it, those whose memory another takes later being `kept` aside."""

    step: Step
    degrees: tuple[tuple[int, str], ...]
    dropped: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Executor(ABC):
    """One schedule for one dtype. `direction` is a label of profiles: forward or backward.

    What a row kernel is, is left to the target.
    """

    schedule: Schedule
    dtype: torch.dtype
    direction: str

    target: ClassVar[str]  # what kernels are generated for
    overwrites: ClassVar[bool] = False  # whether kernels may write over what dies with them

    @abstractmethod
    def sources(self) -> list[str]:
        """The text of every kernel, in the schedule's order."""

    @abstractmethod
    def run_kernel(self, kernel: RowKernel, call: Call, tensors: dict[int, Tensor]) -> None:
        """Fill the tensors that `kernel` stores; all are contiguous."""

    @cached_property
    def _steps(self) -> tuple[Planned, ...]:
        return tuple(map(self._planned, self.schedule.steps, self.schedule.last_uses()))

    def _planned(self, step: Step, free: tuple[int, ...]) -> Planned:
        program, reuses = self.schedule.program, self.schedule.reuses
        taken = {reuses.get(o) for o in step.stores}
        kept = tuple(i for i in free if i in self._outlived and i not in taken)
        degrees = tuple((i, program[i].text("side")) for i in step.loads if program[i].op == "degree")
        return Planned(step, degrees, tuple(i for i in free if i not in kept), kept)

    @cached_property
    def _outlived(self) -> frozenset[int]:
        """Tensors whose memory another takes when they are dead."""
        return frozenset(self.schedule.reuses.values())

    @cached_property
    def _shapes(self) -> WeakKeyDictionary[GraphIndex, dict[int, tuple[int, ...]]]:
        """Of every value met so far, on each graph."""
        return WeakKeyDictionary()

    # --- running ---------------------------------------------------------------------------------------------------

    def run(self, call: Call, tensors: dict[int, Tensor]) -> dict[int, Tensor]:
        """Tensors of the schedule's targets from those of its leaves and given values.

        `tensors` is used up: what no later step reads is let go of, and its memory with it, unless another holds it.
        """
        dead = dict[int, Tensor]()
        record = profile.active()
        device = next((x.device for x in tensors.values()), CPU)
        for step, degrees, dropped, kept in self._steps:
            for i, side in degrees:
                if i not in tensors:
                    tensors[i] = call.graph.degree(side, self.stored(i), device)
            start = time.perf_counter() if record else 0.0
            tensors |= {i: self._memory(i, call, tensors, dead, device) for i in step.stores}
            if isinstance(step, DenseStep):
                self._dense(step, call, tensors)
            else:
                self.run_kernel(step, call, tensors)
            if record:
                _finished(device)
                record.record(self.labels[step.name], time.perf_counter() - start, self.cost(step, call.graph))
            if (watch := live.watching()) is not None:
                watch.made(self.schedule.program.name, step.name, (tensors[i] for i in step.stores))
            for i in dropped:
                del tensors[i]
            for i in kept:
                dead[i] = tensors.pop(i)
        return {i: tensors[i] for i in self.schedule.targets}

    def _dense(self, step: DenseStep, call: Call, tensors: dict[int, Tensor]) -> None:
        value = self.schedule.program[step.value]
        if value.op.startswith("typed_"):
            self._typed(value, call, tensors, tensors[step.stores[0]])
            return
        a, b = (self._operand(i, call, tensors) for i in value.args)
        out = tensors[step.stores[0]]
        if value.op == "weight_grad":
            self.multiply_transposed(_matrix(a), _matrix(b), out)
        else:
            b = b.T if dict(value.attrs).get("transposed") else b
            self.multiply(a, b, None if step.added is None else tensors[step.added], out)

    def _typed(self, value: Value, call: Call, tensors: dict[int, Tensor], out: Tensor) -> None:
        """A product with a matrix a relation or type; operands may be rows picked from a tensor of vertices."""
        program, graph = self.schedule.program, call.graph
        assert isinstance(graph, StitchedIndex)
        x, other = value.args
        bounds = graph.bounds(program[x].type.domain)
        rows = self._picked(x, call, tensors, bounds)
        if value.op == "typed_matmul":
            weight = self.shaped(other, call, tensors)
            self.multiply_typed(rows, weight.mT if dict(value.attrs).get("transposed") else weight, out)
        else:
            g = self._picked(other, call, tensors, bounds)
            self.multiply_typed_transposed(rows, g, out)

    def _picked(self, i: int, call: Call, tensors: dict[int, Tensor], bounds: IntArray) -> Rows:
        place, name = source(self.schedule.program, i)
        if not name or root(self.schedule.program, i) in tensors:
            return Rows(self.shaped(i, call, tensors), bounds)
        assert isinstance(call.graph, StitchedIndex)
        x = tensors[place].reshape(-1, *self.schedule.program[i].type.shape)
        return Rows(x, bounds, call.graph.map_array(name))

    def multiply_typed(self, rows: Rows, weight: Tensor, out: Tensor) -> None:
        """out[r] = row r times the matrix of its kind; weight: [kinds, K, C]."""
        x = rows.by_hand()
        for k, (first, end) in enumerate(pairwise(rows.bounds.tolist())):
            torch.matmul(x[first:end], weight[k], out=out[first:end])

    def multiply_typed_transposed(self, rows: Rows, g: Rows, out: Tensor) -> None:
        """out[kind] = sum over the rows of the kind, transposed, times g's."""
        x, other = rows.by_hand(), g.by_hand()
        for k, (first, end) in enumerate(pairwise(rows.bounds.tolist())):
            flat = (t[first:end].reshape(-1, t.shape[-1]) for t in (x, other))
            a, b = flat
            torch.matmul(a.T, b, out=out[k])

    def multiply(self, a: Tensor, b: Tensor, added: Tensor | None, out: Tensor) -> None:
        """out = a b (+ added), for a a row a vertex or edge; `added` is one row, or like out, which it may be."""
        if added is None:
            torch.matmul(a, b, out=out)
        else:
            torch.addmm(added, a, b, out=out)

    def multiply_transposed(self, a: Tensor, b: Tensor, out: Tensor) -> None:
        """out = transposed a times b, both a row a vertex or edge."""
        torch.matmul(a.T, b, out=out)

    def shaped(self, i: int, call: Call, tensors: dict[int, Tensor]) -> Tensor:
        """The tensor of value `i`, which may be a reshaped view of what is stored."""
        return tensors[root(self.schedule.program, i)].reshape(self.full_shape(i, call.graph))

    def _operand(self, i: int, call: Call, tensors: dict[int, Tensor]) -> Tensor:
        """The same, by itself where it has that shape: a view costs as much as a small product."""
        x = tensors[root(self.schedule.program, i)]
        return x if x.shape == self.full_shape(i, call.graph) else self.shaped(i, call, tensors)

    def full_shape(self, i: int, graph: GraphIndex) -> tuple[int, ...]:
        shapes = self._shapes.get(graph)
        if shapes is None:
            shapes = self._shapes[graph] = {}
        if i not in shapes:
            type_ = self.schedule.program[i].type
            shapes[i] = type_.shape if type_.domain is Domain.PARAM else (graph.rows(type_.domain), *type_.shape)
        return shapes[i]

    def _memory(
        self, i: int, call: Call, tensors: dict[int, Tensor], dead: dict[int, Tensor], device: torch.device
    ) -> Tensor:
        """A tensor for value `i`, in the memory of a dead or dying one where the schedule says so."""
        shape, old = self.full_shape(i, call.graph), self.schedule.reuses.get(i)
        if old is None:
            return allocate(shape, self.stored(i), device)
        taken = tensors.get(old) if self.overwrites else None
        taken = dead.pop(old, None) if taken is None else taken
        fits = taken is not None and taken.dtype is self.stored(i)
        return taken.view(shape) if taken is not None and fits else allocate(shape, self.stored(i), device)

    @property
    def arithmetic(self) -> torch.dtype:
        """What kernels compute with."""
        return torch.float32 if self.dtype is torch.bfloat16 else self.dtype

    def stored(self, i: int) -> torch.dtype:
        """The dtype of the tensor of value `i`."""
        if i not in self._stored:
            self._stored[i] = self.arithmetic if precise(self.schedule, i) else self.dtype
        return self._stored[i]

    @cached_property
    def _stored(self) -> dict[int, torch.dtype]:
        return {}

    # --- what a step is --------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, profile.StepTime]:
        """What profiles say of every step, by its name."""
        return {step.name: self._label(step) for step in self.schedule.steps}

    def _label(self, step: Step) -> profile.StepTime:
        program = self.schedule.program
        values = [program[i] for i in (step.values() if isinstance(step, RowKernel) else computed(step))]
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
        """What one call of a step takes at least; counted once a size of graph, since profiles ask at every call."""
        rows = tuple(graph.rows(domain) for domain in Domain)
        key = (step.name, graph.id_bits, rows)
        if key not in self._costs:
            extent = Extent(dict(zip(Domain, rows, strict=True)), self.dtype.itemsize, graph.id_bits // 8)
            self._costs[key] = step_cost(self.schedule, step, extent)
        return self._costs[key]

    @cached_property
    def _costs(self) -> dict[tuple[str, int, tuple[int, ...]], Cost]:
        return {}


def _matrix(x: Tensor) -> Tensor:
    """[..., K] as [rows, K]."""
    return x if x.dim() == 2 else x.reshape(-1, x.shape[-1])


def _finished(device: torch.device) -> None:
    """Wait for what was handed to a GPU, so that its time is that of the step."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)

"""`compile_program`: a vertex program in, a function of tensors out, differentiable through generated kernels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor

from workers.compiler.choices import Memory
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.edges import Edges
from workers.compiler.graph_size import USUAL, GraphSize
from workers.compiler.ir import Domain, Program, Span, Value
from workers.compiler.maps import is_typed
from workers.compiler.passes.differentiate import SEED
from workers.compiler.passes.pipeline import Stage
from workers.compiler.plan import make_plan
from workers.compiler.rows import RowKernel
from workers.compiler.runtime.autograd import Apply, Variant
from workers.compiler.runtime.default_cache import default_cache
from workers.compiler.runtime.executor import CPU, DTYPES, Call, Executor
from workers.compiler.runtime.graph import GraphIndex
from workers.compiler.runtime.operation import call_operation, define_operation, rows_of_arguments
from workers.compiler.runtime.stitched import StitchedIndex, stitched_of
from workers.compiler.runtime.targets import Target, TargetName, target_for
from workers.compiler.runtime.warn_once import warn_once
from workers.compiler.text import print_ir


@dataclass(frozen=True)
class KernelInfo:
    """What a page shows of one generated kernel; `fused_from` are the operations in it, `spans` where they stand."""

    name: str
    direction: str
    side: str
    target: str
    source: str
    fused_from: tuple[str, ...]
    spans: tuple[Span, ...]
    _executor: Executor = field(repr=False)
    _kernel: RowKernel = field(repr=False)

    def bytes(self, graph: Edges) -> int:
        """Bytes one call moves at least on `graph`."""
        return self._executor.cost(self._kernel, GraphIndex.of(graph)).moved


class CompiledProgram:
    """A program ready to run on any graph; made by `compile_program`.

    Calling it runs kernels for exactly the gradients that its arguments ask for; each such set is compiled once.
    """

    def __init__(
        self,
        program: Program,
        dtype: torch.dtype,
        cache: KernelCache | None,
        disabled: frozenset[str],
        memory: Memory = "balanced",
        graph_size: GraphSize = USUAL,
        target: TargetName | Target = "auto",
    ) -> None:
        self.program = program
        self.dtype = dtype
        self.cache = cache
        self.disabled = disabled
        self.memory: Memory = memory
        self.graph_size = graph_size
        self.target = target
        self.leaves: tuple[Value, ...] = tuple(v for v in program.values if v.op in ("input", "param"))
        self.names = tuple(v.text("name") for v in self.leaves)
        self.stages: tuple[Stage, ...] = ()
        self.typed = is_typed(program)
        self._targets: dict[torch.device, Target | None] = {}
        self._variants: dict[tuple[str, frozenset[str]], Variant] = {}

    def __reduce__(self) -> tuple[Callable[[Program], CompiledProgram], tuple[Program]]:
        """Another process plans again and finds the kernels in the cache."""
        cache = None if self.cache is default_cache() else self.cache
        again = partial(
            compile_program,
            dtype=self.dtype,
            cache=cache,
            disabled=self.disabled,
            memory=self.memory,
            graph_size=self.graph_size,
            target=self.target,
        )
        return again, (self.program,)

    def __deepcopy__(self, _memo: object) -> CompiledProgram:
        return self  # what it computes never changes, so copies of a model share the kernels

    @property
    def generated(self) -> bool:
        """False where there is no compiler and the reference interpreter runs instead."""
        return self.cache is not None

    def __call__(
        self, graph: Edges, inputs: Mapping[str, Tensor], *, training: bool = False, seed: int | Tensor = 0
    ) -> dict[str, Tensor]:
        """Named results [R, *shape] from named inputs and parameters of the compiled dtype.

        Raises ValueError for a missing, misshapen or differently typed tensor and for edges outside the graph.
        """
        if torch.compiler.is_compiling():
            return self._as_operation(graph, inputs, training, seed)
        index = self._index(graph)
        tensors = [
            self._checked(n, v, inputs, index.rows(v.type.domain)) for n, v in zip(self.names, self.leaves, strict=True)
        ]
        device = _device(tensors)
        if self._target(device) is None:
            return self._by_reference(index, inputs, training, int(seed))
        variant = self.variant(frozenset(self._wanted(tensors)), device)
        results = Apply.apply(variant, Call(index, training, int(seed)), *tensors)
        return {name: x for (name, _), x in zip(self.program.outputs, results, strict=True)}

    def _index(self, graph: Edges) -> GraphIndex:
        index = stitched_of(graph) if self.typed else GraphIndex.of(graph)
        if index is None:
            raise ValueError(f"program {self.program.name!r} asks for relations; give it a StitchedIndex")
        return index

    def _as_operation(
        self, graph: Edges, inputs: Mapping[str, Tensor], training: bool, seed: int | Tensor
    ) -> dict[str, Tensor]:
        """The same while torch traces: no kernel runs, one operation is noted down."""
        arguments = self._graph_arguments(graph)
        rows = rows_of_arguments(*arguments[:4], None, training, *arguments[4:])
        tensors = [
            self._checked(n, v, inputs, rows.get(v.type.domain, graph.n_dst))
            for n, v in zip(self.names, self.leaves, strict=True)
        ]
        name = _operation(self, () if torch.compiler.is_exporting() else self._wanted(tensors), _device(tensors))
        if not name:
            return reference.run(self.program, inputs, graph, training=training, seed=int(seed))
        drawn = seed if isinstance(seed, Tensor) else torch.full((), seed, dtype=torch.int64)
        results = call_operation(name, (*arguments[:4], drawn, training, *arguments[4:], *tensors))
        return {name: x for (name, _), x in zip(self.program.outputs, results, strict=False)}

    def _graph_arguments(self, graph: Edges) -> tuple[Any, ...]:
        """src, dst, n_src, n_dst; of a program over relations also pointers of types and relations, and how many
        senders and receivers there are: 0 where nobody has sorted the edges, which only gradients would miss."""
        plain = (*_ends(graph), graph.n_src, graph.n_dst)
        if not self.typed:
            return plain
        if isinstance(graph, StitchedIndex):
            return (*plain, *graph.pointers, *graph.counts)
        if not (hasattr(graph, "type_ptr") and hasattr(graph, "rel_ptr")):
            raise ValueError(f"program {self.program.name!r} asks for relations; give it a StitchedIndex")
        return (*plain, torch.as_tensor(graph.type_ptr), torch.as_tensor(graph.rel_ptr), 0, 0)

    def _by_reference(
        self, index: GraphIndex, inputs: Mapping[str, Tensor], training: bool, seed: int
    ) -> dict[str, Tensor]:
        places = sorted({x.device.type for x in inputs.values()} - {"cpu"})
        if self.cache is not None:
            warn_once(f"no kernels are generated for {places[0]}; running the slow reference interpreter there")
        return reference.run(self.program, inputs, index, training=training, seed=seed)

    def _wanted(self, tensors: Sequence[Tensor]) -> tuple[str, ...]:
        """Names of the leaves whose gradients torch will ask for."""
        if not torch.is_grad_enabled():
            return ()
        return tuple(n for n, x in zip(self.names, tensors, strict=True) if x.requires_grad)

    def _checked(self, name: str, leaf: Value, inputs: Mapping[str, Tensor], rows: int) -> Tensor:
        if name not in inputs:
            raise ValueError(f"{leaf.op} {name!r} of program {self.program.name!r} is missing")
        x, kind = inputs[name], leaf.type
        shape = kind.shape if kind.domain is Domain.PARAM else (rows, *kind.shape)
        if x.shape != shape:
            raise ValueError(f"{leaf.op} {name!r} must have shape {list(shape)}, got {list(x.shape)}")
        if x.dtype != self.dtype:
            raise ValueError(f"{leaf.op} {name!r} must be {self.dtype}, got {x.dtype}")
        return x

    def variant(self, wanted: frozenset[str], device: torch.device = CPU) -> Variant:
        """The schedules that give the results and the gradients of the leaves named in `wanted`; compiled once."""
        target = self._target(device)
        assert target is not None
        key = target.name, wanted
        if key not in self._variants:
            self._variants[key] = self._compile(tuple(n for n in self.names if n in wanted), target)
        return self._variants[key]

    def _target(self, device: torch.device) -> Target | None:
        """What runs on `device`; None where only the reference interpreter does."""
        if device not in self._targets:
            made = self.target
            self._targets[device] = target_for(made, device, self.cache) if isinstance(made, str) else made
        return self._targets[device]

    def _compile(self, wrt: tuple[str, ...], target: Target) -> Variant:
        plan = make_plan(self.program, wrt, self.disabled, memory=self.memory, graph=self.graph_size)
        self.stages = plan.stages
        named = plan.joint.program.leaves("input") | plan.joint.program.leaves("param")
        variant = Variant(
            program=self.program,
            names=self.names,
            leaves=tuple(named[n].id if n in named else -1 - k for k, n in enumerate(self.names)),
            outputs=plan.outputs,
            saved=plan.saved,
            seeds=tuple(named[SEED + n].id if SEED + n in named else -1 - k for k, n in enumerate(plan.joint.outputs)),
            gradients={self.names.index(n): i for n, i in plan.gradients.items()},
            forward=target.executor(plan.forward, self.dtype, "forward"),
            backward=target.executor(plan.backward, self.dtype, "backward") if wrt else None,
        )
        # Both directions are compiled side by side, so that the first backward does not wait.
        target.load([e for e in (variant.forward, variant.backward) if e])
        return variant

    @property
    def kernels(self) -> tuple[KernelInfo, ...]:
        """Every kernel compiled so far, forward first."""
        executors = [e for v in self._variants.values() for e in (v.forward, v.backward) if e]
        return tuple(info for e in executors for info in _described(e))


def _described(executor: Executor) -> list[KernelInfo]:
    pairs = zip(executor.schedule.kernels, executor.sources(), strict=True)
    return [_info(executor, kernel, source) for kernel, source in pairs]


def _info(executor: Executor, kernel: RowKernel, source: str) -> KernelInfo:
    program = executor.schedule.program
    spans = tuple(dict.fromkeys(s for i in kernel.values() if (s := program[i].span)))
    fused = executor.labels[kernel.name].fused_from
    place = kernel.name, executor.direction, kernel.side.value, executor.target
    return KernelInfo(*place, source, fused, spans, executor, kernel)


def _device(tensors: Sequence[Tensor]) -> torch.device:
    """Where all of them are. Raises ValueError where they are apart."""
    places = {x.device for x in tensors} or {CPU}
    if len(places) > 1:
        raise ValueError(f"inputs and parameters are on {' and '.join(sorted(map(str, places)))}; move them together")
    return places.pop()


def _ends(graph: Edges) -> tuple[Tensor, Tensor]:
    """int64[E] each."""
    return graph.ends if isinstance(graph, GraphIndex) else (torch.as_tensor(graph.src), torch.as_tensor(graph.dst))


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _operation(compiled: CompiledProgram, wanted: tuple[str, ...], device: torch.device) -> str:
    """The operation with these gradients by name, made by Python and not traced by torch; empty where none is."""
    if compiled._target(device) is None:
        return ""
    choices = (str(compiled.dtype), *sorted(compiled.disabled), compiled.memory, str(compiled.graph_size))
    content = (print_ir(compiled.program), *choices, "|", *wanted)
    return define_operation(compiled.variant(frozenset(wanted), device), "\n".join((device.type, *content)))


def compile_program(
    program: Program,
    *,
    dtype: torch.dtype = torch.float32,
    cache: KernelCache | None = None,
    disabled: Collection[str] = frozenset(),
    memory: Memory = "balanced",
    graph_size: GraphSize = USUAL,
    target: TargetName | Target = "auto",
) -> CompiledProgram:
    """Prepare `program` for graphs and tensors of `dtype`: float32, float64, or bfloat16 with float32 arithmetic.

    `disabled` names passes to leave out (`fuse` too); `memory` says what may be kept for the backward pass, on graphs
    of about `graph_size`, which may also decide the order of products and sums. `target` is what kernels are generated
    for, "auto" being C++ for tensors in memory and Triton for those on a GPU. Kernels are compiled on the first call,
    or ahead of it by `.variant(names)`. Without a C++ compiler one warning is given and the reference
    interpreter runs.
    """
    if dtype not in DTYPES:
        raise ValueError(f"kernels are generated for {', '.join(map(str, DTYPES))}, not {dtype}")
    return CompiledProgram(program, dtype, cache or default_cache(), frozenset(disabled), memory, graph_size, target)

"""`compile_program`: a vertex program in, a function of tensors out, differentiable through generated kernels."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor

from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache, NoCompiler, compiler
from workers.compiler.edges import Edges
from workers.compiler.ir import Domain, Program, Span, Value
from workers.compiler.passes.differentiate import SEED
from workers.compiler.passes.pipeline import Stage
from workers.compiler.plan import make_plan
from workers.compiler.rows import RowKernel
from workers.compiler.runtime.autograd import Apply, Variant
from workers.compiler.runtime.executor import DTYPES, Call, Executor
from workers.compiler.runtime.graph import GraphIndex
from workers.core.settings import settings


@dataclass(frozen=True)
class KernelInfo:
    """What a page shows of one generated kernel; `fused_from` are the operations in it, `spans` where they stand."""

    name: str
    direction: str
    side: str
    source: str
    fused_from: tuple[str, ...]
    spans: tuple[Span, ...]
    _executor: Executor = field(repr=False)
    _kernel: RowKernel = field(repr=False)

    def bytes(self, graph: Edges) -> int:
        """Bytes one call moves at least on `graph`."""
        return self._executor.bytes(self._kernel, GraphIndex.of(graph))


class CompiledProgram:
    """A program ready to run on any graph; made by `compile_program`.

    Calling it runs kernels for exactly the gradients that its arguments ask for; each such set is compiled once.
    """

    def __init__(
        self, program: Program, dtype: torch.dtype, cache: KernelCache | None, disabled: frozenset[str]
    ) -> None:
        self.program = program
        self.dtype = dtype
        self.cache = cache
        self.disabled = disabled
        self.leaves: tuple[Value, ...] = tuple(v for v in program.values if v.op in ("input", "param"))
        self.names = tuple(v.text("name") for v in self.leaves)
        self.stages: tuple[Stage, ...] = ()
        self._variants: dict[frozenset[str], Variant] = {}

    @property
    def generated(self) -> bool:
        """False where there is no compiler and the reference interpreter runs instead."""
        return self.cache is not None

    def __call__(
        self, graph: Edges, inputs: Mapping[str, Tensor], *, training: bool = False, seed: int = 0
    ) -> dict[str, Tensor]:
        """Named results [R, *shape] from named inputs and parameters of the compiled dtype.

        Raises ValueError for a missing, misshapen or differently typed tensor and for edges outside the graph.
        """
        index = GraphIndex.of(graph)
        tensors = [self._checked(v, inputs, index) for v in self.leaves]
        if self.cache is None:
            return reference.run(self.program, inputs, index, training=training, seed=seed)
        traced = torch.is_grad_enabled()
        wanted = frozenset(n for n, x in zip(self.names, tensors, strict=True) if traced and x.requires_grad)
        variant = self.variant(wanted)
        results = Apply.apply(variant, Call(index, training, seed), *tensors)
        return {name: x for (name, _), x in zip(self.program.outputs, results, strict=True)}

    def _checked(self, leaf: Value, inputs: Mapping[str, Tensor], index: GraphIndex) -> Tensor:
        name = leaf.text("name")
        if name not in inputs:
            raise ValueError(f"{leaf.op} {name!r} of program {self.program.name!r} is missing")
        x, kind = inputs[name], leaf.type
        shape = kind.shape if kind.domain is Domain.PARAM else (index.rows(kind.domain), *kind.shape)
        if tuple(x.shape) != shape:
            raise ValueError(f"{leaf.op} {name!r} must have shape {list(shape)}, got {list(x.shape)}")
        if x.dtype != self.dtype:
            raise ValueError(f"{leaf.op} {name!r} must be {self.dtype}, got {x.dtype}")
        return x

    def variant(self, wanted: frozenset[str]) -> Variant:
        """The schedules that give the results and the gradients of the leaves named in `wanted`; compiled once."""
        if wanted not in self._variants:
            self._variants[wanted] = self._compile(tuple(n for n in self.names if n in wanted))
        return self._variants[wanted]

    def _compile(self, wrt: tuple[str, ...]) -> Variant:
        assert self.cache is not None
        plan = make_plan(self.program, wrt, self.disabled)
        self.stages = plan.stages
        named = plan.joint.program.leaves("input") | plan.joint.program.leaves("param")
        variant = Variant(
            name=self.program.name,
            leaves=tuple(named[n].id if n in named else -1 - k for k, n in enumerate(self.names)),
            outputs=plan.outputs,
            saved=plan.saved,
            seeds=tuple(named[SEED + n].id if SEED + n in named else -1 - k for k, n in enumerate(plan.joint.outputs)),
            gradients={self.names.index(n): i for n, i in plan.gradients.items()},
            forward=Executor(plan.forward, self.dtype, self.cache, "forward"),
            backward=Executor(plan.backward, self.dtype, self.cache, "backward") if wrt else None,
        )
        self._load(variant)
        return variant

    def _load(self, variant: Variant) -> None:
        """Compile both directions side by side, so that the first backward does not wait."""
        assert self.cache is not None
        executors = [e for e in (variant.forward, variant.backward) if e]
        self.cache.load([r.source for e in executors for r in e.rendered()])

    @property
    def kernels(self) -> tuple[KernelInfo, ...]:
        """Every kernel compiled so far, forward first."""
        executors = [e for v in self._variants.values() for e in (v.forward, v.backward) if e]
        return tuple(info for e in executors for info in _described(e))


def _described(executor: Executor) -> list[KernelInfo]:
    pairs = zip(executor.schedule.kernels, executor.rendered(), strict=True)
    return [_info(executor, kernel, rendered.source) for kernel, rendered in pairs]


def _info(executor: Executor, kernel: RowKernel, source: str) -> KernelInfo:
    program = executor.schedule.program
    spans = tuple(dict.fromkeys(s for i in kernel.values() if (s := program[i].span)))
    fused = executor.fused_from(kernel)
    return KernelInfo(kernel.name, executor.direction, kernel.side.value, source, fused, spans, executor, kernel)


def compile_program(
    program: Program,
    *,
    dtype: torch.dtype = torch.float32,
    cache: KernelCache | None = None,
    disabled: Collection[str] = frozenset(),
) -> CompiledProgram:
    """Prepare `program` for graphs and tensors of `dtype` (float32 or float64).

    `disabled` names passes to leave out (`fuse` too). Kernels are compiled on the first call, or ahead of it by
    `.variant(names)`. Without a C++ compiler one warning is given and the reference interpreter runs.
    """
    if dtype not in DTYPES:
        raise ValueError(f"kernels are generated for {', '.join(map(str, DTYPES))}, not {dtype}")
    return CompiledProgram(program, dtype, cache or default_cache(), frozenset(disabled))


@lru_cache(maxsize=1)
def default_cache() -> KernelCache | None:
    """The process's cache in the settings' folder; None, with a warning, where there is no compiler."""
    try:
        compiler()
    except NoCompiler as missing:
        warnings.warn(f"{missing}; running the slow reference interpreter", RuntimeWarning, stacklevel=2)
        return None
    return KernelCache(Path(settings().kernel_cache))

"""Runs a schedule's Triton kernels: on a GPU, or on the CPU in Triton's interpreter (TRITON_INTERPRET=1).

1. The rows of a kernel are light, medium or heavy (`device_graph.py`); each kind is a launch of its own, whose block
   sizes depend on how wide the kernel's values are.
2. Heavy rows take a launch for every loop, over chunks, and one that joins them.
3. Sums over all rows are left by every program apart, then added by torch in one order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import torch
import triton.language as tl
from torch import Tensor
from triton import knobs

from workers.compiler.codegen.cpp import exactly_compared
from workers.compiler.codegen.triton import Rendered, render
from workers.compiler.codegen.triton_blocks import padded
from workers.compiler.maps import MAPS
from workers.compiler.rows import RowKernel, Schedule, Side
from workers.compiler.runtime.device_graph import DeviceHalf, Limits, array_on_device, on_device
from workers.compiler.runtime.executor import DTYPES, Call, Executor
from workers.compiler.runtime.graph import GraphIndex
from workers.compiler.runtime.stitched import StitchedIndex
from workers.compiler.runtime.triton_modules import TritonModules
from workers.compiler.runtime.triton_typed_products import TritonTypedProducts, typed_products_text
from workers.compiler.runtime.typed_products import Rows

SIGNED, WORD = 2**63, 2**64
WIDE_BLOCK = 4096  # numbers of a block for which twice the usual threads work together


@dataclass(frozen=True)
class Tiling:
    """How much a program takes at once: `numbers` of its widest block. `programs` share the rows where they are summed
    up; `limits` say which rows are light and heavy."""

    numbers: int = 2048
    programs: int = 1024
    limits: Limits = field(default_factory=Limits)

    def rows(self, width: int, edges: int = 1, most: int = 128) -> int:
        """Rows a program takes, `edges` at a time."""
        return max(1, min(most, self.numbers // (width * edges)))

    def edges(self, width: int, most: int = 64) -> int:
        """Edges of a row that are met at a time."""
        return max(1, min(padded(most), self.numbers // width))


@dataclass(frozen=True)
class Triton:
    """The target of tensors on a GPU."""

    modules: TritonModules
    tiling: Tiling = field(default_factory=Tiling)
    name: str = "triton"

    @classmethod
    def in_folder(cls, folder: Path) -> Triton:
        """With its sources in `folder`."""
        return cls(TritonModules(folder))

    def executor(self, schedule: Schedule, dtype: torch.dtype, direction: str) -> Executor:
        return TritonExecutor(schedule, dtype, direction, self.modules, self.tiling)

    def load(self, executors: Sequence[Executor]) -> None:
        """Write and import the sources; Triton compiles a function when it is first launched."""
        self.modules.load([source for e in executors for source in e.sources()])


@dataclass(frozen=True)
class Launch:
    """`count` rows (or chunks) given to a function of the kernel, `rows` and `edges` at a time."""

    function: str
    count: int
    rows: int
    edges: int
    arguments: dict[str, Tensor | int]


@dataclass(frozen=True)
class TritonExecutor(Executor):
    """One schedule as Triton kernels."""

    target: ClassVar[str] = "triton"
    modules: TritonModules
    tiling: Tiling

    def sources(self) -> list[str]:
        return [r.source for r in self.rendered.values()]

    def multiply_typed(self, rows: Rows, weight: Tensor, out: Tensor) -> None:
        self._typed_products.multiply(rows, weight, out)

    def multiply_typed_transposed(self, rows: Rows, g: Rows, out: Tensor) -> None:
        self._typed_products.multiply_transposed(rows, g, out)

    @cached_property
    def _typed_products(self) -> TritonTypedProducts:
        return TritonTypedProducts(*self.modules.load([typed_products_text(DTYPES[self.dtype])]))

    @cached_property
    def rendered(self) -> dict[str, Rendered]:
        """Every kernel's source by its name."""
        kernels = self.schedule.kernels
        return {k.name: render(self.schedule, k, dtype=DTYPES[self.dtype]) for k in kernels}

    @cached_property
    def loaded(self) -> dict[str, ModuleType]:
        """Every kernel's functions by its name."""
        return dict(zip(self.rendered, self.modules.load(self.sources()), strict=True))

    def run_kernel(self, kernel: RowKernel, call: Call, tensors: dict[int, Tensor]) -> None:
        rendered, device = self.rendered[kernel.name], tensors[kernel.stores[0]].device
        if device.type == "cpu" and not knobs.runtime.interpret:
            raise ValueError("set TRITON_INTERPRET=1 to run Triton's kernels in memory, or move the tensors to a GPU")
        own: dict[str, Tensor | int] = {f"t{k}": tensors[i] for k, i in enumerate((*kernel.loads, *kernel.stores))}
        own |= self._maps(kernel, rendered, call.graph, device)
        launches = list(self._launches(kernel, rendered, call, device))
        programs = [self._programs(kernel, launch) for launch in launches]
        sums = [self._scratch(sum(programs) * width, device).reshape(-1, width) for width in rendered.sums]
        start = 0
        for launch, n in zip(launches, programs, strict=True):
            given = own | launch.arguments | {f"sum{k}": x[start:] for k, x in enumerate(sums)}
            self._launch(kernel, launch, n, given, call)
            start += n
        for i, x in zip(kernel.reductions, sums, strict=True):
            tensors[i].copy_(x.sum(dim=0).reshape(tensors[i].shape))

    def _maps(
        self, kernel: RowKernel, rendered: Rendered, graph: GraphIndex, device: torch.device
    ) -> dict[str, Tensor | int]:
        """The arrays of the kernel's maps, in the order in which it meets their items."""
        if not rendered.maps:
            return {}
        assert isinstance(graph, StitchedIndex)
        sides = {n: Side.MAP if MAPS[n].items is kernel.domain else kernel.side for n in rendered.maps}
        return {f"m_{n}": array_on_device(graph.map_array(n, side), device) for n, side in sides.items()}

    def _scratch(self, numbers: int, device: torch.device) -> Tensor:
        return torch.zeros(numbers, dtype=self.arithmetic, device=device)

    def _programs(self, kernel: RowKernel, launch: Launch) -> int:
        groups = -(-launch.count // launch.rows)
        finishes = launch.function in ("rows", "join")
        return min(groups, self.tiling.programs) if kernel.reductions and finishes else groups

    def _launch(
        self, kernel: RowKernel, launch: Launch, programs: int, given: dict[str, Tensor | int], call: Call
    ) -> None:
        if programs == 0:
            return
        functions = {f.name: f for f in self.rendered[kernel.name].functions}
        given = given | {"count": launch.count, "seed": _signed(call.seed)}
        function = getattr(self.loaded[kernel.name], launch.function)
        function[(programs,)](
            **{name: given[name] for name in functions[launch.function].arguments},
            I=self._numbering(kernel, call),
            BR=launch.rows,
            BE=launch.edges,
            TRAINING=call.training,
            num_warps=8 if launch.rows * launch.edges * self.rendered[kernel.name].numbers > WIDE_BLOCK else 4,
            enable_fp_fusion=not exactly_compared(self.schedule.program),
        )

    def _numbering(self, kernel: RowKernel, call: Call) -> tl.dtype:
        """What counts every number of every tensor of the kernel."""
        widest = max(self._size(i, call) for i in (*kernel.loads, *kernel.stores))
        return tl.int32 if widest < 2**31 - 1 and call.graph.id_bits == 32 else tl.int64

    def _size(self, i: int, call: Call) -> int:
        out = 1
        for n in self.full_shape(i, call.graph):
            out *= n
        return out

    # --- launches --------------------------------------------------------------------------------------------------

    def _launches(self, kernel: RowKernel, rendered: Rendered, call: Call, device: torch.device) -> Iterator[Launch]:
        width, tiling = rendered.numbers, self.tiling
        if kernel.side is Side.MAP:
            yield Launch("rows", call.graph.rows(kernel.domain), tiling.rows(width), 1, {})
            return
        half = on_device(call.graph, kernel.side, device, tiling.limits)
        arrays = {"ptr": half.ptr, "g_other": half.other, "g_slot": half.slot, "g_edge": half.edge}
        few, many = tiling.edges(width, tiling.limits.light), tiling.edges(width)
        yield Launch("rows", len(half.light), tiling.rows(width, few, 16), few, {**arrays, "order": half.light})
        yield Launch("rows", len(half.medium), 1, many, {**arrays, "order": half.medium})
        if len(half.heavy.rows):
            yield from self._heavy_launches(rendered, half, arrays, many)

    def _heavy_launches(
        self, rendered: Rendered, half: DeviceHalf, arrays: dict[str, Tensor], edges: int
    ) -> Iterator[Launch]:
        heavy = half.heavy
        chunks = len(heavy.owner)
        parts = {f"part{k}": self._scratch(chunks * width, half.ptr.device) for k, width in enumerate(rendered.parts)}
        rows: dict[str, Tensor | int] = {"order": heavy.rows, "owner": heavy.owner, "cuts": heavy.cuts}
        given = rows | {"step": heavy.step} | arrays | parts
        for function in rendered.functions[1:-1]:
            yield Launch(function.name, chunks, 1, edges, given)
        yield Launch("join", len(heavy.rows), 1, 1, given)


def _signed(seed: int) -> int:
    """The same 64 bits as a signed number."""
    return (seed + SIGNED) % WORD - SIGNED

"""Runs a schedule's kernels as machine code made from C++.

1. A kernel gets the graph's arrays in one struct, its tensors as an array of pointers, and scratch for row sums.
2. Threads share chunks of rows and pieces of long rows; small work runs on one. Neither changes a bit of the result.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from workers.compiler.codegen.build import KernelCache
from workers.compiler.codegen.cpp import Rendered, render
from workers.compiler.ir import Domain
from workers.compiler.maps import MAPS
from workers.compiler.rows import RowKernel, Side, size
from workers.compiler.runtime.executor import DTYPES, Call, Executor
from workers.compiler.runtime.graph import GraphIndex
from workers.compiler.runtime.products import Products, is_small, products_source
from workers.compiler.runtime.stitched import StitchedIndex
from workers.compiler.runtime.typed_products import Rows, TypedProducts, typed_products_source

WORD = 2**64 - 1
LONG = 4  # pieces of work from which a row is cut
PRODUCTS = (torch.float32, torch.float64)  # numbers whose products with small matrices are ours
SERIAL_BELOW = 20_000  # numbers touched; waking threads costs more than this much work


class _Rows(ctypes.Structure):
    """`struct Rows` of the kernel skeleton."""

    _fields_ = (
        ("chunks", ctypes.c_int64),
        ("bounds", ctypes.c_void_p),
        ("ptr", ctypes.c_void_p),
        ("other", ctypes.c_void_p),
        ("slot", ctypes.c_void_p),
        ("edge", ctypes.c_void_p),
        ("piece", ctypes.c_int64),
        ("longest", ctypes.c_int64),
        ("threads", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("training", ctypes.c_int64),
        ("maps", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class Compiled:
    """A row kernel with its machine code for one width of ids; the numbers it computes for each row and each edge."""

    kernel: RowKernel
    rendered: Rendered
    function: ctypes._NamedFuncPointer
    row_work: int
    edge_work: int

    def worth_sharing(self, graph: GraphIndex) -> bool:
        """Whether there is enough to do to wake threads."""
        return self.row_work * graph.rows(self.kernel.domain) + self.edge_work * graph.edges >= SERIAL_BELOW


@dataclass(frozen=True)
class Launch:
    """A row kernel on one graph: what is the same in every call. `tensors` are those it reads, then those it writes;
    `alive` holds what `rows` points at."""

    function: ctypes._NamedFuncPointer
    tensors: tuple[int, ...]
    pointers: type[ctypes.Array[ctypes.c_void_p]]
    rows: _Rows
    alive: tuple[object, ...]
    partials: int
    tasks: int

    def told(self, call: Call) -> _Rows:
        """The graph's arrays with what this call says; a copy, since threads may run the same kernel."""
        rows = _Rows.from_buffer_copy(self.rows)
        rows.threads = min(torch.get_num_threads(), self.tasks) if self.tasks > 1 else 1
        rows.seed, rows.training = call.seed & WORD, call.training
        return rows


@dataclass(frozen=True)
class CppExecutor(Executor):
    """One schedule as C++ kernels, kept in `cache`."""

    target: ClassVar[str] = "cpp"
    overwrites: ClassVar[bool] = True
    cache: KernelCache

    def sources(self) -> list[str]:
        return [r.source for r in self.rendered()]

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
            libraries = self.cache.load([*(r.source for r in rendered), *self._products_source()])
            functions = (lib.asterism_kernel for lib in libraries[: len(rendered)])
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
    def _launches(self) -> WeakKeyDictionary[GraphIndex, dict[str, Launch]]:
        return WeakKeyDictionary()

    def run_kernel(self, kernel: RowKernel, call: Call, tensors: dict[int, Tensor]) -> None:
        launches = self._launches.get(call.graph)
        if launches is None:
            launches = self._launches[call.graph] = {}
        launch = launches.get(kernel.name)
        if launch is None:
            launch = launches[kernel.name] = self._launch(kernel, call.graph)
        rows = launch.told(call)
        array = launch.pointers(*[tensors[i].data_ptr() for i in launch.tensors])
        scratch = torch.empty(launch.partials, dtype=self.arithmetic) if launch.partials else None
        partials = ctypes.c_void_p(None if scratch is None else scratch.data_ptr())
        launch.function(ctypes.byref(rows), array, partials)

    # --- products --------------------------------------------------------------------------------------------------

    def multiply(self, a: Tensor, b: Tensor, added: Tensor | None, out: Tensor) -> None:
        if self._is_ours(a, b):
            self._products.multiply(a, b, added, out)
        else:
            super().multiply(a, b, added, out)

    def multiply_transposed(self, a: Tensor, b: Tensor, out: Tensor) -> None:
        if self._is_ours(a, out):
            self._products.multiply_transposed(a, b, out)
        else:
            super().multiply_transposed(a, b, out)

    def multiply_typed(self, rows: Rows, weight: Tensor, out: Tensor) -> None:
        if out.dtype in PRODUCTS and rows.x.dtype is weight.dtype is out.dtype:
            self._typed_products(rows).multiply(rows, weight, out)
        else:
            super().multiply_typed(rows, weight, out)

    def multiply_typed_transposed(self, rows: Rows, g: Rows, out: Tensor) -> None:
        if out.dtype in PRODUCTS and rows.x.dtype is g.x.dtype is out.dtype:
            self._typed_products(rows, g).multiply_transposed(rows, g, out)
        else:
            super().multiply_typed_transposed(rows, g, out)

    def _typed_products(self, *operands: Rows) -> TypedProducts:
        bits = max((x.index.dtype.itemsize * 8 for x in operands if x.index is not None), default=32)
        if bits not in self._by_bits:
            self._by_bits[bits] = TypedProducts(*self.cache.load([typed_products_source(DTYPES[self.dtype], bits)]))
        return self._by_bits[bits]

    @cached_property
    def _by_bits(self) -> dict[int, TypedProducts]:
        """By the width of row numbers: finding a library costs more than a small product."""
        return {}

    def _is_ours(self, tall: Tensor, small: Tensor) -> bool:
        known = tall.dtype in PRODUCTS and tall.dtype is small.dtype
        return known and tall.shape[0] > 0 and is_small(small.shape, small.dtype)

    @cached_property
    def _products(self) -> Products:
        return Products(*self.cache.load(self._products_source()))

    def _products_source(self) -> list[str]:
        """What has to be built for dense steps besides the kernels."""
        dense = len(self.schedule.kernels) < len(self.schedule.steps)
        return [products_source(DTYPES[self.dtype])] if dense and self.dtype in PRODUCTS else []

    # --- what a kernel is told -------------------------------------------------------------------------------------

    def _launch(self, kernel: RowKernel, graph: GraphIndex) -> Launch:
        code = self.compiled(graph.id_bits)[kernel.name]
        half = graph.rows_alone(kernel.domain) if kernel.side is Side.MAP else graph.half(kernel.side)
        maps, tensors = _addresses(code, graph), (*kernel.loads, *kernel.stores)
        address = None if maps is None else ctypes.addressof(maps)
        rows = _Rows(half.chunks, *half.addresses, half.piece, LONG * half.piece, 1, 0, 0, address)
        pointers = ctypes.c_void_p * len(tensors)
        partials, tasks = code.rendered.partials * half.chunks, max(1, half.tasks) if code.worth_sharing(graph) else 1
        return Launch(code.function, tensors, pointers, rows, (half, maps), partials, tasks)

    def _work(self, kernel: RowKernel) -> tuple[int, int]:
        types = [self.schedule.program[i].type for i in kernel.values()]
        edges = sum(size(t) for t in types if t.domain is Domain.EDGE)
        return sum(map(size, types)) - edges, edges


def _addresses(code: Compiled, graph: GraphIndex) -> ctypes.Array[ctypes.c_void_p] | None:
    """Where the arrays of the kernel's maps are; None where it has none."""
    names = code.rendered.maps
    if not names:
        return None
    assert isinstance(graph, StitchedIndex)
    kernel = code.kernel
    arrays = (graph.map_array(n, Side.MAP if MAPS[n].items is kernel.domain else kernel.side) for n in names)
    return (ctypes.c_void_p * len(names))(*(a.ctypes.data for a in arrays))

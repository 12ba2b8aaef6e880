"""Generated aggregation kernels against kernels written by hand for exactly one shape, on one graph in one process.

The hand-written ones are not part of the project: `--limit FILE` or ASTERISM_LIMIT names a C++ source with functions
`spmm_<d>`, `gat_forward_<h>_<d>` and `gat_backward_<h>_<d>` of CSR arrays. Runs alternate; medians are compared.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tests.benchmarks.workloads import WORKLOADS, Workload
from workers.compiler.codegen.build import compiler
from workers.compiler.parse import parse_program
from workers.compiler.runtime import CompiledProgram, GraphIndex, compile_program
from workers.compiler.runtime.executor import Call
from workers.compiler.runtime.profile import Profile, profiled

FLAGS = ("-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math", "-fopenmp", "-shared", "-fPIC")
WARM_UP = 3
GCN = """\
def gcn(v: Vertex(h="width", norm="")):
    return sum(nb.h * nb.norm for nb in v.innbs) * v.norm
"""
GAT = """\
def gat(v: Vertex(z="heads, width", left="heads, 1", right="heads, 1"), *, heads=4, width=32):
    alpha = softmax([leaky_relu(nb.left + v.right, 0.2) for nb in v.innbs])
    return sum(a * nb.z for a, nb in zip(alpha, v.innbs))
"""
GAT_SHAPES = ((4, 32), (1, 16))
GCN_WIDTHS = (32, 16)


@dataclass(frozen=True)
class Row:
    """Medians of one direction of one layer's aggregation, in milliseconds: the kernels that walk edges, and all steps,
    among them the scaling of rows before or after, which the hand-written kernel does an edge at a time."""

    kernel: str
    ours_ms: float
    whole_ms: float
    floor_ms: float

    @property
    def ratio(self) -> float:
        return self.ours_ms / self.floor_ms


def measure(limit: Path, workload: str, rounds: int) -> list[Row]:
    """Every kernel of the two layers, forward and backward."""
    bench = _Bench(_built(limit), WORKLOADS[workload](), rounds)
    rows = [row for width in GCN_WIDTHS for row in bench.gcn(width)]
    return rows + [row for heads, width in GAT_SHAPES for row in bench.gat(heads, width)]


def table(rows: list[Row]) -> str:
    head = f"{'aggregation':22}{'kernels ms':>12}{'floor ms':>10}{'ratio':>8}{'all steps ms':>14}"
    lines = (f"{r.kernel:22}{r.ours_ms:12.2f}{r.floor_ms:10.2f}{r.ratio:8.2f}{r.whole_ms:14.2f}" for r in rows)
    return "\n".join([head, *lines])


class _Bench:
    """Both sides on one graph. Floats are drawn once; `n` vertices."""

    def __init__(self, limit: ctypes.CDLL, w: Workload, rounds: int) -> None:
        self.limit, self.n, self.rounds = limit, w.n, rounds
        self.graph = GraphIndex(w.src, w.dst, w.n, w.n)
        halves = (self.graph.by_dst, self.graph.by_src)
        self.ins, self.outs = ((h.ptr.astype(np.int32), h.other.astype(np.int32)) for h in halves)
        self.random = torch.Generator().manual_seed(0)

    def gcn(self, width: int) -> list[Row]:
        h, norm = self._floats(width), self._floats().abs()
        compiled = compile_program(parse_program(GCN, {"width": width}))
        given = {"h": h, "norm": norm}
        out = torch.empty_like(h)
        name = f"spmm_{width}"
        return [
            self._row(f"gcn {width} forward", compiled, given, "forward", name, (*self.ins, norm, h, out)),
            self._row(f"gcn {width} backward", compiled, given, "backward", name, (*self.outs, norm, h, out)),
        ]

    def gat(self, heads: int, width: int) -> list[Row]:
        left, right, z = self._floats(heads, 1), self._floats(heads, 1), self._floats(heads, width)
        given = {"z": z, "left": left, "right": right}
        compiled = compile_program(parse_program(GAT, {"heads": heads, "width": width}))
        out, most, share, g = torch.empty_like(z), self._floats(heads), self._floats(heads), self._floats(heads, width)
        shape = f"{heads}_{width}"
        forward = (*self.ins, left, right, z, out, most, share)
        made = [torch.empty_like(x) for x in (z, left, right, left)]
        backward = (*self.outs, left, right, z, out, g, most, share, *made)
        return [
            self._row(f"gat {heads}x{width} forward", compiled, given, "forward", f"gat_forward_{shape}", forward),
            self._row(f"gat {heads}x{width} backward", compiled, given, "backward", f"gat_backward_{shape}", backward),
        ]

    def _floats(self, *shape: int) -> Tensor:
        return torch.randn((self.n, *shape), generator=self.random)

    def _row(
        self, label: str, compiled: CompiledProgram, given: dict[str, Tensor], direction: str, name: str, arrays: Any
    ) -> Row:
        ours, floor = self._ours(compiled, given, direction), self._floor(name, arrays)
        times: list[tuple[float, float, float]] = []
        for _ in range(self.rounds + WARM_UP):
            with profiled(Profile()) as profile:
                ours()
            walked = sum(s.seconds for s in profile.steps.values() if s.side in ("dst", "src"))
            start = time.perf_counter()
            floor()
            times.append((walked, profile.seconds, time.perf_counter() - start))
        return Row(label, *(round(1e3 * statistics.median(t), 3) for t in zip(*times[WARM_UP:], strict=True)))

    def _ours(self, compiled: CompiledProgram, given: dict[str, Tensor], direction: str) -> Callable[[], object]:
        names = frozenset(n for n in compiled.names if n != "norm")
        variant, call = compiled.variant(names), Call(self.graph, True, 0)
        leaves = dict(zip(variant.leaves, (given[n] for n in compiled.names), strict=True))
        tensors = leaves | variant.forward.run(call, dict(leaves))
        assert variant.backward is not None
        tensors |= {
            i: torch.ones(variant.forward.full_shape(o, self.graph))
            for i, o in zip(variant.seeds, variant.outputs, strict=True)
        }
        executor = variant.forward if direction == "forward" else variant.backward
        return lambda: executor.run(call, dict(tensors if direction == "backward" else leaves))

    def _floor(self, name: str, arrays: tuple[Tensor | NDArray[np.int32], ...]) -> Callable[[], object]:
        places = [a.data_ptr() if isinstance(a, Tensor) else a.ctypes.data for a in arrays]
        function, given = getattr(self.limit, name), [ctypes.c_void_p(p) for p in places]
        kept = arrays  # alive as long as the closure

        def run() -> object:
            assert kept
            return function(ctypes.c_int(self.n), *given)

        return run


def limit_source(given: str | None) -> Path:
    """Where the hand-written kernels are. Exits where nobody says so."""
    path = given or os.environ.get("ASTERISM_LIMIT")
    if not path:
        raise SystemExit("name the source of the hand-written kernels by --limit FILE or ASTERISM_LIMIT")
    return Path(path).resolve(strict=True)


def _built(source: Path) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "limit.so"
        subprocess.run([compiler(), *FLAGS, str(source), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))

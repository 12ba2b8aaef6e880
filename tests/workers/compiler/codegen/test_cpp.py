"""Generated text: the same kernel is the same bytes, and every op has a line in the tables."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.workers.compiler.codegen.texts import SPELLED, weighted_sum
from tests.workers.compiler.layers import LAYERS
from workers.compiler.codegen.cpp import render
from workers.compiler.codegen.expressions import AGGREGATIONS, EXPRESSIONS, number
from workers.compiler.ir import Program
from workers.compiler.ops import Op
from workers.compiler.passes import run_pipeline
from workers.compiler.passes.fuse import fuse

GROUPS: dict[str, Mapping[str, object]] = {"pointwise": EXPRESSIONS, "aggregation": AGGREGATIONS}


@pytest.mark.parametrize("op", SPELLED, ids=lambda op: op.name)
def test_every_op_has_a_spelling(op: Op) -> None:
    assert op.name in GROUPS[op.group]


def sources(program: Program) -> list[str]:
    schedule = fuse(program, [i for _, i in program.outputs])
    return [render(schedule, kernel).source for kernel in schedule.kernels]


def test_the_same_kernel_of_two_programs_is_the_same_text() -> None:
    assert sources(weighted_sum("one", 0, 8)) == sources(weighted_sum("another", 3, 8))


BODY = """\
    for (int64_t row = g.bounds[chunk]; row < g.bounds[chunk + 1]; ++row) {
      const int64_t first = g.ptr[row], end = g.ptr[row + 1];
      T v2[8] = {};
      const auto walk0 = [&](const int64_t first, const int64_t end, T (&v2)[8]) __attribute__((always_inline)) {
        for (int64_t e = first; e < end; ++e) {
          const int64_t edge = g.edge[e];
          const int64_t far = g.other[e];
          const T* __restrict const t0_far = t0 + far * 8;
          const T* __restrict const t1_edge = t1 + edge * 1;
          const int64_t in_32 = e + 32 < last ? e + 32 : last;
          prefetch<8>(t0 + int64_t(g.other[in_32]) * 8);
          prefetch<1>(t1 + int64_t(g.edge[in_32]) * 1);
          #pragma omp simd
          for (int i0 = 0; i0 < 8; ++i0) {
            v2[i0] += (t0_far[i0] * t1_edge[0]);
          }
        }
      };
      if (end - first <= g.longest) {
        walk0(first, end, v2);
      } else {
        const int64_t pieces = (end - first + g.piece - 1) / g.piece;
        T* const parts = new T[pieces * 8];
        #pragma omp taskloop grainsize(1) default(shared)
        for (int64_t piece = 0; piece < pieces; ++piece) {
          const int64_t from = first + piece * g.piece, to = from + g.piece < end ? from + g.piece : end;
          T v2[8] = {};
          walk0(from, to, v2);
          #pragma omp simd
          for (int i0 = 0; i0 < 8; ++i0) {
            (parts + piece * 8 + 0)[i0] = v2[i0];
          }
        }
        for (int64_t piece = 0; piece < pieces; ++piece) {
          #pragma omp simd
          for (int i0 = 0; i0 < 8; ++i0) {
            v2[i0] += (parts + piece * 8 + 0)[i0];
          }
        }
        delete[] parts;
      }
      #pragma omp simd
      for (int i0 = 0; i0 < 8; ++i0) {
        t2[row * 8 + i0] = relu_(v2[i0]);
      }
    }
"""


def test_a_weighted_sum_reads_as_one_would_write_it() -> None:
    [source] = sources(weighted_sum("golden", 0, 8))
    assert BODY in source


@pytest.mark.parametrize("name", LAYERS)
def test_no_kernel_uses_atomics(name: str) -> None:
    for source in sources(run_pipeline(LAYERS[name])[-1].program):
        assert "atomic" not in source
        assert "critical" not in source


def test_numbers_are_written_exactly() -> None:
    assert [number(x) for x in (0.1, 1.0, -1e30)] == ["T(0.1)", "T(1.0)", "T(-1e+30)"]
    assert number(float("-inf")) == "-T(__builtin_inf())"
    assert number(float("nan")) == 'T(__builtin_nan(""))'

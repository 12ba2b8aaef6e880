"""Generated Triton: every op has a line in the table, the same kernel is the same bytes, and no kernel uses atomics."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.workers.compiler.codegen.texts import SPELLED, weighted_sum
from tests.workers.compiler.layers import LAYERS
from workers.compiler.codegen.triton import render
from workers.compiler.codegen.triton_blocks import padded, same_places
from workers.compiler.codegen.triton_expressions import AGGREGATIONS, EXPRESSIONS, number
from workers.compiler.ir import Program
from workers.compiler.ops import Op
from workers.compiler.passes import run_pipeline
from workers.compiler.passes.fuse import fuse

ROOT = Path(__file__).parents[4]
GROUPS: dict[str, Mapping[str, object]] = {"pointwise": EXPRESSIONS, "aggregation": AGGREGATIONS}


@pytest.mark.parametrize("op", SPELLED, ids=lambda op: op.name)
def test_every_op_has_a_spelling(op: Op) -> None:
    assert op.name in GROUPS[op.group]


def sources(program: Program) -> list[str]:
    schedule = fuse(program, [i for _, i in program.outputs])
    return [render(schedule, kernel).source for kernel in schedule.kernels]


def test_the_same_kernel_of_two_programs_is_the_same_text() -> None:
    assert sources(weighted_sum("one", 0, 6)) == sources(weighted_sum("another", 3, 6))


BODY = """\
    for start in range(0, tl.max(last - first), BE):
        e = first + start + lane
        here = e < last
        far = tl.load(g_other + e, mask=here, other=0).to(I)
        t0_far = tl.load(t0 + far * 6 + i0_6, mask=here & (i0_6 < 6), other=0.0)
        edge = tl.load(g_edge + e, mask=here, other=0).to(I)
        t1_edge = tl.load(t1 + edge, mask=here, other=0.0)
        v1 = t0_far * t1_edge
        v2 = v2 + tl.where(here, v1, 0.0)
    v2 = tl.sum(v2, axis=1, keep_dims=True)
    v3 = relu(v2)
    tl.store(t2 + row * 6 + i0_6, v3, mask=live & (i0_6 < 6))
"""


def test_a_weighted_sum_reads_as_one_would_write_it() -> None:
    [source] = sources(weighted_sum("golden", 0, 6))
    assert BODY in source


@pytest.mark.parametrize("name", LAYERS)
def test_no_kernel_uses_atomics(name: str) -> None:
    assert all("atomic" not in source for source in sources(run_pipeline(LAYERS[name])[-1].program))


def test_sizes_are_padded_to_powers_of_two() -> None:
    assert [padded(n) for n in (1, 2, 3, 8, 9, 602)] == [1, 2, 4, 8, 16, 1024]
    assert same_places((2, 4), (1, 8))
    assert same_places((1, 3), (3,))
    assert not same_places((2, 3), (1, 6))


def test_numbers_are_written_exactly() -> None:
    assert [number(x) for x in (0.1, -1e30, float("-inf"))] == ["0.1", "-1e+30", 'float("-inf")']


@pytest.mark.parametrize("capability", [80, 90])
def test_kernels_become_machine_code_without_a_gpu(capability: int, tmp_path: Path) -> None:
    """Of two programs; `python -m tests.workers.compiler.codegen.compile_triton FOLDER CAPABILITY` takes them all."""
    pytest.importorskip("triton", reason="Triton exists for Linux only")
    command = [sys.executable, "-m", "tests.workers.compiler.codegen.compile_triton", str(tmp_path), str(capability)]
    env = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"} | {
        "TRITON_CACHE_DIR": str(tmp_path / "cache")
    }
    done = subprocess.run(
        [*command, "gcn", "gat", "relations/rgat"], env=env, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {f["function"] for f in found} == {"rows", "chunks_0", "chunks_1", "join", "product", "transposed"}
    assert all(f["target"] == f".target sm_{capability}{'a' * (capability == 90)}" and f["bytes"] > 0 for f in found)

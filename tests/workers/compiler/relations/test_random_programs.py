"""Programs over relations that nobody would write, on schemas that nobody would draw, against plain torch.

More of them: `python -m tests.workers.compiler.runtime.compare_targets --over relations`.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.workers.compiler.relations.cases import random_inputs
from tests.workers.compiler.relations.graphs import drawn_schema
from tests.workers.compiler.relations.random_programs import random_program
from tests.workers.compiler.runtime.agreement import agree
from tests.workers.compiler.runtime.compare_targets import compare_over_relations, small_triton
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.text import parse_ir, print_ir

AT_ONCE = 20


@pytest.mark.parametrize("first", range(0, 5 * AT_ONCE, AT_ONCE))
def test_the_reference_goes_relation_by_relation(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        written, index = random_program(seed, 1 + seed % 4), drawn_schema(random.Random(seed))
        program = written.program()
        inputs = random_inputs(program, index, seed)
        agree(reference.run(program, inputs, index), written.plain(index, inputs), inputs)
        assert parse_ir(print_ir(program)) == program


@pytest.mark.parametrize("seed", range(2))
def test_generated_kernels_agree(seed: int, kernels: KernelCache) -> None:
    compare_over_relations(seed, 2, kernels)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the interpreter computes what is beyond a value's own numbers
@pytest.mark.parametrize("seed", range(3))
def test_triton_agrees(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("triton", reason="Triton exists for Linux only")
    compare_over_relations(seed, 1, None, small_triton(tmp_path))

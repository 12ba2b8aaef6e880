"""The pipeline on programs nobody would write: values and gradients stay what torch autograd says."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.random_programs import random_program
from workers.compiler.passes import run_pipeline
from workers.compiler.text import parse_ir, print_ir


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_keep_values_and_gradients(seed: int) -> None:
    p = random_program(seed)
    where = SQUARE[list(SQUARE)[seed % len(SQUARE)]]
    check_gradients(p, random_inputs(p, where, seed), where, lambda q: run_pipeline(q)[-1].program)
    assert parse_ir(print_ir(p)) == p

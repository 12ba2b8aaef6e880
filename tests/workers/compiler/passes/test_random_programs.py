"""Five hundred programs nobody would write, with passes left out at random: values and gradients stay what torch says.

Here the interpreter runs what the pipeline makes of them; `runtime/test_random_programs.py` runs the kernels of some.
"""

from __future__ import annotations

import random

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE, random_graph
from tests.workers.compiler.random_programs import random_program
from workers.compiler.graph_size import GraphSize
from workers.compiler.passes import pipeline, run_pipeline
from workers.compiler.text import parse_ir, print_ir

PROGRAMS, AT_ONCE = 500, 10
FEW_EDGES, MANY_EDGES = GraphSize(1000, 100), GraphSize(1000, 100_000)  # products move this way and that
OPTIONAL = [name for name in pipeline.SWITCHES if name not in pipeline.PLANNING]


@pytest.mark.parametrize("first", range(0, PROGRAMS, AT_ONCE))
def test_random_programs_keep_values_and_gradients(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        _keeps(seed, random.Random(seed))


def _keeps(seed: int, draw: random.Random) -> None:
    program = random_program(seed, ops=draw.choice([6, 12, 25]))
    drawn = random_graph(draw.randint(1, 9), draw.randint(0, 30), seed)
    where = SQUARE[list(SQUARE)[seed % len(SQUARE)]] if seed % 3 == 0 else drawn
    off = frozenset(draw.sample(OPTIONAL, draw.choice([0, 0, 1, 3])))
    size = draw.choice([FEW_EDGES, MANY_EDGES])
    inputs = random_inputs(program, where, seed)
    check_gradients(program, inputs, where, lambda q: run_pipeline(q, off, graph=size)[-1].program)
    assert parse_ir(print_ir(program)) == program

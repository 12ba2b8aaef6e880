"""Generated kernels on programs nobody would write, and on the zoo's layers between two vertex sets."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import BIPARTITE, SQUARE
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.random_programs import random_program
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.parse import parse_program
from workers.compiler.two_sides import split_sides


@pytest.mark.parametrize("seed", [3, 18, 41, 118, 215, 337])
def test_random_programs_agree_with_the_reference(seed: int, kernels: KernelCache) -> None:
    program = random_program(seed, ops=20)
    for where in ("random", "empty rows between full rows"):
        check(program, random_inputs(program, SQUARE[where], seed), SQUARE[where], kernels)


@pytest.mark.parametrize("name", ["gat", "sage"])
def test_layers_between_two_vertex_sets_agree_with_the_reference(name: str, kernels: KernelCache) -> None:
    program = split_sides(parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings))
    for where in BIPARTITE.values():
        check(program, random_inputs(program, where), where, kernels)

"""Generated kernels on programs nobody would write, and on the zoo's layers between two vertex sets."""

from __future__ import annotations

import pytest

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import BIPARTITE
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.runtime.agreement import check
from tests.workers.compiler.runtime.compare_targets import compare
from workers.compiler.codegen.build import KernelCache
from workers.compiler.parse import parse_program
from workers.compiler.two_sides import split_sides


@pytest.mark.parametrize("seed", range(10))
def test_random_programs_agree_with_the_reference(seed: int, kernels: KernelCache) -> None:
    compare(seed, 6 if seed % 4 else 20, kernels)


@pytest.mark.parametrize("name", ["gat", "sage"])
def test_layers_between_two_vertex_sets_agree_with_the_reference(name: str, kernels: KernelCache) -> None:
    program = split_sides(parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings))
    for where in BIPARTITE.values():
        check(program, random_inputs(program, where), where, kernels)

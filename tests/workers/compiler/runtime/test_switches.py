"""Whatever passes are left out, and however much is kept, kernels give the same values and gradients."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.runtime.agreement import check, gradients
from workers.compiler.choices import Memory
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.parse import parse_program
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime import compile_program

ZOO = ("gcn", "gat", "sage", "gin", "appnp")
GRAPH = SQUARE["empty rows between full rows"]
OFF = [*((name,) for name in SWITCHES), SWITCHES]


@pytest.mark.parametrize("off", OFF, ids=lambda off: " ".join(off) if len(off) == 1 else "all")
@pytest.mark.parametrize("name", [*ZOO, "sage pooled"])
def test_switched_off_passes_change_no_number(name: str, off: tuple[str, ...], kernels: KernelCache) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    check(program, random_inputs(program, GRAPH), GRAPH, kernels, disabled=off)


@pytest.mark.parametrize("memory", ["min", "speed"])
@pytest.mark.parametrize("name", ZOO)
def test_memory_changes_no_number(name: str, memory: Memory, kernels: KernelCache) -> None:
    program = parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
    inputs = random_inputs(program, GRAPH)
    found = compile_program(program, dtype=torch.float64, cache=kernels, memory=memory)(
        GRAPH, inputs, training=True, seed=7
    )
    expected = reference.run(program, inputs, GRAPH, training=True, seed=7)
    for name_, x in expected.items():
        torch.testing.assert_close(found[name_], x)
    for x, y in zip(gradients(found, inputs), gradients(expected, inputs), strict=True):
        torch.testing.assert_close(x, y)

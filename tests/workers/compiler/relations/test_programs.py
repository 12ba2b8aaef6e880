"""Programs over relations against plain torch, relation by relation: values and gradients, reference and C++."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.gradients import named
from tests.workers.compiler.relations.cases import random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS, random_schema
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.runtime.agreement import check, gradients
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime import compile_program
from workers.compiler.runtime.stitched import StitchedIndex


def agrees(name: str, index: StitchedIndex, kernels: KernelCache) -> None:
    program = SAMPLES[name].program()
    inputs = random_inputs(program, index)
    expected = {"out": SAMPLES[name].plain(index, inputs)}
    wanted = gradients(expected, inputs)
    for run in (compile_program(program, dtype=torch.float64, cache=kernels), None):
        found = run(index, inputs) if run else reference.run(program, inputs, index)
        torch.testing.assert_close(found["out"], expected["out"], rtol=1e-9, atol=1e-9)
        for n, x, y in zip(inputs, gradients(found, inputs), wanted, strict=True):
            torch.testing.assert_close(x, y, rtol=1e-8, atol=1e-8, msg=named(f"gradient of {n}"))


@pytest.mark.parametrize("where", SCHEMAS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_program_is_the_same_as_plain_torch(name: str, where: str, kernels: KernelCache) -> None:
    agrees(name, SCHEMAS[where], kernels)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SAMPLES)
def test_a_program_agrees_on_random_schemas(name: str, seed: int, kernels: KernelCache) -> None:
    shape = {"types": 1 + seed % 5, "relations": 1 + 3 * seed, "vertices": 3 + 2 * seed, "edges": 9 * seed}
    agrees(name, random_schema(10 + seed, **shape), kernels)


@pytest.mark.parametrize("name", ["rgcn", "hgt"])
def test_a_program_agrees_with_nothing_moved_or_fused(name: str, kernels: KernelCache) -> None:
    program, index = SAMPLES[name].program(), SCHEMAS["random"]
    off = ("compute_before_gather", "fuse", "share_subexpressions")
    check(program, random_inputs(program, index), index, kernels, disabled=off)

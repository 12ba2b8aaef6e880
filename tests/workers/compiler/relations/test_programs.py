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


def test_relations_in_another_order_change_nothing(kernels: KernelCache) -> None:
    index = random_schema(4, types=3, relations=6, vertices=15, edges=50)
    order = [4, 1, 5, 0, 3, 2]
    parts = [slice(int(index.rel_ptr[r]), int(index.rel_ptr[r + 1])) for r in order]
    ptr = [0, *torch.tensor([p.stop - p.start for p in parts]).cumsum(0).tolist()]
    src, dst = ([int(x) for p in parts for x in ends[p]] for ends in (index.src, index.dst))
    other = StitchedIndex(index.type_ptr, src, dst, ptr)
    for name in ("rgcn", "rgat", "hgt"):
        program = SAMPLES[name].program()
        inputs = random_inputs(program, index)
        run = compile_program(program, dtype=torch.float64, cache=kernels)
        typed = {v.text("name") for v in program.values if v.op == "param" and v.type.domain.value == "relation"}
        moved = {n: x[order] if n in typed else x for n, x in inputs.items()}
        torch.testing.assert_close(run(other, moved)["out"], run(index, inputs)["out"])


def test_a_relation_without_edges_is_as_if_it_were_not_there(kernels: KernelCache) -> None:
    index = SCHEMAS["an empty relation and an empty type"]
    less = StitchedIndex(index.type_ptr, index.src, index.dst, [0, 3, 5])
    program = SAMPLES["rgcn"].program()
    run, inputs = compile_program(program, dtype=torch.float64, cache=kernels), random_inputs(program, index)
    found = run(index, inputs)["out"]
    assert torch.equal(run(less, inputs | {"W": inputs["W"][[0, 2]]})["out"], found)
    (grad,) = torch.autograd.grad(found.sum(), inputs["W"])
    assert not grad[1].any()
    assert grad[0].any()

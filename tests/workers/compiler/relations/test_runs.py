"""Running programs over relations: what is launched, what is the same again, what is refused."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.relations.cases import leaf, random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS, random_schema
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.runtime.agreement import check, gradients
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Builder, Domain, Program
from workers.compiler.parse import parse_program
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime import compile_program


def rgcn(width: int = 3, out: int = 4) -> Program:
    """Sum over relations of the mean of what W makes of each neighbour, plus a matrix of the vertex's own type."""
    b = Builder("rgcn")
    h = leaf(b, "h", (width,), Domain.VERTEX)
    mean = b.add("mean_edges", b.add("gather_src", h), side="receiver", to="receiver")
    each = b.add("typed_matmul", mean, leaf(b, "W", (width, out), Domain.RELATION))
    own = b.add("typed_matmul", h, leaf(b, "W0", (width, out), Domain.TYPE))
    return b.build({"out": b.add("add", b.add("sum_edges", each, side="received", to="vertex"), own)})


@pytest.mark.parametrize("where", SCHEMAS)
def test_a_layer_agrees_on_every_schema(where: str, kernels: KernelCache) -> None:
    check(rgcn(), random_inputs(rgcn(), SCHEMAS[where]), SCHEMAS[where], kernels)


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_pass_can_be_switched_off(switch: str, kernels: KernelCache) -> None:
    index = SCHEMAS["random"]
    check(rgcn(), random_inputs(rgcn(), index), index, kernels, disabled=(switch,))


def test_what_a_row_has_for_all_its_edges_may_be_kept_an_edge(kernels: KernelCache) -> None:
    """Where everything is kept for the backward pass, blocks of edges read it at every edge, not once before them."""
    text = """
def f(v: TypedVertex(x="4", y="1"), c: Param("relations, 4")):
    return sum(mean(sigmoid((v.y * c[r]) * nb.x) for nb in r.innbs) for r in v.relations)
"""
    program, index = parse_program(text, {}, relations=True), SCHEMAS["random"]
    check(program, random_inputs(program, index), index, kernels, disabled=("save_or_recompute",))


@pytest.mark.parametrize("name", ["rgcn", "hgt", "largest"])
def test_all_passes_can_be_switched_off(name: str, kernels: KernelCache) -> None:
    program, index = SAMPLES[name].program(), SCHEMAS["random"]
    check(program, random_inputs(program, index), index, kernels, disabled=SWITCHES)


def test_numbers_are_the_same_bit_by_bit_whatever_the_threads(kernels: KernelCache) -> None:
    index = random_schema(3, types=3, relations=20, vertices=3000, edges=40_000)
    program = rgcn(16, 16)
    inputs = random_inputs(program, index)
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2, 4):
            torch.set_num_threads(threads)
            results = compile_program(program, dtype=torch.float64, cache=kernels)(index, inputs)
            found.append([results["out"].detach(), *gradients(results, inputs)])
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(a, b) for other in found[1:] for a, b in zip(found[0], other, strict=True))


def test_a_graph_without_relations_is_refused(kernels: KernelCache) -> None:
    inputs = {"h": torch.zeros(9, 3), "W": torch.zeros(1, 3, 4), "W0": torch.zeros(1, 3, 4)}
    with pytest.raises(ValueError, match="'rgcn' asks for relations; give it a StitchedIndex"):
        compile_program(rgcn(), cache=kernels)(SQUARE["random"], inputs)


def test_weights_of_too_few_relations_are_refused(kernels: KernelCache) -> None:
    index = SCHEMAS["random"]
    inputs = random_inputs(rgcn(), index) | {"W": torch.zeros(2, 3, 4, dtype=torch.float64)}
    with pytest.raises(ValueError, match=r"param 'W' must have shape \[5, 3, 4\], got \[2, 3, 4\]"):
        compile_program(rgcn(), dtype=torch.float64, cache=kernels)(index, inputs)

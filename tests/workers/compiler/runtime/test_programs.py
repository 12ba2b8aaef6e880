"""Generated kernels against the reference: every op, every layer, every awkward graph, values and gradients."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.cases import CASES, program, random_inputs
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes.differentiate import NO_GRADIENT

PARSED: dict[str, Program] = {name: parse_program(s.text, s.bindings) for name, s in PROGRAMS.items()}
NO_REVERSE = CASES.keys() & NO_GRADIENT.keys() - {"input", "param", "constant", "degree"}


@pytest.mark.parametrize("where", ["random", "no edges", "no nodes", "duplicates", "empty rows between full rows"])
@pytest.mark.parametrize("name", CASES)
def test_every_op_is_generated(name: str, where: str, kernels: KernelCache) -> None:
    inputs = random_inputs(program(name), SQUARE[where])
    if name in NO_REVERSE:
        inputs = {n: x.detach() for n, x in inputs.items()}
    check(program(name), inputs, SQUARE[where], kernels)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("name", PARSED)
def test_every_program_agrees_on_every_graph(name: str, where: str, kernels: KernelCache) -> None:
    check(PARSED[name], random_inputs(PARSED[name], SQUARE[where]), SQUARE[where], kernels)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_agree_in_single_precision(name: str, kernels: KernelCache) -> None:
    inputs = random_inputs(LAYERS[name], SQUARE["random"], dtype=torch.float32)
    check(LAYERS[name], inputs, SQUARE["random"], kernels)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_agree_when_evaluating(name: str, kernels: KernelCache) -> None:
    inputs = random_inputs(LAYERS[name], SQUARE["random"])
    check(LAYERS[name], inputs, SQUARE["random"], kernels, training=False)


@pytest.mark.parametrize("name", LAYERS)
def test_only_the_gradients_that_are_asked_for_are_computed(name: str, kernels: KernelCache) -> None:
    inputs = random_inputs(LAYERS[name], SQUARE["random"])
    inputs["h"] = inputs["h"].detach()
    check(LAYERS[name], inputs, SQUARE["random"], kernels)

"""Triton's kernels over relations in its interpreter, against float64 torch: every op, every program.

Blocks are tiny and every row of more than five items is heavy, as in `runtime/test_triton.py`.
"""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.relations.cases import CASES, program, random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS, random_schema
from tests.workers.compiler.relations.programs import SAMPLES
from tests.workers.compiler.relations.zoo import SIZES
from tests.workers.compiler.runtime.agreement import check, gradients
from workers.compiler.passes.differentiate import NO_GRADIENT
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime import compile_program
from workers.zoo.relation_layer import read

pytest.importorskip("triton", reason="Triton exists for Linux only")

from triton.runtime import interpreter

from tests.workers.compiler.runtime.shuffling import shuffled
from workers.compiler.runtime.triton_executor import Triton
from workers.compiler.runtime.triton_modules import TritonModules

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

MIXED = random_schema(0, vertices=9, edges=40)
AWKWARD = tuple(SCHEMAS)


@pytest.mark.parametrize("name", CASES)
def test_every_op(name: str, small: Triton) -> None:
    for index in (MIXED, SCHEMAS["no edges"]):
        inputs = random_inputs(program(name), index)
        if program(name).values[-1].op in NO_GRADIENT:
            inputs = {n: x.detach() for n, x in inputs.items()}
        check(program(name), inputs, index, None, target=small)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_program(name: str, small: Triton) -> None:
    """On a graph with every kind of row; each of the awkward schemas meets some of them."""
    p, awkward = SAMPLES[name].program(), SCHEMAS[AWKWARD[list(SAMPLES).index(name) % len(AWKWARD)]]
    for index in (MIXED, awkward):
        check(p, random_inputs(p, index), index, None, target=small)


@pytest.mark.parametrize("name", SIZES)
def test_layers_in_single_precision_with_usual_blocks(name: str, modules: TritonModules) -> None:
    p = read(name, SIZES[name])
    inputs = {n: (x.detach() / 3).float().requires_grad_() for n, x in random_inputs(p, MIXED).items()}
    check(p, inputs, MIXED, None, target=Triton(modules))


def test_every_pass_switched_off(small: Triton) -> None:
    p = SAMPLES["rgat"].program()
    check(p, random_inputs(p, MIXED), MIXED, None, disabled=SWITCHES, target=small)


def test_half_width_numbers(small: Triton) -> None:
    p = SAMPLES["rgcn"].program()
    halved = {n: x.detach().bfloat16().requires_grad_() for n, x in random_inputs(p, MIXED).items()}
    exact = {n: x.detach().double().requires_grad_() for n, x in halved.items()}
    ours = compile_program(p, dtype=torch.bfloat16, target=small)(MIXED, halved)
    double = compile_program(p, dtype=torch.float64, target=small)(MIXED, exact)
    for a, b in zip((ours["out"], *gradients(ours, halved)), (double["out"], *gradients(double, exact)), strict=True):
        assert (a.double() - b).norm() <= 4e-2 * b.norm()


def test_programs_may_run_in_any_order(small: Triton, monkeypatch: pytest.MonkeyPatch) -> None:
    """A race would show: with the programs of every launch shuffled not one bit changes."""
    p = SAMPLES["hgt"].program()
    inputs = {n: x.detach().float().requires_grad_() for n, x in random_inputs(p, MIXED).items()}
    run = compile_program(p, target=small)

    def everything() -> list[torch.Tensor]:
        found = run(MIXED, inputs)
        return [found["out"], *gradients(found, inputs)]

    in_order = everything()
    monkeypatch.setattr(interpreter.interpreter_builder, "set_grid_idx", shuffled(seed=1))
    assert all(torch.equal(a, b) for a, b in zip(in_order, everything(), strict=True))

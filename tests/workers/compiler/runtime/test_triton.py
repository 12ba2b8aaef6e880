"""Triton's kernels in its interpreter, against float64 torch: every op, every program, every kind of row.

Blocks are tiny and every row of more than five edges is heavy, so small graphs meet all a large one would: rows that
share programs, rows alone, and rows cut into chunks and joined.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import CASES, program, random_inputs
from tests.workers.compiler.graphs import BIPARTITE, SQUARE, Graph, random_graph
from tests.workers.compiler.layers import LAYERS
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.runtime.agreement import check, gradients
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.passes.differentiate import NO_GRADIENT
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime import compile_program
from workers.compiler.two_sides import split_sides

pytest.importorskip("triton", reason="Triton exists for Linux only")

from triton.runtime import interpreter

from tests.workers.compiler.runtime.shuffling import shuffled
from workers.compiler.runtime.triton_executor import Triton
from workers.compiler.runtime.triton_modules import TritonModules

# The interpreter computes what is beyond a value's own numbers, and nobody reads it: 1/0, the logarithm of nothing.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

PARSED: dict[str, Program] = {name: parse_program(s.text, s.bindings) for name, s in PROGRAMS.items()}
NO_REVERSE = CASES.keys() & NO_GRADIENT.keys() - {"input", "param", "constant", "degree"}
GRAPHS = tuple(SQUARE)
MIXED = random_graph(9, 40, seed=3)  # light, medium and heavy rows on both sides


@pytest.mark.parametrize("name", CASES)
def test_every_op(name: str, small: Triton) -> None:
    for where in (MIXED, SQUARE["no edges"]):
        inputs = random_inputs(program(name), where)
        if name in NO_REVERSE:
            inputs = {n: x.detach() for n, x in inputs.items()}
        check(program(name), inputs, where, None, target=small)


@pytest.mark.parametrize("name", PARSED)
def test_every_program(name: str, small: Triton) -> None:
    """On a graph with every kind of row; each of the awkward graphs meets some of them."""
    awkward = SQUARE[GRAPHS[list(PARSED).index(name) % len(GRAPHS)]]
    for where in (MIXED, awkward):
        check(PARSED[name], random_inputs(PARSED[name], where), where, None, target=small)


@pytest.mark.parametrize("where", SQUARE)
def test_every_graph(where: str, small: Triton) -> None:
    check(LAYERS["gat"], random_inputs(LAYERS["gat"], SQUARE[where]), SQUARE[where], None, target=small)


@pytest.mark.parametrize("where", BIPARTITE)
def test_two_vertex_sets(where: str, small: Triton) -> None:
    two = split_sides(LAYERS["gat"])
    check(two, random_inputs(two, BIPARTITE[where]), BIPARTITE[where], None, target=small)


@pytest.mark.parametrize("name", LAYERS)
def test_usual_blocks_in_single_precision_when_evaluating(name: str, modules: TritonModules) -> None:
    where = random_graph(24, 200, seed=1)
    inputs = random_inputs(LAYERS[name], where, dtype=torch.float32)
    check(LAYERS[name], inputs, where, None, training=False, target=Triton(modules))


@pytest.mark.parametrize("width", [1, 7, 17, 100, 602])
def test_widths_that_are_no_powers_of_two(width: int, small: Triton) -> None:
    program = attention(3, width)
    check(program, random_inputs(program, MIXED), MIXED, None, target=small)


def attention(heads: int, width: int) -> Program:
    source = PROGRAMS["gat"]
    return parse_program(source.text, {**source.bindings, "heads": heads, "out": width, "joined": heads * width})


@pytest.mark.parametrize("name", LAYERS)
def test_every_pass_switched_off(name: str, small: Triton) -> None:
    check(LAYERS[name], random_inputs(LAYERS[name], MIXED), MIXED, None, disabled=SWITCHES, target=small)


@pytest.mark.parametrize("name", LAYERS)
def test_half_width_numbers(name: str, small: Triton) -> None:
    """Results and gradients as one vector each, relative to the norm; arithmetic is float32.

    The interpreter cuts numbers off where hardware rounds them, which costs it one bit more and a bias.
    """
    whole = random_inputs(LAYERS[name], MIXED, dtype=torch.float32)
    halved = {n: x.detach().bfloat16().requires_grad_() for n, x in whole.items()}
    exact = {n: x.detach().double().requires_grad_() for n, x in halved.items()}
    ours = compile_program(LAYERS[name], dtype=torch.bfloat16, target=small)(MIXED, halved, training=True, seed=7)
    double = compile_program(LAYERS[name], dtype=torch.float64, target=small)(MIXED, exact, training=True, seed=7)
    for found, expected in zip(
        ([*ours.values()], gradients(ours, halved)), ([*double.values()], gradients(double, exact)), strict=True
    ):
        a, b = (torch.cat([x.detach().double().flatten() for x in side]) for side in (found, expected))
        assert (a - b).norm() <= 4e-2 * b.norm()


@pytest.mark.parametrize("name", ["gat", "sage pooled", "edgegate max"])
def test_programs_may_run_in_any_order(name: str, small: Triton, monkeypatch: pytest.MonkeyPatch) -> None:
    """A race would show: with the programs of every launch shuffled not one bit changes."""
    inputs = random_inputs(PARSED[name], MIXED, dtype=torch.float32)
    compiled = compile_program(PARSED[name], target=small)
    in_order = everything(compiled, MIXED, inputs)
    monkeypatch.setattr(interpreter.interpreter_builder, "set_grid_idx", shuffled(seed=1))
    again = everything(compiled, MIXED, inputs)
    assert all(torch.equal(a, b) for a, b in zip(in_order, again, strict=True))


def test_the_target_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = random_inputs(LAYERS["gcn"], MIXED)
    assert compile_program(LAYERS["gcn"], dtype=torch.float64, target="triton")(MIXED, inputs)["out"].shape == (9, 4)
    monkeypatch.delenv("TRITON_INTERPRET")
    with pytest.raises(ValueError, match="TRITON_INTERPRET=1"):
        compile_program(LAYERS["gcn"], dtype=torch.float64, target="triton")(MIXED, inputs)


def everything(run: Callable[..., dict[str, Tensor]], where: Graph, inputs: dict[str, Tensor]) -> list[Tensor]:
    found = run(where, inputs, training=True, seed=7)
    return [*found.values(), *gradients(found, inputs)]

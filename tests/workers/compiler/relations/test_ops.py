"""Ops of graphs of several relations: the reference against loops, gradients against autograd, C++ against both."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.relations.cases import CASES, program, random_inputs
from tests.workers.compiler.relations.graphs import SCHEMAS
from tests.workers.compiler.runtime.agreement import check
from workers.compiler.codegen import reference
from workers.compiler.codegen.build import KernelCache
from workers.compiler.ir import Program, Value
from workers.compiler.maps import KIND
from workers.compiler.passes.differentiate import NO_GRADIENT
from workers.compiler.runtime.stitched import StitchedIndex
from workers.compiler.text import parse_ir, print_ir
from workers.compiler.verify import verify

EVERYWHERE = ["random", "an empty relation and an empty type", "no edges", "a hundred relations"]


def by_hand(p: Program, value: Value, index: StitchedIndex, args: list[Tensor]) -> Tensor:
    """A typed op with loops over rows, along the index's maps."""
    if value.op.startswith("gather_"):
        found = [args[0][i] for i in index.map_array(value.op.removeprefix("gather_"))]
        return torch.stack(found) if found else args[0].new_zeros(0, *value.type.shape)
    kinds = index.map_array(KIND[p[value.args[0]].type.domain]).tolist()
    if value.op == "typed_matmul":
        flip = dict(value.attrs).get("transposed")
        found = [x @ (args[1][k].T if flip else args[1][k]) for x, k in zip(args[0], kinds, strict=True)]
        return torch.stack(found) if found else args[0].new_zeros(0, *value.type.shape)
    out = args[0].new_zeros(index.rows(value.type.domain), *value.type.shape)
    for x, g, k in zip(*args, kinds, strict=True):
        out[k] += x.T @ g
    return out


@pytest.mark.parametrize("where", EVERYWHERE)
@pytest.mark.parametrize("name", [n for n in CASES if n.startswith(("gather", "typed"))])
def test_values_of_an_op_are_its_plain_meaning(name: str, where: str) -> None:
    p, index = program(name), SCHEMAS[where]
    inputs = random_inputs(p, index)
    done: list[Tensor] = []
    for value in p.values:
        given = value.op in ("input", "param")
        args = [done[a] for a in value.args]
        done.append(inputs[value.text("name")] if given else by_hand(p, value, index, args))
    found = reference.run(p, inputs, index)["out"]
    torch.testing.assert_close(found, done[-1].reshape(found.shape))


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_legal_and_goes_through_text(name: str) -> None:
    assert parse_ir(print_ir(verify(program(name)))) == program(name)


@pytest.mark.parametrize("name", CASES)
def test_gradient_of_an_op_agrees_with_autograd(name: str) -> None:
    for where in ("random", "an empty relation and an empty type"):
        check_gradients(program(name), random_inputs(program(name), SCHEMAS[where]), SCHEMAS[where])


@pytest.mark.parametrize("name", CASES)
def test_every_op_is_generated(name: str, kernels: KernelCache) -> None:
    for where in EVERYWHERE:
        inputs = random_inputs(program(name), SCHEMAS[where])
        if program(name).values[-1].op in NO_GRADIENT:
            inputs = {n: x.detach() for n, x in inputs.items()}
        check(program(name), inputs, SCHEMAS[where], kernels)

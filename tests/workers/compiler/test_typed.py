"""Parameters of types: each edge or vertex takes its own slice, and only that slice learns from it."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE, graph
from tests.workers.compiler.programs import written
from workers.compiler.codegen import reference
from workers.compiler.parse import parse_program

KINDS = [0, 2, 1, 2, 0, 0]
WHERE = graph([(0, 1), (2, 1), (3, 1), (1, 3), (0, 3), (0, 3)], 5)
SIGNATURE = 'v: Vertex(h="3", edges=Edge(kind="")), W: Param("3, 3, 2"), b: Param("3, 2"), t: Param("3")'


def run(body: str) -> tuple[Tensor, dict[str, Tensor]]:
    program = parse_program(written(body, SIGNATURE))
    inputs = random_inputs(program, WHERE)
    inputs["kind"] = torch.tensor(KINDS, dtype=torch.float64)
    return reference.run(program, inputs, WHERE)["out"], inputs


def by_loop(message: object, inputs: dict[str, Tensor]) -> Tensor:
    out = torch.zeros(5, 2, dtype=torch.float64)
    for s, d, k in zip(WHERE.src.tolist(), WHERE.dst.tolist(), KINDS, strict=True):
        out = out.index_add(0, torch.tensor([d]), message(inputs, s, k)[None])  # type: ignore[operator]
    return out


MESSAGES = {
    "e.src.h @ W[e.kind]": lambda x, s, k: x["h"][s] @ x["W"][k],
    "linear(e.src.h, W[e.kind], b[e.kind])": lambda x, s, k: x["h"][s] @ x["W"][k] + x["b"][k],
    "b[e.kind] * dot(e.src.h, e.src.h)": lambda x, s, k: x["b"][k] * (x["h"][s] ** 2).sum(),
    "t[e.kind] * columns(e.src.h, 0, 2)": lambda x, s, k: x["t"][k] * x["h"][s, :2],
}


@pytest.mark.parametrize("message", MESSAGES)
def test_an_edge_uses_the_slice_of_its_type(message: str) -> None:
    found, inputs = run(f"return sum({message} for e in v.inedges)")
    expected = by_loop(MESSAGES[message], inputs)
    torch.testing.assert_close(found, expected)
    wanted = [x for n, x in inputs.items() if n != "kind"]
    pairs = [torch.autograd.grad(y.square().sum(), wanted, allow_unused=True) for y in (found, expected)]
    for ours, theirs in zip(*pairs, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_a_type_that_is_none_gives_nothing() -> None:
    program = parse_program(written("return sum(e.src.h @ W[e.kind] for e in v.inedges)", SIGNATURE))
    inputs = random_inputs(program, WHERE) | {"kind": torch.tensor([-1.0, 3, 7, 0.5, 1, 1], dtype=torch.float64)}
    found = reference.run(program, inputs, WHERE)["out"]
    assert not found[1].any()
    torch.testing.assert_close(found[3], inputs["h"][[0, 0]].sum(0) @ inputs["W"][1])


def test_the_compilers_own_gradients_agree() -> None:
    body = "return sum(e.src.h @ W[e.kind] + b[e.kind] * t[e.kind] for e in v.inedges)"
    program = parse_program(written(body, SIGNATURE))
    inputs = random_inputs(program, SQUARE["random"])
    inputs["kind"] = torch.arange(30, dtype=torch.float64).remainder(3).requires_grad_()
    check_gradients(program, inputs, SQUARE["random"])


def test_products_of_a_neighbour_are_worked_out_once_a_vertex() -> None:
    program = parse_program(written("return sum(e.src.h @ W[e.kind] for e in v.inedges)", SIGNATURE))
    assert [v.type.domain.value for v in program.values if v.op == "matmul"] == ["vertex"] * 3

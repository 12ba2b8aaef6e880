"""Every configuration of an operator gives what one device gives: outputs and gradients, put together from the pieces.

The oracle cuts tensors itself, for a mesh of one dimension: pieces by torch.chunk, copies, or random summands.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from workers.spreading.capture.export import CannotCapture, capture
from workers.spreading.capture.graph import Op, OpGraph, Slot
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.configurations import configurations, roles
from workers.spreading.configs.layout import expected_gradient, split_dim
from workers.spreading.configs.reshard import path, volume


class Call(nn.Module):
    """A function of parameters alone, so that a gradient comes to every tensor."""

    def __init__(self, function: Callable[..., Tensor], tensors: tuple[Tensor, ...]) -> None:
        super().__init__()
        self.function = function
        self.tensors = nn.ParameterList(tensors)

    def forward(self) -> Tensor:
        return self.function(*self.tensors)


def made(*shapes: tuple[int, ...]) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(shape, dtype=torch.float64, generator=generator) for shape in shapes)


CASES: dict[str, tuple[Callable[..., Tensor], tuple[Tensor, ...]]] = {
    "linear": (F.linear, made((5, 7, 6), (9, 6), (9,))),
    "linear without bias": (F.linear, made((4, 6), (8, 6))),
    "matmul broadcast": (torch.matmul, made((3, 1, 4, 6), (5, 6, 8))),
    "matrix times vector": (torch.matmul, made((3, 4, 6), (6,))),
    "bmm": (torch.bmm, made((4, 3, 6), (4, 6, 5))),
    "addmm": (torch.addmm, made((8,), (4, 6), (6, 8))),
    "baddbmm": (torch.baddbmm, made((4, 3, 5), (4, 3, 6), (4, 6, 5))),
    "einsum": (lambda a, b: torch.einsum("bij,bkj->bik", a, b), made((4, 3, 6), (4, 5, 6))),
    "conv2d": (lambda x, w, b: F.conv2d(x, w, b, padding=1), made((4, 6, 5, 5), (7, 6, 3, 3), (7,))),
    "conv2d of stride 2": (lambda x, w: F.conv2d(x, w, stride=2), made((5, 6, 7, 7), (8, 6, 3, 3))),
    "conv1d": (F.conv1d, made((4, 6, 9), (8, 6, 3), (8,))),
    "layer norm": (lambda x, w, b: F.layer_norm(x, (6,), w, b), made((4, 5, 6), (6,), (6,))),
    "group norm": (lambda x, w, b: F.group_norm(x, 3, w, b), made((4, 6, 5), (6,), (6,))),
    "softmax": (lambda x: F.softmax(x, 1), made((4, 5, 6))),
    "attention": (F.scaled_dot_product_attention, made((4, 3, 7, 4), (4, 3, 5, 4), (4, 3, 5, 4))),
    "causal attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        made((4, 3, 6, 4), (4, 3, 6, 4), (4, 3, 6, 4)),
    ),
    "add broadcast": (torch.add, made((4, 5, 6), (5, 1))),
    "subtract": (torch.sub, made((5, 6), (5, 6))),
    "multiply": (torch.mul, made((4, 5), (5,))),
    "multiply by a number": (lambda x: x * 3.0, made((5, 4))),
    "add a number": (lambda x: x + 3.0, made((5, 4))),
    "divide": (lambda a, b: a / (b * b + 1), made((5, 4), (5, 4))),
    "gelu": (F.gelu, made((5, 6))),
    "relu": (F.relu, made((5, 6))),
    "where": (lambda a, b: torch.where(a > 0, a, b), made((5, 6), (5, 6))),
    "transpose": (lambda x: x.transpose(1, 2), made((4, 5, 6))),
    "permute": (lambda x: x.permute(2, 0, 1), made((4, 5, 6))),
    "slice": (lambda x: x[:, 1:4], made((4, 5, 6))),
    "select": (lambda x: x.select(1, 2), made((4, 5, 6))),
    "cat": (lambda a, b: torch.cat([a, b], 1), made((4, 5, 6), (4, 3, 6))),
    "stack": (lambda a, b: torch.stack([a, b], 1), made((4, 5), (4, 5))),
    "sum": (lambda x: x.sum(1), made((4, 5, 6))),
    "sum of all": (lambda x: x.sum(), made((4, 5))),
    "maximum over a dimension": (lambda x: x.amax(1), made((4, 5, 6))),
    "cumsum": (lambda x: x.cumsum(1), made((4, 5, 6))),
    "max pool": (lambda x: F.max_pool2d(x, 2), made((4, 5, 6, 6))),
}  # fmt: skip


@pytest.mark.parametrize("devices", [2, 3, 4])
@pytest.mark.parametrize("name", CASES)
def test_every_configuration_equals_one_device(name: str, devices: int) -> None:
    function, tensors = CASES[name]
    graph = capture(Call(function, tensors), ()).graph
    for op in graph.of_kind("call"):
        if any(v.differentiable for v in op.outputs):
            for config in configurations(graph, op, (devices,)):
                _assert_equal_to_one_device(graph, op, config, devices)


def _assert_equal_to_one_device(graph: OpGraph, op: Op, config: OpConfig, devices: int) -> None:
    shapes = [v.shape for v in graph.inputs_of(op)]
    kinds = [v.dtype for v in graph.inputs_of(op)]
    whole = [x > 0 if kind == "bool" else x for x, kind in zip(made(*shapes), kinds, strict=True)]
    leaves = [x.clone().requires_grad_(x.is_floating_point()) for x in whole]
    expected = _outputs(op, leaves)
    weights = made(*(out.shape for out in expected))
    torch.autograd.backward(expected, weights)

    pieces = [_cut(x, layout[0], devices) for x, layout in zip(whole, config.inputs, strict=True)]
    back = [_cut(w, expected_gradient(layout)[0], devices) for w, layout in zip(weights, config.outputs, strict=True)]
    local = [[x[d].clone().requires_grad_(x[d].is_floating_point()) for x in pieces] for d in range(devices)]
    given = [_outputs(op, inputs) for inputs in local]
    for device, outputs in enumerate(given):
        torch.autograd.backward(outputs, [w[device] for w in back])
    for i, layout in enumerate(config.outputs):
        torch.testing.assert_close(_join([out[i] for out in given], layout[0]), expected[i])
    for i, layout in enumerate(config.gradients):
        if leaves[i].grad is not None:
            torch.testing.assert_close(_join([inputs[i].grad for inputs in local], layout[0]), leaves[i].grad)


def _outputs(op: Op, inputs: list[Tensor]) -> list[Tensor]:
    overload = torch.ops
    for part in op.target.split("."):
        overload = getattr(overload, part)
    filled = [_fill(argument, inputs) for argument in op.args]
    out: Any = overload(*filled, **{key: _fill(x, inputs) for key, x in op.kwargs.items()})  # type: ignore[operator]
    return [out] if isinstance(out, Tensor) else list(out)


def _fill(argument: Any, inputs: list[Tensor]) -> Any:
    if isinstance(argument, Slot):
        return inputs[argument.index]
    return [_fill(x, inputs) for x in argument] if isinstance(argument, (list, tuple)) else argument


def _cut(tensor: Tensor, placement: str, devices: int) -> list[Tensor]:
    dim = split_dim(placement)
    if dim is not None:
        return list(tensor.chunk(devices, dim))
    if placement == "R":
        return [tensor] * devices
    summands = list(made(*[tensor.shape] * (devices - 1)))
    return [*summands, tensor - torch.stack(summands).sum(0)]


def _join(pieces: list[Any], placement: str) -> Tensor:
    dim = split_dim(placement)
    if dim is not None:
        return torch.cat(pieces, dim)
    if placement == "P":
        return torch.stack(pieces).sum(0)
    for one, other in pairwise(pieces):
        torch.testing.assert_close(one, other)
    first: Tensor = pieces[0]
    return first


def test_moves_obey_the_triangle_inequality() -> None:
    layouts = [(a, b) for a in ("R", "P", "S0", "S1") for b in ("R", "P", "S0", "S1")]

    def cost(source: tuple[str, str], target: tuple[str, str]) -> float:
        hops = path((8, 12), 4, (2, 2), source, target)
        return float("inf") if hops is None else sum(volume(hop) for hop in hops)

    costs = {(a, b): cost(a, b) for a in layouts for b in layouts}
    assert all(costs[a, c] <= costs[a, b] + costs[b, c] + 1e-9 for a in layouts for b in layouts for c in layouts)


def test_an_operator_without_a_rule_stays_whole() -> None:
    graph = capture(Call(lambda x: torch.linalg.inv(x).sum(), made((4, 4))), ()).graph
    (op,) = (op for op in graph.of_kind("call") if not roles(graph, op).known)
    assert op.target.startswith("aten.linalg_inv")
    assert len(configurations(graph, op, (2,))) == 1


def test_a_branch_on_data_is_refused_with_a_reason() -> None:
    class Branches(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x if x.sum() > 0 else -x

    with pytest.raises(CannotCapture, match=r"branches on the values of tensors.*torch\.where"):
        capture(Branches(), made((3,)))


def test_groups_of_channels_are_not_cut() -> None:
    graph = capture(Call(lambda x, w: F.conv2d(x, w, groups=2), made((3, 6, 5, 5), (8, 3, 3, 3))), ()).graph
    (op,) = (op for op in graph.of_kind("call"))
    assert (("S1",), ("S0",)) in [c.inputs for c in configurations(graph, op, (2,))]
    assert (("S1",), ("S0",)) not in [c.inputs for c in configurations(graph, op, (4,))]

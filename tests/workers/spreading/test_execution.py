"""A strategy run on ranks gives what one device gives, by the collectives that were planned and no other.

Ranks are threads here, 2 to 8 of them; the oracle is the plain module.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.workers.spreading.drawn import Drawer
from workers.spreading.capture.export import Captured, capture
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Audit, Collectives
from workers.spreading.execution.leaves import cut_leaves, inputs, state
from workers.spreading.execution.pieces import joined
from workers.spreading.execution.program import Program
from workers.spreading.execution.simulated import simulate

MESHES: list[MeshShape] = [(1,), (2,), (3,), (4,), (2, 2), (8,), (2, 4), (2, 2, 2)]
DRAWS = 2


class Mlp(nn.Module):
    """Sizes that 3, 4 and 8 do not divide, and a scale that two layers share."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.third = nn.Linear(12, 19), nn.Linear(19, 19), nn.Linear(19, 5)
        self.scale = nn.Parameter(torch.ones(19))

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        h = F.gelu(self.first(x)) * self.scale
        out = self.third(F.dropout(torch.relu(self.second(h)) * self.scale + h, 0.0, self.training))
        return F.mse_loss(out, y), out


class Transformer(nn.Module):
    """One causal block over words whose table is also the last product."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(18, 16), nn.Parameter(torch.randn(8, 16))
        self.norm, self.norm2 = nn.LayerNorm(16), nn.LayerNorm(16)
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)
        self.up, self.down = nn.Linear(16, 32), nn.Linear(32, 16)
        self.read = nn.Linear(16, 18, bias=False)
        self.read.weight = self.words.weight

    def forward(self, ids: Tensor, wanted: Tensor) -> Tensor:
        x = self.words(ids) + self.places
        q, k, v = (t.unflatten(-1, (4, 4)).transpose(1, 2) for t in self.qkv(self.norm(x)).chunk(3, -1))
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        x = x + self.down(F.gelu(self.up(self.norm2(x))))
        return F.cross_entropy(self.read(x).flatten(0, 1), wanted.flatten(), ignore_index=3)


class Convolutions(nn.Module):
    """Batch norm, whose statistics are written in place, groups of channels, a pool and a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, stride=2, groups=4)
        self.norm2 = nn.BatchNorm2d(8, affine=False)
        self.last = nn.Linear(8, 6)

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        h = F.relu(self.norm(self.first(x)), inplace=True)
        h = F.max_pool2d(self.norm2(self.second(h)), 2)
        out = self.last(h.mean((2, 3)))
        return F.cross_entropy(out, y), out.argmax(1)


class Rows(nn.Module):
    """Tables by rows, joins, broadcasts, a frozen parameter and nested inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(17, 8), nn.Embedding(8, 8)])
        self.dense, self.top = nn.Linear(4, 8), nn.Linear(9, 1)
        self.fixed = nn.Parameter(torch.randn(8), requires_grad=False)

    def forward(self, batch: dict[str, Any]) -> Tensor:
        rows = [table(ids) for table, ids in zip(self.tables, batch["ids"], strict=True)]
        x = torch.stack([self.dense(batch["x"]) * self.fixed, *rows], 1)
        pairs = torch.bmm(x, x.transpose(1, 2)).flatten(1)
        out = self.top(torch.sigmoid(pairs)).squeeze(1)
        weights = torch.where(batch["y"] > 0, 2.0, 0.5).to(out.dtype)
        loss: Tensor = F.binary_cross_entropy_with_logits(out, batch["y"]) + (out * weights).mean()
        return loss + torch.var(out).sqrt()


def numbers(*shape: int) -> Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def whole_numbers(below: int, *shape: int) -> Tensor:
    return torch.randint(below, shape, generator=torch.Generator().manual_seed(2))


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[Any, ...]]] = {
    "mlp": (Mlp, (numbers(8, 12), numbers(8, 5))),
    "transformer": (Transformer, (whole_numbers(18, 8, 8), whole_numbers(18, 8, 8))),
    "convolutions": (Convolutions, (numbers(8, 3, 9, 9), whole_numbers(6, 8))),
    "rows": (
        Rows,
        ({"ids": [whole_numbers(17, 16), whole_numbers(8, 16)], "x": numbers(16, 4), "y": numbers(16).gt(0).double()},),
    ),
}


@cache
def made(name: str) -> tuple[nn.Module, Captured]:
    torch.manual_seed(0)
    model = MODELS[name][0]().double()
    return model, capture(model, MODELS[name][1])


Result = tuple[list[Tensor], dict[str, Tensor], dict[str, Tensor]]  # outputs, gradients, buffers after


@cache
def expected(name: str) -> Result:
    model = made(name)[0]
    copy = MODELS[name][0]().double()
    copy.load_state_dict(model.state_dict())
    out = copy(*MODELS[name][1])
    outs = [out] if isinstance(out, Tensor) else list(out)
    outs[0].backward()
    grads = {key: p.grad for key, p in copy.named_parameters(remove_duplicate=False) if p.grad is not None}
    return [x.detach() for x in outs], grads, dict(copy.named_buffers())


def run(name: str, strategy: Strategy, training: bool = True) -> tuple[Result, list[Audit]]:
    """One step on simulated ranks, put together."""
    captured = made(name)[1]
    graph = captured.graph
    whole = {**state(captured), **inputs(captured, MODELS[name][1])}

    def rank(ranks: Collectives) -> tuple[list[Tensor], dict[str, Tensor], Audit]:
        leaves = cut_leaves(graph, strategy, whole, ranks.place)
        with torch.set_grad_enabled(training):
            outputs = Program(graph, strategy, ranks)(leaves)
        if training:
            outputs[0].backward()
        return [x.detach() for x in outputs], leaves, ranks.log

    done = simulate(strategy.mesh, rank)
    for outputs, _, _ in done[1:]:
        torch.testing.assert_close(outputs, done[0][0])
    grads, buffers = {}, {}
    for op in graph.of_kind("parameter"):
        if op.outputs[0].differentiable:
            grads[op.target] = put_together(strategy, op.name, [leaves[op.name].grad for _, leaves, _ in done])
    for op in graph.of_kind("buffer"):
        buffers[op.target] = put_together(strategy, op.name, [leaves[op.name] for _, leaves, _ in done])
    return (done[0][0], grads, buffers), [audit for _, _, audit in done]


def put_together(strategy: Strategy, leaf: str, pieces: list[Any]) -> Tensor:
    return joined(pieces, strategy.configs[leaf].outputs[0], strategy.mesh)


@pytest.mark.parametrize("mesh", MESHES, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_any_strategy_equals_one_device_by_the_collectives_planned(name: str, mesh: MeshShape) -> None:
    captured = made(name)[1]
    outs, grads, buffers = expected(name)
    for all_to_all in (False, True):
        drawer, random = Drawer(captured.graph, mesh, all_to_all), Random(f"{name} {mesh}")
        for _ in range(DRAWS):
            strategy = drawer.draw(random)
            result, audits = run(name, strategy)
            torch.testing.assert_close(result[0], outs, rtol=1e-10, atol=1e-12)
            torch.testing.assert_close(result[1], {k: g for k, g in grads.items() if k in result[1]})
            torch.testing.assert_close(result[2], buffers)
            assert audits[0] == strategy.audit(captured.graph)

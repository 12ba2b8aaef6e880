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
from torch.utils._pytree import tree_map

from tests.workers.spreading.drawn import Drawer
from workers.spreading.capture.export import Captured, capture
from workers.spreading.configs.configurations import whole
from workers.spreading.configs.layout import MeshShape
from workers.spreading.configs.segments import CannotRecompute, segments
from workers.spreading.configs.strategy import Strategy, strategy
from workers.spreading.execution.collectives import Audit, Collectives
from workers.spreading.execution.leaves import cut_leaves, inputs, state
from workers.spreading.execution.pieces import joined
from workers.spreading.execution.program import Program
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.simulated import simulate
from workers.spreading.execution.training import Optimizer
from workers.spreading.zoo.sizes import (
    DlrmSizes,
    LstmSizes,
    MlpSizes,
    Sizes,
    TransformerSizes,
    VitSizes,
    WideResnetSizes,
)
from workers.spreading.zoo.table import build

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


class Typed(nn.Module):
    """A value of which only type and sizes are read, which gives it no gradient, but others give it one."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(6, 8), nn.Linear(6, 8)

    def forward(self, x: Tensor) -> Tensor:
        like = torch.tanh(self.first(x))
        out = self.second(x).exp().type_as(like).sqrt()
        loss: Tensor = (out.view_as(like) * like).sum() + out.sum()
        return loss


def numbers(*shape: int) -> Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def whole_numbers(below: int, *shape: int) -> Tensor:
    return torch.randint(below, shape, generator=torch.Generator().manual_seed(2))


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[Any, ...]]] = {
    "mlp": (Mlp, (numbers(8, 12), numbers(8, 5))),
    "transformer": (Transformer, (whole_numbers(18, 8, 8), whole_numbers(18, 8, 8))),
    "convolutions": (Convolutions, (numbers(8, 3, 9, 9), whole_numbers(6, 8))),
    "typed": (Typed, (numbers(8, 6),)),
    "rows": (
        Rows,
        ({"ids": [whole_numbers(17, 16), whole_numbers(8, 16)], "x": numbers(16, 4), "y": numbers(16).gt(0).double()},),
    ),
}

ZOO: dict[str, Sizes] = {
    "mlp": MlpSizes(batch=8, features=12, width=20, classes=5),
    "transformer": TransformerSizes(batch=8, vocabulary=20, length=8, width=16, hidden=24, layers=1),
    "vit": VitSizes(batch=8, image=8, patch=2, width=16, hidden=24, layers=1, classes=6),
    "wide_resnet": WideResnetSizes(batch=8, image=8, base=4, classes=6),
    "lstm": LstmSizes(batch=8, vocabulary=20, length=4, width=8),
    "dlrm": DlrmSizes(batch=16, dense=6, tables=3, rows=20, width=8, hidden=12),
}


def plain(name: str) -> tuple[nn.Module, tuple[Any, ...]]:
    """A model of the table above, or of the zoo, in float64, always with the same parameters; and its inputs."""
    if name in MODELS:
        torch.manual_seed(0)
        return MODELS[name][0]().double(), MODELS[name][1]
    example = build(ZOO[name.removeprefix("zoo/")])
    return example.model.double(), tree_map(lambda x: x.double() if x.is_floating_point() else x, example.inputs)


@cache
def made(name: str) -> tuple[Captured, tuple[Any, ...]]:
    model, batch = plain(name)
    return capture(model, batch), batch


Result = tuple[list[Tensor], dict[str, Tensor], dict[str, Tensor]]  # outputs, gradients, buffers after


@cache
def expected(name: str) -> Result:
    model, batch = plain(name)
    out = model(*batch)
    outs = [out] if isinstance(out, Tensor) else list(out)
    outs[0].backward()
    grads = {key: p.grad for key, p in model.named_parameters(remove_duplicate=False) if p.grad is not None}
    return [x.detach() for x in outs], grads, dict(model.named_buffers())


def run(name: str, strategy: Strategy) -> tuple[Result, list[Audit]]:
    """One step on simulated ranks, put together."""
    captured, batch = made(name)
    graph = captured.graph
    whole = {**state(captured), **inputs(captured, batch)}

    def rank(ranks: Collectives) -> tuple[list[Tensor], dict[str, Tensor], Audit]:
        leaves = cut_leaves(graph, strategy, whole, ranks.place)
        outputs = Program(graph, strategy, ranks)(leaves)
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
    for all_to_all in (False, True):
        drawer, random = Drawer(made(name)[0].graph, mesh, all_to_all), Random(f"{name} {mesh}")
        for _ in range(DRAWS):
            assert_equals_one_device(name, drawer.draw(random))


@pytest.mark.parametrize("mesh", [(4,), (2, 2), (2, 4)], ids=str)
@pytest.mark.parametrize("name", ZOO)
def test_models_of_the_zoo_equal_one_device(name: str, mesh: MeshShape) -> None:
    assert_equals_one_device(f"zoo/{name}", Drawer(made(f"zoo/{name}")[0].graph, mesh).draw(Random(str(mesh))))


@pytest.mark.parametrize("name", ["vit", "wide_resnet"])
def test_what_is_computed_again_equals_one_device_by_the_collectives_planned(name: str) -> None:
    graph = made(f"zoo/{name}")[0].graph
    again = segments(graph)
    assert set(again) >= {"blocks.0"}
    for mesh in [(1,), (2, 2)]:
        drawn = Drawer(graph, mesh).draw(Random(1))
        chosen = strategy(graph, mesh, drawn.configs, recomputed=iter(again.values()))
        assert_equals_one_device(f"zoo/{name}", chosen)
        kept, lean = (rehearse(graph, one, Optimizer())[0] for one in (drawn, chosen))
        assert lean.saved < 0.8 * kept.saved


def test_what_writes_over_what_came_before_is_not_computed_again() -> None:
    graph = capture(Overwriting(), (numbers(3, 4),)).graph
    calls = [op.name for op in graph.of_kind("call")]
    assert [op.target for op in graph.of_kind("call")] == ["aten.exp.default", "aten.relu_.default", "aten.sum.default"]
    configs = {op.name: whole(graph, op, (1,)) for op in graph.ops}
    strategy(graph, (1,), configs, recomputed=[tuple(calls[:2])])
    with pytest.raises(CannotRecompute, match="relu_ writes what was computed before it"):
        strategy(graph, (1,), configs, recomputed=[tuple(calls[1:])])
    with pytest.raises(CannotRecompute, match="do not follow each other"):
        strategy(graph, (1,), configs, recomputed=[(calls[0], calls[2])])


class Overwriting(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu_(x.exp()).sum()


def assert_equals_one_device(name: str, strategy: Strategy) -> None:
    outs, grads, buffers = expected(name)
    result, audits = run(name, strategy)
    torch.testing.assert_close(result[0], outs, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(result[1], {key: grad for key, grad in grads.items() if key in result[1]})
    torch.testing.assert_close(result[2], buffers)
    planned = strategy.audit(made(name)[0].graph)
    assert audits[0] == planned
    assert all(_calls(audit) == _calls(planned) for audit in audits)
    assert all(_bytes(audit) <= _bytes(planned) for audit in audits)


def _calls(audit: Audit) -> Audit:
    """By kind and group: where a dimension is not divided evenly, later ranks have fewer bytes."""
    return Audit((kind, devices, 0) for kind, devices, _ in audit.elements())


def _bytes(audit: Audit) -> int:
    return sum(size * count for (_, _, size), count in audit.items())


class Dropped(nn.Module):
    """Dropout of values that lie in every way, and inside a recurrent layer."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.steps = nn.LSTM(8, 8, num_layers=2, dropout=0.5, batch_first=True)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        h = F.dropout(self.second(F.dropout(self.first(x), 0.5)), 0.25)
        return self.steps(h)[0].sum(), h


@pytest.mark.filterwarnings("ignore:The tensor attributes:UserWarning")
def test_every_strategy_drops_the_same() -> None:
    torch.manual_seed(0)
    model = Dropped().double()
    captured = capture(model, (numbers(8, 6, 8),))

    def outputs(strategy: Strategy, step: int) -> list[Tensor]:
        whole = {**state(captured), **inputs(captured, (numbers(8, 6, 8),))}

        def rank(ranks: Collectives) -> list[Tensor]:
            leaves = cut_leaves(captured.graph, strategy, whole, ranks.place)
            return [x.detach() for x in Program(captured.graph, strategy, ranks)(leaves, step)]

        return simulate(strategy.mesh, rank)[0]

    one = Drawer(captured.graph, (1,)).draw(Random(0))
    kept = outputs(one, 0)[1] != 0
    assert 0.65 < kept.double().mean() < 0.85
    assert not torch.equal(kept, outputs(one, 1)[1] != 0)
    for seed in range(6):
        torch.testing.assert_close(outputs(Drawer(captured.graph, (2, 2)).draw(Random(seed)), 0), outputs(one, 0))

"""Bytes alive: what is made is counted until nobody holds it, and what was there before is not."""

from __future__ import annotations

import torch

from tests.workers.compiler.cases import random_inputs
from tests.workers.compiler.graphs import random_graph
from tests.workers.compiler.layers import LAYERS
from workers.compiler.codegen.build import KernelCache
from workers.compiler.runtime import compile_program
from workers.compiler.runtime.live import LiveTensors, watched, watching
from workers.compiler.runtime.profile import profiled


def test_a_tensor_counts_until_its_last_view_is_gone() -> None:
    before, live = torch.ones(1000), LiveTensors()
    with watched(live, "forward"):
        made = before * 2
        assert live.bytes == 4000
        view = made[10:]
        del made
        assert live.bytes == 4000
        del view
        assert live.bytes == 0
        total = before.sum()
    assert [p.bytes for p in live.points] == [4000, 4]
    assert {p.part for p in live.points} == {"forward"}
    assert total == 1000


def test_views_of_what_was_there_before_are_not_counted() -> None:
    before, live = torch.ones(10, 10), LiveTensors()
    with watched(live, "forward"):
        turned = before.T
        inside = before.add_(1)
    assert (live.bytes, turned.shape, inside.shape) == (0, (10, 10), (10, 10))


def test_kernels_say_what_they_make_and_nothing_is_left_after_backward(kernels: KernelCache) -> None:
    where, live = random_graph(300, 2000), LiveTensors()
    inputs = random_inputs(LAYERS["gat"], where, dtype=torch.float32)
    compiled = compile_program(LAYERS["gat"], cache=kernels)
    with profiled() as profile, watched(live, "forward"):
        out = compiled(where, inputs, training=True)["out"]
    kept = live.bytes
    own = sum({t.value: t.bytes for t in profile.saved["gat"] if not t.leaf}.values())
    assert own <= kept <= own + out.nbytes
    with watched(live, "backward"):
        out.sum().backward()
    del out
    gradients = sum(x.grad.nbytes for x in inputs.values() if x.grad is not None)
    assert live.bytes == gradients
    steps = {(p.part, p.step) for p in live.points if p.program == "gat"}
    assert steps <= {(s.direction, s.step) for s in profile.steps.values()} | {p for p in steps if p[0] == "backward"}
    assert max(p.bytes for p in live.points) >= kept


def test_nothing_is_watched_outside() -> None:
    with watched(LiveTensors(), "forward"):
        assert watching() is not None
    assert watching() is None

"""Strategies trained on two processes over gloo: the losses of one device, by the collectives planned.

The oracle is the plain module under torch's own optimizers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from random import Random
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.workers.spreading.drawn import Drawer
from tests.workers.spreading.test_execution import MODELS, made, plain
from workers.spreading.capture.export import capture
from workers.spreading.configs.configurations import whole
from workers.spreading.configs.strategy import Strategy, strategy
from workers.spreading.execution.launcher import Emit, World
from workers.spreading.execution.leaves import WrongInputs
from workers.spreading.execution.local_launcher import LocalLauncher
from workers.spreading.execution.outcome import RankFailed
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.run import TooFewSteps, Trained, train
from workers.spreading.execution.training import Optimizer

STEPS = 4
OPTIMIZERS = {
    "mlp": Optimizer("momentum", 0.1, decay=0.01),
    "transformer": Optimizer("adam", 0.01),
    "convolutions": Optimizer("sgd", 0.1),
    "rows": Optimizer("adam", 0.01),
}


def one_device(name: str, batches: list[tuple[Any, ...]]) -> tuple[list[float], dict[str, Tensor]]:
    """Losses and what the model then is."""
    model = plain(name)[0]
    optimizer = OPTIMIZERS[name].of([p for p in model.parameters() if p.requires_grad])
    losses = []
    for step in range(STEPS):
        optimizer.zero_grad()
        out = model(*batches[step % len(batches)])
        loss = out if isinstance(out, Tensor) else out[0]
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.state_dict()


def strategies(name: str, seed: int) -> list[Strategy]:
    graph = made(name)[0].graph
    drawer, random = Drawer(graph, (2,)), Random(seed)
    everything = strategy(graph, (2,), {op.name: whole(graph, op, (2,)) for op in graph.ops})
    others = Drawer(graph, (1, 2), all_to_all=True)
    return [everything, drawer.draw(random), drawer.draw(random), others.draw(random)]


@pytest.mark.parametrize(("name", "turn"), [("mlp", None), ("transformer", 3), ("convolutions", None), ("rows", 3)])
def test_training_on_two_ranks_equals_one_device_by_the_collectives_planned(name: str, turn: int | None) -> None:
    batches = [MODELS[name][1], halved(MODELS[name][1])]
    losses, state = one_device(name, batches)
    heard: list[tuple[int, int, float]] = []
    chosen = strategies(name, 5)
    trained = train(
        made(name)[0],
        chosen,
        batches,
        OPTIMIZERS[name],
        launcher=LocalLauncher(threads=1),
        steps=STEPS,
        seconds=100,
        turn=turn,
        heard=lambda *event: heard.append(event),
    )
    for plan, one in zip(chosen, trained, strict=True):
        torch.testing.assert_close(one.losses, losses, rtol=1e-9, atol=1e-12)
        assert_as_rehearsed(name, plan, one)
        torch.testing.assert_close(one.state, state, rtol=1e-5, atol=1e-7)
        assert one.as_planned
        assert len(one.ranks) == 2
        assert all(len(rank.seconds) == STEPS - 2 for rank in one.ranks)
        assert all(0 <= a < s for rank in one.ranks for a, s in zip(rank.asked, rank.seconds, strict=True))
    assert sorted(heard) == [(i, step, loss) for i, one in enumerate(trained) for step, loss in enumerate(one.losses)]
    assert [i for i, _, _ in heard] == (
        [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 1, 2, 3] if turn else sorted([0, 1, 2, 3] * 4)
    )


def assert_as_rehearsed(name: str, plan: Strategy, one: Trained) -> None:
    """What autograd keeps is known to the byte; threads of gloo may hold messages a moment longer."""
    memory, audit = rehearse(made(name)[0].graph, plan, OPTIMIZERS[name])
    measured = one.ranks[0].memory
    assert audit == one.planned
    assert replace(measured, peak=0) == replace(memory, peak=0)
    messages = sum(size * count for (_, _, size), count in audit.items())
    assert 0.95 * memory.peak <= measured.peak <= 1.05 * memory.peak + messages


def halved(batch: Any) -> Any:
    """Another batch of the same sizes."""
    if isinstance(batch, dict):
        return {key: halved(x) for key, x in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(halved(x) for x in batch)
    return batch.flip(0) // 2 if batch.dtype == torch.int64 else batch.flip(0).mul(0.5).round(decimals=1)


def define_own() -> None:
    """An operator of one's own, with its derivative."""
    if not hasattr(torch.ops.asterism_test, "cubed"):
        own = torch.library.custom_op(
            "asterism_test::cubed", lambda x: x**3, mutates_args=(), schema="(Tensor x) -> Tensor"
        )
        own.register_fake(torch.empty_like)
        own.register_autograd(
            lambda ctx, grad: grad * 3 * ctx.saved_tensors[0] ** 2,
            setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
        )


class Own(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(6, 4)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = torch.ops.asterism_test.cubed(self.layer(x)).sum()
        return found


def test_an_operator_of_ones_own_runs_whole_on_ranks_that_define_it() -> None:
    define_own()
    torch.manual_seed(0)
    model, x = Own().double(), torch.randn(8, 6, dtype=torch.float64)
    captured = capture(model, (x,))
    optimizer = Optimizer("sgd", 0.001)
    chosen = Drawer(captured.graph, (2,)).draw(Random(1))
    (trained,) = train(
        captured, [chosen], [(x,)], optimizer, launcher=LocalLauncher(threads=1), steps=3, prepare=define_own
    )
    expected = []
    for _ in range(3):
        model.zero_grad()
        loss = model(x)
        loss.backward()
        expected.append(loss.item())
        optimizer.of(list(model.parameters())).step()
    torch.testing.assert_close(trained.losses, expected)
    assert trained.as_planned
    assert trained.planned


def test_a_batch_of_another_size_is_refused_before_anything_starts() -> None:
    x, y = MODELS["mlp"][1]
    launcher = LocalLauncher()
    with pytest.raises(WrongInputs, match=r"Input x is \(4, 12\) of float64, but was captured as \(8, 12\)"):
        train(made("mlp")[0], strategies("mlp", 0), [(x[:4], y[:4])], Optimizer(), launcher=launcher, steps=3)
    assert not launcher.pids


def test_too_few_steps_to_time_one_are_refused_before_anything_starts() -> None:
    launcher = LocalLauncher()
    with pytest.raises(TooFewSteps, match="first 5 steps are not timed, so 5 are too few"):
        train(
            made("mlp")[0],
            strategies("mlp", 0),
            [MODELS["mlp"][1]],
            Optimizer(),
            launcher=launcher,
            steps=5,
            warmup=5,
        )
    assert not launcher.pids


def fails(number: int, world: World, emit: Emit) -> None:
    if number == 1:
        raise ValueError("no luck")
    with world.joined() as collectives:
        collectives((world.size,))


def test_what_a_rank_raises_comes_back_and_none_is_left() -> None:
    launcher = LocalLauncher(threads=1)
    with pytest.raises(RankFailed, match="Rank 1 of 2 failed: ValueError: no luck"):
        launcher.run(fails, [0, 1], 60)
    assert not any(alive(pid) for pid in launcher.pids)


def dies(number: int, world: World, emit: Emit) -> Any:
    with world.joined() as collectives:
        ranks = collectives((world.size,))
        if number == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return ranks.all_reduce(torch.ones(3), 0)


def test_a_rank_that_is_killed_is_named_and_not_the_one_that_missed_it() -> None:
    launcher = LocalLauncher(threads=1)
    with pytest.raises(RankFailed, match="Rank 0 of 2 was killed by SIGKILL"):
        launcher.run(dies, [0, 1], 60)
    assert not any(alive(pid) for pid in launcher.pids)


def sleeps(number: int, world: World, emit: Emit) -> None:
    emit("here")
    time.sleep(60)


def test_ranks_that_take_too_long_are_ended() -> None:
    launcher = LocalLauncher(threads=1)
    with pytest.raises(RankFailed, match="Not done after 3 s: rank 0, 1"):
        launcher.run(sleeps, [0, 1], 3)
    assert not any(alive(pid) for pid in launcher.pids)


def test_ranks_end_with_the_process_that_started_them() -> None:
    code = """
        from tests.workers.spreading.test_execution_ranks import sleeps
        from workers.spreading.execution.local_launcher import LocalLauncher
        launcher = LocalLauncher(threads=1)
        launcher.run(sleeps, [1], 60, lambda rank, event: print(launcher.pids[0], flush=True))
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
    until = time.monotonic() + 20
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(pid)


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

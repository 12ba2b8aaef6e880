"""A strategy trained for real on processes of this host, beside one device, and what its plan said of it."""

from __future__ import annotations

import copy
import time
from math import prod
from statistics import median

import torch

from workers.core.channel import Channel
from workers.spreading.capture.export import Captured
from workers.spreading.configs.document import read
from workers.spreading.costs.memory import OptimizerName
from workers.spreading.execution.local_launcher import LocalLauncher
from workers.spreading.execution.memory import Memory
from workers.spreading.execution.run import train
from workers.spreading.execution.training import Optimizer
from workers.spreading.zoo.example import Example
from workers.systems.tensoropt.spec import Ran, RunTask

UNTIMED = 2  # steps that are not timed


def train_strategy(
    example: Example, captured: Captured, optimizer: OptimizerName, task: RunTask, channel: Channel
) -> Ran:
    """Train on one device, then on as many processes as the strategy has devices, a thread in each."""
    strategy = read(captured.graph, task.strategy)
    steps = Optimizer(optimizer, task.rate)
    alone, wanted = _one_device(example, steps, task.steps, channel)
    channel.log(f"one device: {alone * 1e3:.1f} ms a step; starting {prod(strategy.mesh)} processes")

    def heard(_: int, step: int, loss: float) -> None:
        channel.checkpoint()
        channel.metric(step, loss=loss, one_device_loss=wanted[step])
        channel.progress(task.steps + step + 1, 2 * task.steps, "steps")

    (done,) = train(
        captured, [strategy], [example.inputs], steps, launcher=LocalLauncher(threads=1), steps=task.steps, heard=heard
    )
    return Ran(
        plan=task.plan,
        mesh=strategy.mesh,
        predicted=task.predicted,
        step_s=done.step_seconds,
        asked_s=max(rank.asked_seconds for rank in done.ranks),
        one_device_s=alone,
        held_bytes=max(_held(rank.memory) for rank in done.ranks),
        peak_bytes=done.peak_bytes,
        losses=tuple(done.losses),
        loss_off=max(abs(a - b) / max(abs(b), 1e-12) for a, b in zip(done.losses, wanted, strict=True)),
        as_planned=done.as_planned,
    )


def _held(memory: Memory) -> int:
    """What a plan counts: all but what is there for a moment."""
    return memory.parameters + memory.gradients + memory.optimizer + memory.buffers + memory.inputs + memory.saved


def _one_device(example: Example, optimizer: Optimizer, steps: int, channel: Channel) -> tuple[float, list[float]]:
    """Median seconds of a step with one thread, and the loss before every step."""
    model = copy.deepcopy(example.model)  # what was captured shares its parameters
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    seconds, losses = [], []
    stepping = optimizer.of(list(model.parameters()))
    try:
        for step in range(steps):
            began = time.perf_counter()
            stepping.zero_grad()
            loss = model(*example.inputs)
            loss.backward()
            stepping.step()
            losses.append(loss.item())
            seconds.append(time.perf_counter() - began)
            channel.checkpoint()
            channel.progress(step + 1, 2 * steps, "steps")
    finally:
        torch.set_num_threads(threads)
    return median(seconds[UNTIMED:]), losses

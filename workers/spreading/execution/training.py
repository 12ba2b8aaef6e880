"""Steps of training on one rank: forward, backward, and the optimizer on the pieces that are here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

import torch
from torch import Tensor

from workers.core.errors import JobError
from workers.spreading.capture.graph import OpGraph
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Audit, Collectives
from workers.spreading.execution.memory import Memory, Meter, saved_bytes, storage_bytes
from workers.spreading.execution.program import Program

METERED = 1  # the step whose memory is counted: the optimizer has its state by then


class NoLoss(JobError):
    """What the model returns first is no number to minimise."""


@dataclass(frozen=True)
class Optimizer:
    """What is done with gradients, element by element, so that pieces can be stepped where they are."""

    name: Literal["sgd", "momentum", "adam"] = "sgd"
    rate: float = 0.01
    momentum: float = 0.9  # of `momentum`
    decay: float = 0.0  # of weights

    def of(self, parameters: list[Tensor]) -> torch.optim.Optimizer:
        if self.name == "adam":
            return torch.optim.Adam(parameters, self.rate, weight_decay=self.decay, foreach=False)
        momentum = self.momentum if self.name == "momentum" else 0.0
        return torch.optim.SGD(parameters, self.rate, momentum, weight_decay=self.decay, foreach=False)


@dataclass(frozen=True)
class Task:
    """What a rank trains: its pieces, and batches that are taken in turn, by leaf."""

    graph: OpGraph
    strategy: Strategy
    state: dict[str, Tensor]
    batches: list[dict[str, Tensor]]
    optimizer: Optimizer
    steps: int
    warmup: int = 2  # steps before those whose time counts
    seed: int = 0


@dataclass(frozen=True)
class RankReport:
    """What a rank saw."""

    losses: list[float]
    seconds: list[float]  # of every step behind the warm-up
    asked: list[float]  # of those, seconds in collectives: waiting for other ranks, and the way of the bytes
    memory: Memory
    audits: list[Audit]  # of every step
    state: dict[str, Tensor] = field(repr=False)  # the pieces, trained

    @property
    def step_seconds(self) -> float:
        return median(self.seconds)

    @property
    def asked_seconds(self) -> float:
        """Of a step, in collectives."""
        return median(self.asked)


def train_rank(
    task: Task, ranks: Collectives, device: str = "cpu", heard: Callable[[int, float], None] | None = None
) -> RankReport:
    """Train on this rank. `heard` gets every step with its loss. The first steps do not count in time, see `Task`."""
    training = Training(task, ranks, device, heard)
    training.advance(training.steps)
    return training.report()


class Training:
    """Training on this rank, some steps at a time."""

    def __init__(
        self,
        task: Task,
        ranks: Collectives,
        device: str = "cpu",
        heard: Callable[[int, float], None] | None = None,
    ) -> None:
        self.steps = task.steps
        self._counted = max(task.warmup, METERED + 1)
        self._ranks, self._heard = ranks, heard
        self._stepper = Stepper(task, ranks, device)
        self._losses: list[float] = []
        self._seconds: list[float] = []
        self._asked: list[float] = []
        self._audits: list[Audit] = []

    @property
    def done(self) -> bool:
        return len(self._losses) == self.steps

    def advance(self, steps: int) -> None:
        """So many steps more, as far as there are."""
        for step in range(len(self._losses), min(len(self._losses) + steps, self.steps)):
            self._ranks.log, self._ranks.seconds = Audit(), 0.0
            before = time.perf_counter()
            loss = self._stepper.step(step) if step != METERED else self._stepper.metered(step)
            self._losses.append(loss.item())
            if step >= self._counted:
                self._seconds.append(time.perf_counter() - before)
                self._asked.append(self._ranks.seconds)
            self._audits.append(self._ranks.log)
            if self._heard is not None:
                self._heard(step, self._losses[-1])

    def report(self) -> RankReport:
        assert self._stepper.memory is not None, "no step was metered"
        state = {name: tensor.detach().cpu() for name, tensor in self._stepper.state.items()}
        return RankReport(self._losses, self._seconds, self._asked, self._stepper.memory, self._audits, state)


class Stepper:
    """What a rank keeps between steps."""

    def __init__(self, task: Task, ranks: Collectives, device: str = "cpu") -> None:
        self.task = task
        self.program = Program(task.graph, task.strategy, ranks, task.seed, device)
        self.state = {name: _on(tensor, device) for name, tensor in task.state.items()}
        self.batches = [{name: _on(x, device) for name, x in batch.items()} for batch in task.batches]
        self.parameters = [tensor for tensor in self.state.values() if tensor.requires_grad]
        self.optimizer = task.optimizer.of(self.parameters)
        self.memory: Memory | None = None

    def step(self, step: int) -> Tensor:
        """One step; the loss before it."""
        return self._backward(self._forward(step))

    def _forward(self, step: int) -> Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.program({**self.state, **self._batch(step)}, step)[0]
        if loss.numel() != 1 or not loss.requires_grad:
            raise NoLoss(f"The model must return its loss first, one number; it returns {tuple(loss.shape)}.")
        return loss

    def _backward(self, loss: Tensor) -> Tensor:
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def _batch(self, step: int) -> Mapping[str, Tensor]:
        return self.batches[step % len(self.batches)]

    def metered(self, step: int) -> Tensor:
        """One step whose memory is counted, which takes its time."""
        self.optimizer.zero_grad(set_to_none=True)
        batch, held = self._batch(step).values(), list(self._optimizer_state())
        there = [*self.state.values(), *batch]
        with ExitStack() as on:
            meter = on.enter_context(Meter([*there, *held]))
            with saved_bytes(there) as kept:
                loss = self._forward(step)
            result = self._backward(loss)
        self.memory = Memory(
            parameters=storage_bytes(self._of("parameter")),
            gradients=storage_bytes(p.grad for p in self.parameters),
            optimizer=storage_bytes(held),
            buffers=storage_bytes([*self._of("buffer"), *self._of("constant")]),
            inputs=storage_bytes(batch),
            saved=sum(kept.values()),
            peak=meter.peak,
        )
        return result

    def _of(self, kind: str) -> list[Tensor]:
        return [x for name, x in self.state.items() if self.task.graph.by_name[name].kind == kind]

    def _optimizer_state(self) -> list[Tensor]:
        states = self.optimizer.state.values()
        return [x for state in states for x in state.values() if isinstance(x, Tensor)]


def _on(tensor: Tensor, device: str) -> Tensor:
    return tensor.detach().to(device).requires_grad_(tensor.requires_grad)

"""A strategy of a captured model trained for real, on ranks that a launcher starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from torch import Tensor

from workers.core.errors import JobError
from workers.spreading.capture.export import Captured
from workers.spreading.configs.strategy import Strategy
from workers.spreading.execution.collectives import Audit
from workers.spreading.execution.launcher import DEVICES, Emit, Launcher, World
from workers.spreading.execution.leaves import cut_leaves, inputs, state
from workers.spreading.execution.pieces import Place, joined, places
from workers.spreading.execution.training import METERED, Optimizer, RankReport, Task, Training, train_rank

Batch = Sequence[Any]  # positional inputs of the model
Heard = Callable[[int, int, float], None]  # of every step: which strategy, which step, the loss


class TooFewSteps(JobError):
    """No step would be left to tell the time of."""


@dataclass(frozen=True)
class Trained:
    """What training under a strategy gave, and what it took."""

    losses: list[float]  # before every step
    ranks: list[RankReport]
    planned: Audit  # of one step
    state: dict[str, Tensor]  # parameters and buffers by their path in the model, whole

    @property
    def step_seconds(self) -> float:
        """The slowest rank's median."""
        return max(rank.step_seconds for rank in self.ranks)

    @property
    def peak_bytes(self) -> int:
        """Of the rank that needed most."""
        return max(rank.memory.peak for rank in self.ranks)

    @property
    def as_planned(self) -> bool:
        """Whether every step made the collectives of the plan: the first rank by bytes, all by kind and group."""
        planned = _calls(self.planned)
        return all(audit == self.planned for audit in self.ranks[0].audits) and all(
            _calls(audit) == planned for rank in self.ranks for audit in rank.audits
        )


def _calls(audit: Audit) -> Audit:
    return Audit((kind, devices, 0) for kind, devices, _ in audit.elements())


def train(
    captured: Captured,
    strategies: Sequence[Strategy],
    batches: Sequence[Batch],
    optimizer: Optimizer,
    *,
    launcher: Launcher,
    steps: int,
    warmup: int = 2,
    seed: int = 0,
    seconds: float = 600.0,
    turn: int | None = None,
    prepare: Callable[[], object] | None = None,
    heard: Heard | None = None,
) -> list[Trained]:
    """Train under each strategy, each from the model as it was captured, for `steps` steps.

    One after the other; or by turns of `turn` steps, with all of them in memory, so that what else the machine does
    slows them alike and their times can be compared.

    Batches are taken in turn; each has the example's sizes, those of all ranks together. The strategies are of one
    number of ranks, which are started once and get only their pieces; each calls `prepare` first, which defines
    operators of one's own, if the model has such: they run whole on every rank. Raises RankFailed if one fails or
    time is up, WrongInputs for other sizes, TooFewSteps where none would be timed.
    """
    if steps <= (untimed := max(warmup, METERED + 1)):
        raise TooFewSteps(f"The first {untimed} steps are not timed, so {steps} are too few. Ask for more.")
    held, given = state(captured), [inputs(captured, batch) for batch in batches]

    def task(strategy: Strategy, place: Place) -> Task:
        mine = partial(cut_leaves, captured.graph, strategy, place=place)
        return Task(
            captured.graph, strategy, mine(held), [mine(batch) for batch in given], optimizer, steps, warmup, seed
        )

    by_strategy = [[task(strategy, place) for place in places(strategy.mesh)] for strategy in strategies]

    def told(rank: int, event: tuple[int, int, float]) -> None:
        if rank == 0 and heard is not None:
            heard(*event)

    parts = [_Part(tasks, turn, prepare) for tasks in zip(*by_strategy, strict=True)]
    reports = launcher.run(_run, parts, seconds, told)
    return [
        _trained(captured, one, list(ranks)) for one, ranks in zip(strategies, zip(*reports, strict=True), strict=True)
    ]


@dataclass(frozen=True)
class _Part:
    """What one rank does."""

    tasks: tuple[Task, ...]
    turn: int | None
    prepare: Callable[[], object] | None


def _run(part: _Part, world: World, emit: Emit) -> list[RankReport]:
    if part.prepare is not None:
        part.prepare()
    device = DEVICES[world.backend]
    with world.joined() as collectives:
        given = [
            (task, collectives(task.strategy.mesh), device, _teller(emit, number))
            for number, task in enumerate(part.tasks)
        ]
        if part.turn is None:
            return [train_rank(*one) for one in given]
        trainings = [Training(*one) for one in given]
        while not all(training.done for training in trainings):
            for training in trainings:
                training.advance(part.turn)
        return [training.report() for training in trainings]


def _teller(emit: Emit, number: int) -> Callable[[int, float], None]:
    return lambda step, loss: emit((number, step, loss))


def _trained(captured: Captured, strategy: Strategy, ranks: list[RankReport]) -> Trained:
    return Trained(ranks[0].losses, ranks, strategy.audit(captured.graph), _state(captured, strategy, ranks))


def _state(captured: Captured, strategy: Strategy, ranks: Sequence[RankReport]) -> dict[str, Tensor]:
    """Everything put together; a tensor that the model holds under several names comes under each."""
    found = {}
    for name in ranks[0].state:
        whole = joined([rank.state[name] for rank in ranks], strategy.configs[name].outputs[0], strategy.mesh)
        found[captured.graph.by_name[name].target] = whole
    held = captured.program.state_dict
    for path, tensor in held.items():
        same = next((p for p in found if p in held and held[p].data_ptr() == tensor.data_ptr()), None)
        if path not in found and same is not None:
            found[path] = found[same]
    return found

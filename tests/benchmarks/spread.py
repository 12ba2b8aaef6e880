"""Strategies known by name, trained on two processes over gloo: what they take, and whether it is what was foreseen."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import torch

from workers.spreading.capture.export import capture
from workers.spreading.configs.known import Use, known
from workers.spreading.configs.segments import segments
from workers.spreading.configs.strategy import Strategy, strategy
from workers.spreading.execution.local_launcher import LocalLauncher
from workers.spreading.execution.rehearsal import rehearse
from workers.spreading.execution.run import train
from workers.spreading.execution.training import Optimizer
from workers.spreading.zoo.example import Example
from workers.spreading.zoo.sizes import MlpSizes, Sizes, TransformerSizes, WideResnetSizes
from workers.spreading.zoo.table import build

SIZES: dict[str, Sizes] = {
    "mlp": MlpSizes(batch=256, features=512, width=1024, layers=4),
    "transformer": TransformerSizes(batch=8, length=128, width=256, hidden=1024, vocabulary=1024),
    "wide_resnet": WideResnetSizes(batch=16, image=32, base=16),
}
MESH = (2,)
USES: tuple[Use, ...] = ("data", "sharded", "tensor")
AGAIN = "data, blocks again"  # data parallel with its blocks computed again in the backward
OPTIMIZER = Optimizer("momentum", 0.001)
TURN = 5  # steps of a strategy before the next one's turn
TOLERANCE = 1e-5  # of losses against one device, float32
HEAD = f"{'model':13}{'strategy':20}{'ms':>6}{'asked':>7}{'alone':>12}{'MiB':>8}{'foreseen':>10}{'loss off':>10}  audit"


@dataclass(frozen=True)
class Row:
    """One strategy: times of a step, the most memory of a rank, and the largest relative difference of a loss."""

    model: str
    strategy: str
    step_seconds: float
    asked_seconds: float  # of a step in collectives, waiting for the other rank included
    one_device_seconds: float
    peak_bytes: int
    foreseen_bytes: int
    loss_off: float
    as_planned: bool  # every step made the collectives of the plan: kind, group, bytes

    @property
    def correct(self) -> bool:
        return self.as_planned and self.loss_off <= TOLERANCE


def line(row: Row) -> str:
    times = f"{row.step_seconds * 1e3:6.0f}{row.asked_seconds * 1e3:7.0f}{row.one_device_seconds * 1e3:12.0f}"
    memory = f"{row.peak_bytes / 2**20:8.2f}{row.foreseen_bytes / 2**20:10.2f}"
    verdict = "exact" if row.as_planned else "DIFFERS"
    return f"{row.model:13}{row.strategy:20}{times}{memory}{row.loss_off:10.1e}  {verdict}"


def measure(models: tuple[str, ...], steps: int) -> Iterator[Row]:
    """Strategies of a model take turns, a thread a rank; one device has a thread too and runs before them."""
    for name in models:
        example = build(SIZES[name])
        captured = capture(example.model, example.inputs)
        graph = captured.graph
        chosen: dict[str, Strategy] = {use: known(graph, MESH, (use,)) for use in USES}
        chosen[AGAIN] = strategy(graph, MESH, chosen["data"].configs, recomputed=tuple(segments(graph).values()))
        alone, losses = _one_device(example, steps)
        launcher = LocalLauncher(threads=1)
        trained = train(
            captured,
            list(chosen.values()),
            [example.inputs],
            OPTIMIZER,
            launcher=launcher,
            steps=steps,
            turn=TURN,
        )
        for (title, plan), one in zip(chosen.items(), trained, strict=True):
            off = max(abs(a - b) / abs(b) for a, b in zip(one.losses, losses, strict=True))
            asked = max(rank.asked_seconds for rank in one.ranks)
            foreseen = rehearse(graph, plan, OPTIMIZER)[0].peak
            yield Row(name, title, one.step_seconds, asked, alone, one.peak_bytes, foreseen, off, one.as_planned)


def _one_device(example: Example, steps: int) -> tuple[float, list[float]]:
    """Median seconds of a step behind two, and the losses."""
    model = copy.deepcopy(example.model)  # what was captured shares its parameters
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    optimizer = OPTIMIZER.of(list(model.parameters()))
    seconds, losses = [], []
    for _ in range(steps):
        before = time.perf_counter()
        optimizer.zero_grad()
        loss = model(*example.inputs)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        seconds.append(time.perf_counter() - before)
    torch.set_num_threads(threads)
    return median(seconds[2:]), losses

"""What every pass of the compiler is worth: each off by itself, all off, and more or less memory, one process each.

`python -m tests.benchmarks passes`. Whatever is off, logits and gradients of the first step must be those of all passes
on; differences are shares of the largest number, in float32.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.gnn import OURS, TOLERANCE, environment
from workers.compiler.choices import Memory
from workers.compiler.passes.pipeline import SWITCHES

MODELS = ("gat", "gcn", "gatv2", "appnp")
TIMEOUT_S = 900


@dataclass(frozen=True)
class Setting:
    """A row of the table: passes left out, and what may be kept for the backward pass."""

    name: str
    off: tuple[str, ...] = ()
    memory: Memory = "balanced"


SETTINGS = (
    Setting("all passes on"),
    *(Setting(f"{name} off", (name,)) for name in SWITCHES),
    Setting("all passes off", SWITCHES),
    Setting("memory = min", memory="min"),
    Setting("memory = speed", memory="speed"),
)


@dataclass(frozen=True)
class Row:
    """One model under one setting; figures are medians of the rounds. Launches and kept bytes are of one epoch."""

    model: str
    workload: str
    setting: str
    epoch_ms: float
    extra_mb: float
    launches: int
    kept_mb: float
    logits: float
    gradients: float

    @property
    def same(self) -> bool:
        return max(self.logits, self.gradients) <= TOLERANCE


def compare(models: Sequence[str], workload: str, rounds: int, epochs: int) -> Iterator[Row]:
    """All settings of a model in turn, as often as there are rounds."""
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            runs: dict[Setting, list[dict[str, Any]]] = {s: [] for s in SETTINGS}
            for _ in range(rounds):
                for k, (setting, found) in enumerate(runs.items()):
                    found.append(measure(setting, model, workload, epochs, Path(folder) / f"{model}-{k}.npz"))
            expected = _numbers(runs[SETTINGS[0]][0]["numbers"])
            for setting, found in runs.items():
                yield _row(model, workload, setting, found, expected)


def measure(setting: Setting, model: str, workload: str, epochs: int, numbers: Path) -> dict[str, Any]:
    """One measurement in a process of its own; the first step's logits and gradients go to `numbers`."""
    request = {"model": model, "workload": workload, "epochs": epochs, "numbers": str(numbers), **asdict(setting)}
    command = [sys.executable, "-m", "tests.benchmarks.measure_passes", json.dumps(request)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_S, env=environment(OURS), check=False
    )
    if done.returncode:
        raise RuntimeError(f"{model} with {setting.name} failed:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found | {"numbers": numbers}


def _row(model: str, workload: str, setting: Setting, found: list[dict[str, Any]], expected: dict[str, Any]) -> Row:
    def median(key: str) -> float:
        return round(statistics.median(float(f[key]) for f in found), 2)

    got = _numbers(found[-1]["numbers"])
    apart = {name: float(np.abs(got[name] - x).max() / np.abs(x).max()) for name, x in expected.items()}
    return Row(
        model,
        workload,
        setting.name,
        epoch_ms=median("epoch_ms"),
        extra_mb=median("extra_mb"),
        launches=int(median("launches")),
        kept_mb=median("kept_mb"),
        logits=apart["logits"],
        gradients=apart["gradients"],
    )


def _numbers(path: Path) -> dict[str, Any]:
    with np.load(path) as found:
        return dict(found)


HEAD = (
    f"{'model':7}{'setting':32}{'epoch ms':>10}{'ratio':>7}{'extra MB':>10}{'launches':>10}{'kept MB':>9}"
    f"{'logits':>10}{'gradients':>11}"
)


def line(row: Row, first: Row) -> str:
    """A row of the table under `HEAD`; the ratio is to all passes on."""
    return (
        f"{row.model:7}{row.setting:32}{row.epoch_ms:10.1f}{row.epoch_ms / first.epoch_ms:7.2f}{row.extra_mb:10.0f}"
        f"{row.launches:10}{row.kept_mb:9.1f}{row.logits:10.1e}{row.gradients:11.1e}"
    )

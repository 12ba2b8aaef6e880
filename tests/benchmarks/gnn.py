"""Epoch time and extra memory against DGL and PyG: fresh processes, alternating, reported as ratios of medians."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from tests.benchmarks.peers import PEERS
from workers.core.numerics import told

OURS = "asterism"
MODELS = ("gat", "gatv2", "appnp", "edgegate", "gcn", "sage", "gin")
LIBRARIES = ("torch", "dgl", "torch-geometric", "numpy")
THREADS = 2
TOLERANCE = 1e-3  # of the largest logit; float32 through two layers of long sums stays far below
LEAST_MB = 0.1  # the kernel counts memory in pages


@dataclass(frozen=True)
class Figures:
    """Medians over the rounds of one system."""

    epoch_ms: float
    extra_mb: float
    first_ms: float


@dataclass(frozen=True)
class Comparison:
    """One model on one graph. `error`: largest difference of our logits from the reference's, relative."""

    model: str
    workload: str
    figures: dict[str, Figures]
    error: float

    @property
    def correct(self) -> bool:
        return self.error <= TOLERANCE

    def time_ratio(self, peer: str) -> float:
        return self.figures[peer].epoch_ms / self.figures[OURS].epoch_ms

    def memory_ratio(self, peer: str) -> float:
        return self.figures[peer].extra_mb / max(self.figures[OURS].extra_mb, LEAST_MB)

    @property
    def peers(self) -> list[str]:
        return [name for name in self.figures if name != OURS]

    def record(self) -> dict[str, Any]:
        """What one line of `--json` holds; a ratio above 1 says that the peer takes that many times what we take."""
        return {
            "model": self.model,
            "workload": self.workload,
            **{name: asdict(f) for name, f in self.figures.items()},
            "time_ratio": {p: round(self.time_ratio(p), 2) for p in self.peers},
            "memory_ratio": {p: round(self.memory_ratio(p), 2) for p in self.peers},
            "error": self.error,
            "correct": self.correct,
        }


def compare(
    models: tuple[str, ...], workloads: tuple[str, ...], peers: tuple[str, ...], rounds: int, epochs: int
) -> Iterator[Comparison]:
    """A B C A B C ...: every round runs all systems, so that drift of the machine hits all alike."""
    unknown = [p for p in peers if p not in PEERS]
    if unknown:
        raise SystemExit(f"no peer called {', '.join(unknown)}; there are {', '.join(PEERS)}")
    for workload in workloads:
        for model in models:
            runs: dict[str, list[dict[str, Any]]] = {s: [] for s in (OURS, *peers)}
            for _ in range(rounds):
                for system, found in runs.items():
                    found.append(measure(system, model, workload, epochs))
            error = max(float(f["error"]) for f in runs[OURS])
            yield Comparison(model, workload, {s: _medians(found) for s, found in runs.items()}, error)


def measure(system: str, model: str, workload: str, epochs: int) -> dict[str, Any]:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.measure", system, model, workload, "--epochs", str(epochs)]
    env = environment(system)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=env, check=False)
    if done.returncode:
        raise RuntimeError(f"{system} {model} {workload} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def environment(system: str) -> dict[str, str]:
    """Asterism runs as a job with the machine to itself, a peer as its users run it, without our choice of waiting."""
    kept = {name: value for name, value in os.environ.copy().items() if name not in told(1)}
    own = told(1) if system == OURS else {"DGLBACKEND": "pytorch"}
    return kept | {"OMP_NUM_THREADS": str(THREADS)} | own


def _medians(found: list[dict[str, Any]]) -> Figures:
    epoch, extra, first = (
        round(statistics.median(float(f[key]) for f in found), 2) for key in ("epoch_ms", "extra_mb", "first_ms")
    )
    return Figures(epoch, extra, first)


HEAD = f"{'model':10}{'graph':13}{'system':13}{'epoch ms':>10}{'ratio':>8}{'extra MB':>10}{'ratio':>8}{'first ms':>10}"


def lines(c: Comparison) -> list[str]:
    """The rows of one comparison in the table under `HEAD`."""
    rows = []
    for system, f in c.figures.items():
        time, memory = (
            ("1", "1") if system == OURS else (f"{c.time_ratio(system):.2f}", f"{c.memory_ratio(system):.2f}")
        )
        rows.append(
            f"{c.model:10}{c.workload:13}{system:13}{f.epoch_ms:10.1f}{time:>8}{f.extra_mb:10.0f}{memory:>8}{f.first_ms:10.0f}"
        )
    return [*rows, f"{'':23}{'right' if c.correct else 'WRONG'}: logits differ by {c.error:.1e} of the largest"]


def machine() -> str:
    """The machine and the versions a table was measured with."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    processors = f"{os.cpu_count()} CPUs ({THREADS} threads), {platform.machine()}"
    return f"{processors}, Python {platform.python_version()}, {libraries}"

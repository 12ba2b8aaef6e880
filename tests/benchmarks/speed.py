"""Epoch time and extra memory against DGL and PyG: fresh processes, alternating, reported as ratios of medians."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from workers.spares import WAITING

SYSTEMS = ("asterism", "dgl", "pyg", "pyg-compile")
MODELS = ("gat", "appnp")
LIBRARIES = ("torch", "dgl", "torch-geometric", "numpy")


@dataclass(frozen=True)
class Row:
    """Medians over the repeats of one system on one model and graph."""

    model: str
    workload: str
    system: str
    epoch_ms: float
    first_ms: float
    extra_mb: float
    error: float | None


def measure(system: str, model: str, workload: str, epochs: int) -> dict[str, Any]:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.measure", system, model, workload, "--epochs", str(epochs)]
    env = _environment(system)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=env, check=False)
    if done.returncode:
        raise RuntimeError(f"{system} {model} {workload} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _environment(system: str) -> dict[str, str]:
    """Asterism runs as its jobs do; a peer as its users would run it, without our choice of how threads wait."""
    kept = {name: value for name, value in os.environ.copy().items() if name not in WAITING}
    return kept | (WAITING if system == "asterism" else {"DGLBACKEND": "pytorch"})


def compare(models: tuple[str, ...], workload: str, systems: tuple[str, ...], repeats: int, epochs: int) -> list[Row]:
    """A B C A B C ...: every repeat runs all systems, so that drift of the machine hits all alike."""
    rows = []
    for model in models:
        runs: dict[str, list[dict[str, Any]]] = {s: [] for s in systems}
        for _ in range(repeats):
            for system in systems:
                runs[system].append(measure(system, model, workload, epochs))
        rows += [_row(model, workload, s, found) for s, found in runs.items()]
    return rows


def _row(model: str, workload: str, system: str, found: list[dict[str, Any]]) -> Row:
    def median(key: str) -> float:
        return statistics.median(float(f[key]) for f in found)

    error = max(float(f["error"]) for f in found) if "error" in found[0] else None
    return Row(model, workload, system, median("epoch_ms"), median("first_ms"), median("extra_mb"), error)


def table(rows: list[Row]) -> str:
    """Text table; a ratio above 1 means the peer takes that many times what Asterism takes."""
    lines = [
        machine(),
        f"{'model':8}{'graph':14}{'system':14}{'epoch ms':>10}{'ratio':>8}{'extra MB':>10}{'ratio':>8}{'first ms':>10}",
    ]
    ours = {(r.model, r.workload): r for r in rows if r.system == "asterism"}
    for r in rows:
        base = ours.get((r.model, r.workload), r)
        times, memory = r.epoch_ms / base.epoch_ms, r.extra_mb / max(base.extra_mb, 0.1)
        lines.append(
            f"{r.model:8}{r.workload:14}{r.system:14}{r.epoch_ms:10.1f}{times:8.2f}{r.extra_mb:10.0f}{memory:8.2f}{r.first_ms:10.0f}"
        )
    lines += [
        f"{r.model}: largest difference of logits from the reference {r.error:.1e}" for r in rows if r.error is not None
    ]
    return "\n".join(lines)


def machine() -> str:
    """The machine and the versions a table was measured with."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"{os.cpu_count()} CPUs, {platform.machine()}, Python {platform.python_version()}, {libraries}"

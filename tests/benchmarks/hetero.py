"""Graphs of several relations: epoch time and extra memory against DGL and PyG, alternating, in fresh processes.

Workloads and peers are scripts of a folder (`--bench`, or ASTERISM_BENCH): `workloads.py` with HETEROGENEOUS, graphs by
name, and `peers_hetero.py SYSTEM MODEL WORKLOAD --epochs N`, which prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.gnn import OURS, Comparison, Figures, environment

MODELS = ("rgcn", "rgat", "hgt")
PEERS = ("dgl", "pyg", "pyg-stitched")
WORKLOADS = ("aifb-like", "bgs-like", "wide-140", "few-relations")
ONLY = {"pyg-stitched": "rgcn"}  # what PyG has as one layer over the stitched graph


def folder(given: str | None) -> Path:
    """Where the peers are. Raises SystemExit where nobody says."""
    found = given or os.environ.get("ASTERISM_BENCH")
    if not found:
        raise SystemExit("say where workloads.py and peers_hetero.py are: --bench FOLDER, or ASTERISM_BENCH")
    return Path(found).resolve()


def compare(
    bench: Path, models: tuple[str, ...], workloads: tuple[str, ...], peers: tuple[str, ...], rounds: int, epochs: int
) -> Iterator[Comparison]:
    for workload in workloads:
        for model in models:
            systems = [OURS, *(p for p in peers if ONLY.get(p, model) == model)]
            runs: dict[str, list[dict[str, Any]]] = {s: [] for s in systems}
            for _ in range(rounds):
                for system, found in runs.items():
                    found.append(measure(bench, system, model, workload, epochs))
            error = max(float(f["error"]) for f in runs[OURS])
            yield Comparison(model, workload, {s: _medians(found) for s, found in runs.items()}, error)


def measure(bench: Path, system: str, model: str, workload: str, epochs: int) -> dict[str, Any]:
    """One measurement in a process of its own."""
    own = ["-m", "tests.benchmarks.measure_hetero", "--bench", str(bench), model]
    peer = [str(bench / "peers_hetero.py"), system, model]
    command = [sys.executable, *(own if system == OURS else peer), workload, "--epochs", str(epochs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment(system), check=False)
    if done.returncode:
        raise RuntimeError(f"{system} {model} {workload} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _medians(found: list[dict[str, Any]]) -> Figures:
    epoch, extra, first = (
        round(statistics.median(float(f.get(key, 0)) for f in found), 2) for key in ("epoch_ms", "extra_mb", "first_ms")
    )
    return Figures(epoch, extra, first)

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
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.gnn import OURS, Comparison, Figures, environment

MODELS = ("rgcn", "rgat", "hgt")
PEERS = ("dgl", "pyg", "pyg-stitched")
WORKLOADS = ("aifb-like", "bgs-like", "wide-140", "few-relations")
ONLY = {"pyg-stitched": "rgcn"}  # what PyG has as one layer over the stitched graph
FASTEST = "fastest"
FASTEST_PEER = {  # by one run of each, beside other work; where two were close, both
    "aifb-like": {"rgcn": ("pyg",), "rgat": ("pyg", "dgl"), "hgt": ("dgl",)},
    "bgs-like": {"rgcn": ("dgl",), "rgat": ("pyg", "dgl"), "hgt": ("dgl",)},
    "wide-140": {"rgcn": ("pyg", "dgl"), "rgat": ("pyg",), "hgt": ("pyg", "dgl")},
    "few-relations": {"rgcn": ("dgl",), "rgat": ("pyg", "dgl"), "hgt": ("pyg",)},
}
SLOW_MS, SLOW_EPOCHS = 2000, 1  # of a peer's epoch in its first round, and the epochs that it is given after that


def folder(given: str | None) -> Path:
    """Where the peers are. Raises SystemExit where nobody says."""
    found = given or os.environ.get("ASTERISM_BENCH")
    if not found:
        raise SystemExit("say where workloads.py and peers_hetero.py are: --bench FOLDER, or ASTERISM_BENCH")
    return Path(found).resolve()


def compare(
    bench: Path,
    models: tuple[str, ...],
    workloads: tuple[str, ...],
    peers: tuple[str, ...],
    rounds: int,
    epochs: int,
    seconds: float,
    memory: str = "balanced",
    whole: bool = False,
) -> Iterator[Comparison]:
    """A model on a graph takes no further round once it took `seconds`; `FASTEST` stands for FASTEST_PEER."""
    for workload in workloads:
        for model in models:
            chosen = FASTEST_PEER[workload][model] if peers == (FASTEST,) else peers
            systems = [OURS, *(p for p in chosen if ONLY.get(p, model) == model)]
            runs: dict[str, list[dict[str, Any]]] = {s: [] for s in systems}
            started = time.monotonic()
            while len(runs[OURS]) < rounds and (not runs[OURS] or time.monotonic() - started < seconds):
                for system, found in runs.items():
                    slow = found and found[-1]["epoch_ms"] > SLOW_MS
                    found.append(
                        measure(bench, system, model, workload, SLOW_EPOCHS if slow else epochs, memory, whole)
                    )
            error = max(float(f["error"]) for f in runs[OURS])
            sys.stderr.write(f"{model} {workload}: {len(runs[OURS])} rounds\n")
            yield Comparison(model, workload, {s: _medians(found) for s, found in runs.items()}, error)


def measure(
    bench: Path, system: str, model: str, workload: str, epochs: int, memory: str, whole: bool
) -> dict[str, Any]:
    """One measurement in a process of its own."""
    asked = ["--memory", memory, *["--whole"][:whole], model]
    own = ["-m", "tests.benchmarks.measure_hetero", "--bench", str(bench), *asked]
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

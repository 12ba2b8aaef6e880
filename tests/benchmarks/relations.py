"""Epochs with 10 to 1,000 relations over the same number of vertices and edges: time and launches must hardly change.

Graphs are made by `schema` of the folder's `workloads.py`. More relations mean more receivers and senders, which is
work that there is: they are shown beside the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional

from tests.benchmarks.measure import timed_epochs
from tests.benchmarks.measure_hetero import Net, stitched, workloads
from workers.compiler.runtime.profile import profiled

MODELS = ("rgcn", "rgat", "hgt")
RELATIONS = (10, 100, 1000)
VERTICES, EDGES = 50_000, 500_000


@dataclass(frozen=True)
class Row:
    """One model with so many relations; `ratio` is its epoch over that with the fewest."""

    model: str
    relations: int
    senders: int
    receivers: int
    epoch_ms: float
    launches: int
    ratio: float


def measure(bench: Path, model: str, epochs: int) -> Iterator[Row]:
    schema, first = workloads(bench).schema, 0.0
    for relations in RELATIONS:
        torch.manual_seed(0)
        w = schema(VERTICES, EDGES, relations)
        graph, y = stitched(w), torch.from_numpy(w.y)
        net = Net(model, w, graph)
        epoch = timed_epochs(net, None, y, epochs)["epoch_ms"]
        with profiled() as profile:
            functional.cross_entropy(net(), y).backward()
        first = first or epoch
        launches = sum(s.calls for s in profile.steps.values())
        yield Row(model, relations, *graph.counts, epoch, launches, round(epoch / first, 2))


def line(row: Row) -> str:
    return (
        f"{row.model:6}{row.relations:6} relations{row.senders:9} senders{row.receivers:9} receivers"
        f"{row.epoch_ms:9.1f} ms{row.launches:5} launches{row.ratio:7.2f}"
    )

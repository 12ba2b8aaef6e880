"""Asterism's side of `hetero`: one model, one graph, in this process; prints one JSON line.

Learned embeddings, two layers of width 32 (4 heads where there are heads) with relu between, class scores on one type.
As in a job, layers see only what those scores depend on; `--whole` has them see the whole graph.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tests.benchmarks.measure import timed_epochs
from workers.compiler.choices import Memory
from workers.compiler.codegen import reference
from workers.compiler.passes.save_or_recompute import WEIGHTS
from workers.compiler.runtime.stitched import StitchedIndex
from workers.zoo.picked_rows import picked
from workers.zoo.reach import Level, program_scope
from workers.zoo.read_rows import read_rows
from workers.zoo.relation_layer import RelationLayer, read

WIDTH, HEADS = 32, 4
SIZES: dict[str, dict[str, Any]] = {
    "rgcn": {"in": WIDTH, "out": WIDTH, "root": False, "bias": False},
    "rgat": {"in": WIDTH, "out": WIDTH // HEADS, "heads": HEADS},
    "hgt": {"out": WIDTH // HEADS, "heads": HEADS},
}


def stitched(w: Any) -> StitchedIndex:
    """One graph of global ids from counts by type and edges [2, E] by (source type, name, target type)."""
    type_ptr = np.cumsum([0, *w.counts.values()])
    start = dict(zip(w.counts, type_ptr.tolist(), strict=False))
    ends = [v + np.array([[start[a]], [start[b]]]) for (a, _, b), v in w.edges.items()]
    src, dst = np.concatenate(ends, 1)
    return StitchedIndex(type_ptr, src, dst, np.cumsum([0, *(v.shape[1] for v in w.edges.values())]))


class Net(nn.Module):
    """Scores [rows of the target type, classes]."""

    def __init__(
        self, model: str, w: Any, graph: StitchedIndex, memory: Memory = "balanced", whole: bool = False
    ) -> None:
        super().__init__()
        kind = list(w.counts).index(w.target)
        self.graph, self.rows = graph, slice(*graph.type_ptr[kind : kind + 2].tolist())
        self.embed = nn.Parameter(torch.randn(graph.n_dst, WIDTH) * 0.1)
        program = read(model, SIZES[model])
        walked = Level("graph" if whole else program_scope(program), None)
        asked = np.arange(graph.n_dst)[self.rows]
        self.hops = read_rows(graph, [Level(), walked, walked], asked).hops
        steps = [np.arange(graph.n_dst), *(hop.vertices for hop in self.hops), asked]
        self.taken = [None if len(a) == len(b) else torch.from_numpy(np.searchsorted(a, b)) for a, b in pairwise(steps)]
        self.layers = nn.ModuleList(RelationLayer(program, graph, seed=k, memory=memory) for k in (0, 1))
        self.head = nn.Linear(WIDTH, w.classes)

    def forward(self, _: object = None) -> Tensor:
        given, between, asked = self.taken
        h = self.layers[0](self.hops[0].index, _rows(self.embed, given))
        h = self.layers[1](self.hops[1].index, torch.relu(_rows(h, between)))
        scores: Tensor = self.head(_rows(h, asked))
        return scores

    @torch.no_grad()
    def by_reference(self) -> Tensor:
        """The same in float64 by the reference interpreter, from the same weights."""
        h = self.embed.double()
        for k, layer in enumerate(self.layers):
            assert isinstance(layer, RelationLayer)
            given = {"h": h, **{n: p.double() for n, p in layer.named_parameters()}}
            h = reference.run(layer.compiled.program, given, self.graph)["out"]
            h = torch.relu(h) if k == 0 else h
        scores: Tensor = h[self.rows] @ self.head.weight.double().T + self.head.bias.double()
        return scores


def _rows(h: Tensor, rows: Tensor | None) -> Tensor:
    return h if rows is None else picked(h, rows)


def workload(bench: Path, name: str) -> Any:
    return workloads(bench).HETEROGENEOUS[name]()


def workloads(bench: Path) -> Any:
    """The module of that name in the folder."""
    spec = importlib.util.spec_from_file_location("workloads", bench / "workloads.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["workloads"] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=list(SIZES))
    parser.add_argument("workload")
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--memory", choices=list(WEIGHTS), default="balanced", help="what the backward pass may keep")
    parser.add_argument("--whole", action="store_true", help="every layer sees the whole graph")
    parser.add_argument(
        "--one-pass", action="store_true", help="Adam in one pass, as jobs run it; peers' is the plain one"
    )
    args = parser.parse_args()
    torch.manual_seed(0)
    w = workload(args.bench, args.workload)
    net = Net(args.model, w, stitched(w), args.memory, args.whole)
    figures = timed_epochs(net, None, torch.from_numpy(w.y), args.epochs, one_pass=args.one_pass)
    exact = net.by_reference()
    error = float((net().detach() - exact).abs().max() / exact.abs().max())
    walked = [hop.index.edges for hop in net.hops]
    line = {"system": "asterism", "threads": torch.get_num_threads(), **figures, "error": error, "edges": walked}
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()

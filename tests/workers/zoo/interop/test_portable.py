"""Trained models as files that need nothing but torch."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.workers.compiler.cases import CASES as OP_CASES
from tests.workers.compiler.cases import program, random_inputs
from tests.workers.compiler.graphs import Graph, random_graph
from workers.compiler.codegen import reference
from workers.compiler.ir import Program
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc
from workers.zoo.graphs import Graphs
from workers.zoo.interop.portable import portable
from workers.zoo.module import ModelModule
from workers.zoo.templates import TEMPLATES, Block, chain

WIDTH = 5
Case = tuple[list[tuple[int, int]], int]
CASES: dict[str, Case] = {
    "as traced": ([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (4, 4), (0, 1)], 5),
    "larger": ([(k % 11, k * 7 % 11) for k in range(40)], 11),
    "one arc": ([(0, 1)], 3),
    "no arcs": ([], 2),
}


def info(graphs: int = 1, edge_features: int = 0) -> DatasetInfo:
    return DatasetInfo(
        id="ds_test", name="test", task="graph_classification" if graphs > 1 else "node_classification", vertices=20,
        arcs=40, features=WIDTH, feature_nonzero_ratio=1, edge_features=edge_features, classes=("a", "b", "c"),
        graphs=graphs, train=1, val=1, test=1, directed=True, source="test", bytes=0,
    )  # fmt: skip


def trained(doc: ModelDoc, about: DatasetInfo, dtype: torch.dtype = torch.float32) -> ModelModule:
    """Weights and running figures that are not the start values."""
    module = ModelModule(doc, about, dtype=dtype, seed=1)
    for value in module.state_dict().values():
        value.add_(torch.rand(value.shape, generator=torch.Generator().manual_seed(len(value.shape))))
    return module.eval()


def on(edges: list[tuple[int, int]], n: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor, Graphs]:
    x = torch.rand(n, WIDTH, generator=torch.Generator().manual_seed(n), dtype=dtype)
    edge_index = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).T.contiguous()
    src, dst = edge_index.numpy()
    return x, edge_index, Graphs(src, dst, n, GraphIndex.square, dtype)


VERTEX_TEMPLATES = [n for n, t in TEMPLATES.items() if t.kind == "seastar" and t.task["type"] != "graph_classification"]


@pytest.mark.parametrize("template", VERTEX_TEMPLATES)
def test_every_template_gives_the_same_scores_on_any_graph(template: str) -> None:
    module = trained(TEMPLATES[template].doc, info(), torch.float64)
    loaded = torch.export.load(io.BytesIO(portable(module, info()))).module()
    for edges, n in CASES.values():
        x, edge_index, graphs = on(edges, n, torch.float64)
        with torch.no_grad():
            torch.testing.assert_close(loaded(x, edge_index), module(x, graphs))


def test_whole_graphs_are_told_from_their_vertices() -> None:
    about = info(graphs=4)
    module = trained(TEMPLATES["gin-graphs"].doc, about)
    loaded = torch.export.load(io.BytesIO(portable(module, about))).module()
    for sizes in ([2, 2, 1], [4, 0, 7, 3], [5]):
        n, graph_of = sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
        x, edge_index, _ = on([(k, (k + 1) % n) for k in range(n)], n)
        src, dst = edge_index.numpy()
        graphs = Graphs(src, dst, n, GraphIndex.square, torch.float32, graph_of=graph_of, graphs=len(sizes))
        with torch.no_grad():
            found = loaded(x, edge_index, graph_of=torch.from_numpy(graph_of))
            torch.testing.assert_close(found, module(x, graphs), rtol=1e-4, atol=1e-4)


def test_edge_features_are_an_argument() -> None:
    about = info(edge_features=2)
    blocks: list[Block] = [("input", "input", {}), ("layer", "edgegate", {"out_features": 0}), ("output", "output", {})]
    module = trained(chain(blocks), about)
    loaded = torch.export.load(io.BytesIO(portable(module, about))).module()
    x, edge_index, graphs = on(*CASES["larger"])
    edge_x = torch.rand(edge_index.shape[1], 2)
    with torch.no_grad():
        torch.testing.assert_close(loaded(x, edge_index, edge_x=edge_x), module(x, graphs, edge_x))


class OneOp(nn.Module):
    """A small program on the edges that are no loops, whose number is not known before."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program

    def forward(self, x: dict[str, Tensor], edge_index: Tensor, n: Tensor) -> list[Tensor]:
        kept = edge_index[0] != edge_index[1]
        src, dst = edge_index[0][kept], edge_index[1][kept]
        domains = {name: v.type.domain for name, v in self.program.leaves("input").items()}
        given = {name: value[kept] if domains.get(name) == "edge" else value for name, value in x.items()}
        return list(reference.run(self.program, given, reference.Bipartite(src, dst, n.shape[0], n.shape[0])).values())


@pytest.mark.parametrize("op", OP_CASES)
def test_every_op_can_be_exported(op: str) -> None:
    """So that no program of a user ends a job that has trained."""
    module, where = OneOp(program(op)), random_graph(9, 30)

    def given(where: Graph) -> tuple[dict[str, Tensor], Tensor, Tensor]:
        inputs = {n: x.detach() for n, x in random_inputs(program(op), where).items()}
        return inputs, torch.from_numpy(np.stack([where.src, where.dst])), torch.zeros(where.n_dst)

    vertices, arcs = torch.export.Dim("vertices"), torch.export.Dim("arcs")
    rows = {"edge": {0: arcs}, "param": {}}
    leaves = program(op).leaves("input") | program(op).leaves("param")
    sizes = {n: rows.get(leaves[n].type.domain, {0: vertices}) for n in given(where)[0]}
    loaded = torch.export.export(module, given(where), dynamic_shapes=(sizes, {1: arcs}, {0: vertices})).module()
    for other in (where, random_graph(13, 40, 1)):
        for found, expected in zip(loaded(*given(other)), module(*given(other)), strict=True):
            torch.testing.assert_close(found, expected)


ELSEWHERE = """
import sys
sys.modules["workers"] = None  # importing it, or anything in it, raises
import torch
given = torch.load("given.pt", weights_only=True)
model = torch.export.load("model.pt2").module()
with torch.no_grad():
    scores = model(given["x"], given["edge_index"])
torch.testing.assert_close(scores, given["scores"])
assert not [name for name in sys.modules if name.startswith("workers.")]
"""


def test_a_process_without_the_compiler_runs_it(tmp_path: Path) -> None:
    module = trained(TEMPLATES["gat"].doc, info())
    (tmp_path / "model.pt2").write_bytes(portable(module, info()))
    x, edge_index, graphs = on(*CASES["larger"])
    with torch.no_grad():
        torch.save({"x": x, "edge_index": edge_index, "scores": module(x, graphs)}, tmp_path / "given.pt")
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_module_itself_stays_as_it_was() -> None:
    module = trained(TEMPLATES["gcn"].doc, info())
    module.train()
    before = {name: x.clone() for name, x in module.state_dict().items()}
    portable(module, info())
    assert module.training
    assert all(torch.equal(x, before[name]) for name, x in module.state_dict().items())

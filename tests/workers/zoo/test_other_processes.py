"""Models in other processes: sent to DataLoader workers, and saved whole."""

from __future__ import annotations

import io

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from tests.workers.zoo.documents import dataset_for
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import SparseRows
from workers.zoo.graphs import Features, Graphs
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures
from workers.zoo.templates import TEMPLATES

SRC, DST = np.array([(0, 1), (1, 0), (2, 1), (3, 1), (1, 3), (4, 0), (0, 4), (2, 4)], np.int64).T
N, WIDTH = 5, 6


def module(template: str, *, sparse: bool = False) -> ModelModule:
    found = TEMPLATES[template]
    info = dataset_for(found.task["type"], vertices=N, features=WIDTH, classes=("a", "b", "c"))
    return ModelModule(found.doc, info, seed=1, sparse=sparse)


def features(*, sparse: bool = False) -> Features:
    x = np.random.default_rng(0).standard_normal((N, WIDTH)).astype(np.float32)
    if not sparse:
        return torch.from_numpy(x)
    columns = np.tile(np.arange(WIDTH, dtype=np.int32), N)
    rows = SparseRows(np.arange(0, x.size + 1, WIDTH), columns, x.ravel(), WIDTH)
    return SparseFeatures.of(rows, torch.float32)


def graphs() -> Graphs:
    return Graphs(SRC, DST, N, GraphIndex.square, torch.float32)


class Answers(Dataset[Tensor]):
    """Numbers and gradients of models on one graph, in training, so that dropout is in them."""

    def __init__(self) -> None:
        self.graphs = graphs()
        kinds = (("gat", False), ("gcn", True))
        self.models = [(module(name, sparse=sparse), features(sparse=sparse)) for name, sparse in kinds]

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, k: int) -> Tensor:
        model, x = self.models[k]
        return answer(model, self.graphs, x)


def answer(model: ModelModule, where: Graphs, x: Features) -> Tensor:
    torch.manual_seed(2)
    scores = model.train()(x, where, seed=3)
    found = torch.autograd.grad(scores.square().sum(), list(model.parameters()))
    return torch.cat([scores.detach().flatten(), *(g.flatten() for g in found)])


def test_a_fresh_process_that_is_sent_a_model_computes_the_same() -> None:
    """Numbers and gradients; `spawn` shares nothing but what was pickled."""
    answers = Answers()
    expected = [answers[k] for k in range(len(answers))]
    loader = DataLoader(answers, batch_size=None, num_workers=1, multiprocessing_context="spawn", timeout=120)
    for found, wanted in zip(loader, expected, strict=True):
        assert torch.equal(found, wanted)


def test_a_model_is_saved_whole_with_its_weights_and_mode() -> None:
    model, file = module("gat").eval(), io.BytesIO()
    with torch.no_grad():
        next(model.parameters()).fill_(0.5)
    torch.save(model, file)
    file.seek(0)
    found = torch.load(file, weights_only=False)
    assert not found.training
    assert all(map(torch.equal, found.state_dict().values(), model.state_dict().values()))
    assert all(layer is found._modules[name] for name, layer in found.layers.items())
    assert torch.equal(*(answer(m, graphs(), features()) for m in (found, model)))

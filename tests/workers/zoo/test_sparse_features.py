"""Features kept as entries give what the dense matrix gives, in every layer, forward and backward."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.workers.zoo.documents import dataset, dataset_for
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import SparseRows
from workers.datasets.sparse import from_dense
from workers.zoo import feature_form
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures, entries_product, product
from workers.zoo.templates import TEMPLATES, Block, chain

N, F, CLASSES = 9, 7, 3
SRC = np.array([0, 1, 1, 2, 3, 3, 5, 6, 7, 7])
DST = np.array([1, 1, 0, 4, 4, 4, 2, 5, 7, 0])


def matrix(seed: int = 0, n: int = N, columns: int = F, full: float = 0.3) -> SparseRows:
    """Rows without entries, columns without entries, entries that are 0 no more than in any other matrix."""
    rng = np.random.default_rng(seed)
    x = np.where(rng.random((n, columns)) < full, rng.standard_normal((n, columns)), 0).astype(np.float32)
    x[[2, n - 1]] = 0
    x[:, [0, columns - 1]] = 0
    return from_dense(x)


AWKWARD = {
    "some": matrix(),
    "no entries": from_dense(np.zeros((N, F), np.float32)),
    "one entry": SparseRows(np.array([0, 1] + [1] * (N - 1)), np.array([3], np.int32), np.array([-2], np.float32), F),
    "full": from_dense(np.ones((N, F), np.float32)),
    "no rows": SparseRows(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32), F),
}


@pytest.mark.parametrize("rows", AWKWARD.values(), ids=AWKWARD)
@pytest.mark.parametrize("width", [1, 3, 17])
def test_a_product_and_its_gradient_are_those_of_the_dense_matrix(rows: SparseRows, width: int) -> None:
    x = SparseFeatures.of(rows, torch.float64)
    weight = torch.randn(F, width, dtype=torch.float64, requires_grad=True)
    seed = torch.randn(len(x), width, dtype=torch.float64)
    found = product(x, weight, entries_product("layer", width, torch.float64))
    expected = x.dense() @ weight
    torch.testing.assert_close(found, expected)
    (ours,), (theirs,) = (torch.autograd.grad(y, weight, seed) for y in (found, expected))
    torch.testing.assert_close(ours, theirs)


def test_rows_are_taken_in_the_order_asked_for_repeats_and_empty_ones_too() -> None:
    x = SparseFeatures.of(matrix(), torch.float64)
    ids = torch.tensor([5, 2, 0, 5, 8])
    assert torch.equal(x.rows(ids).dense(), x.dense()[ids])
    assert x.rows(torch.zeros(0, dtype=torch.int64)).shape == (0, F)


def test_dropout_zeroes_entries_scales_the_rest_and_repeats_by_seed() -> None:
    x = SparseFeatures.of(matrix(n=200, columns=50), torch.float64)
    dropped = x.dropout(0.4, training=True, seed=3)
    kept = dropped.values != 0
    assert torch.equal(dropped.values[kept], (x.values / (1 - 0.4))[kept])
    assert abs(float(kept.double().mean()) - 0.6) < 0.05
    assert torch.equal(dropped.values, x.dropout(0.4, training=True, seed=3).values)
    assert not torch.equal(dropped.values, x.dropout(0.4, training=True, seed=4).values)
    assert x.dropout(0.4, training=False, seed=3) is x


FIRST: dict[str, tuple[Block, ...]] = {
    "linear": (("first", "linear", {"out_features": 5}),),
    "gcn": (("first", "gcn", {"out_features": 5}),),
    "gat": (("first", "gat", {"out_features": 4, "heads": 2, "attention_dropout": 0.0}),),
    "sage": (("first", "sage", {"out_features": 5}),),
    "gin": (("first", "gin", {"out_features": 5}),),
    "dropout that drops nothing": (("drop", "dropout", {"p": 0.0}), ("first", "gcn", {"out_features": 5})),
    "features themselves": (("first", "appnp", {"edge_dropout": 0.0}),),
    "a bend": (("first", "activation", {"function": "tanh"}),),
    "a norm": (("first", "layer_norm", {}),),
}


def _graphs() -> Graphs:
    return Graphs(SRC, DST, N, GraphIndex.square, torch.float64)


def _gradients(module: ModelModule, x: Tensor | SparseFeatures) -> tuple[Tensor, dict[str, Tensor]]:
    module.train()
    logits = module(x, _graphs(), seed=1)
    logits.square().sum().backward()
    return logits, {name: p.grad for name, p in module.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("name", FIRST)
def test_a_model_gives_the_same_numbers_and_gradients_in_both_forms(name: str) -> None:
    last: Block = ("last", "linear", {"out_features": 0})
    model = chain((("input", "input", {}), *FIRST[name], last, ("output", "output", {})))
    info = dataset(vertices=N, arcs=len(SRC), features=F, edge_features=0, classes=("a", "b", "c"))
    x = SparseFeatures.of(matrix(), torch.float64)
    sparse, plain = (ModelModule(model, info, dtype=torch.float64, sparse=s, seed=2) for s in (True, False))
    (logits, ours), (expected, theirs) = _gradients(sparse, x), _gradients(plain, x.dense())
    torch.testing.assert_close(logits, expected)
    assert ours.keys() == theirs.keys()
    for parameter, g in theirs.items():
        torch.testing.assert_close(ours[parameter], g)


@pytest.mark.parametrize("name", [n for n, t in TEMPLATES.items() if t.kind == "seastar"])
def test_a_template_has_the_same_weights_in_both_forms(name: str) -> None:
    info = dataset_for(TEMPLATES[name].task["type"], vertices=N, features=F, classes=("a", "b", "c"))
    sparse, plain = (ModelModule(TEMPLATES[name].doc, info, sparse=s, seed=2).state_dict() for s in (True, False))
    assert sparse.keys() == plain.keys()
    assert all(torch.equal(sparse[k], plain[k]) for k in plain)


def test_the_form_is_the_quicker_one() -> None:
    x, cost = feature_form.features(matrix(n=400, columns=300, full=0.02), torch.float32)
    assert cost is not None
    assert isinstance(x, SparseFeatures) == (cost.entries_s < cost.dense_s)


def test_an_empty_matrix_leaves_no_choice() -> None:
    x, cost = feature_form.features(AWKWARD["no entries"], torch.float32)
    assert cost is None
    assert isinstance(x, Tensor)


def test_costs_are_measured_once_and_again_when_what_was_kept_is_torn(tmp_path: Path) -> None:
    x = SparseFeatures.of(matrix(n=60, columns=40, full=0.05), torch.float32)
    cost = feature_form.kept_cost(x, tmp_path)
    (kept,) = tmp_path.iterdir()
    assert feature_form.kept_cost(x, tmp_path) == cost
    kept.write_text('{"entries_s": 1')
    assert feature_form.kept_cost(x, tmp_path).dense_s > 0
    assert list(tmp_path.iterdir()) == [kept]


def test_the_form_is_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    x = SparseFeatures.of(matrix(n=60, columns=40, full=0.05), torch.float32)
    before = torch.get_num_threads()
    found = []
    for threads in (2, 1, 4):
        torch.set_num_threads(threads)
        found.append(feature_form.kept_cost(x, tmp_path))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    assert found == found[:1] * 3


def test_of_several_answers_measured_at_once_the_first_is_kept_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = SparseFeatures.of(matrix(n=60, columns=40, full=0.05), torch.float32)
    first = feature_form.Cost(1.0, 2.0)

    def slower(x: SparseFeatures) -> feature_form.Cost:
        monkeypatch.setattr(feature_form, "measured", lambda x: first)
        assert feature_form.kept_cost(x, tmp_path) == first  # another process is done meanwhile
        return feature_form.Cost(2.0, 1.0)

    monkeypatch.setattr(feature_form, "measured", slower)
    assert feature_form.kept_cost(x, tmp_path) == first
    assert len(list(tmp_path.iterdir())) == 1

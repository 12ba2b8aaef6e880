"""Graphs side by side against the same graphs one by one, and the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from workers.core.dataset import GraphData
from workers.core.errors import JobError
from workers.datasets import generators
from workers.systems.seastar.graph_set import GraphSet
from workers.systems.seastar.tasks.graph import folds


def _mixed() -> GraphData:
    """Motif graphs whose vertices lie about in any order, with an empty graph in the middle."""
    data = generators.motifs(graphs=30, seed=1)
    assert data.graph_of is not None
    assert data.graph_y is not None
    assert isinstance(data.x, np.ndarray)
    order = np.random.default_rng(0).permutation(data.n)
    place = np.argsort(order)
    graph_of = data.graph_of[order]
    return replace(
        data,
        src=place[data.src],
        dst=place[data.dst],
        x=data.x[order],
        graph_of=graph_of + (graph_of >= 10),
        graph_y=np.insert(data.graph_y, 10, 0),
        edge_x=np.arange(len(data.src), dtype=np.float32)[:, None],
    )


def test_a_batch_is_its_graphs_one_after_the_other() -> None:
    data = _mixed()
    graphs = GraphSet(data, torch.float64, sparse=False)
    ids = np.array([4, 10, 0, 4])
    batch = graphs.batch(ids)
    ones = [graphs.batch(np.array([i])) for i in ids]
    sizes = [one.graphs.n for one in ones]
    assert sizes[1] == 0
    assert batch.graphs.graphs == 4
    np.testing.assert_array_equal(batch.graphs.graph_of, np.repeat(np.arange(4), sizes))
    assert isinstance(batch.x, torch.Tensor)
    assert torch.equal(batch.x, torch.cat([one.x for one in ones if isinstance(one.x, torch.Tensor)]))
    offset = np.cumsum(sizes) - sizes
    for end in ("src", "dst"):
        want = np.concatenate([getattr(one.graphs, end) + o for one, o in zip(ones, offset, strict=True)])
        np.testing.assert_array_equal(getattr(batch.graphs, end), want)


def test_a_graph_has_its_own_arcs_and_their_features() -> None:
    data = _mixed()
    assert data.graph_of is not None
    graphs = GraphSet(data, torch.float64, sparse=False)
    for number in (0, 17, 30):
        batch = graphs.batch(np.array([number]))
        members = np.flatnonzero(data.graph_of == number)
        arcs = np.flatnonzero(data.graph_of[data.dst] == number)
        got = sorted(zip(members[batch.graphs.src].tolist(), members[batch.graphs.dst].tolist(), strict=True))
        assert got == sorted(zip(data.src[arcs].tolist(), data.dst[arcs].tolist(), strict=True))
        assert batch.edge_x is not None
        np.testing.assert_array_equal(batch.edge_x[:, 0].numpy(), arcs)


def test_folds_test_every_graph_once_and_have_classes_in_proportion() -> None:
    y = np.array([0] * 40 + [1] * 23)
    parts = folds(y, 10, seed=0)
    tests = np.concatenate([p.test.numpy() for p in parts])
    np.testing.assert_array_equal(np.sort(tests), np.arange(63))
    for k, part in enumerate(parts):
        everyone = np.concatenate([ids.numpy() for ids in part.splits().values()])
        np.testing.assert_array_equal(np.sort(everyone), np.arange(63))
        np.testing.assert_array_equal(part.val.numpy(), parts[(k + 1) % 10].test.numpy())
        assert 4 <= (y[part.test.numpy()] == 0).sum() <= 4
        assert 2 <= (y[part.test.numpy()] == 1).sum() <= 3


def test_fewer_graphs_than_folds_are_refused() -> None:
    with pytest.raises(JobError, match="too few for 10 folds"):
        folds(np.array([0, 1, 0, -1]), 10, seed=0)

"""Datasets that are there at once."""

from __future__ import annotations

import numpy as np
import pytest

from workers.core.errors import WrongGraph
from workers.core.hetero import Relation
from workers.datasets import bundled, generators, hetero_generators
from workers.datasets.documents import examine, summarise
from workers.datasets.sparse import to_dense


@pytest.mark.parametrize("name", bundled.CATALOG)
def test_every_bundled_dataset_is_sound_and_the_same_each_time(name: str) -> None:
    first, again = bundled.load_any(name), bundled.load_any(name)
    examine(first)
    assert first.name == name
    assert summarise(first).sha256 == summarise(again).sha256


@pytest.mark.parametrize("name", [name for name in bundled.CATALOG if name != "library"])
def test_those_of_one_type_list_both_directions(name: str) -> None:
    data = bundled.load(name)
    assert summarise(data).undirected_edges == len(data.src) // 2


def test_neither_kind_of_bundled_dataset_is_taken_for_the_other() -> None:
    with pytest.raises(WrongGraph, match="'library' is heterogeneous"):
        bundled.load("library")
    with pytest.raises(WrongGraph, match="'karate' is of one type"):
        bundled.load_hetero("karate")


def test_the_library_joins_its_types_both_ways_and_its_areas_can_be_told() -> None:
    data = bundled.load_hetero("library")
    assert [(t, data.count(t)) for t in data.node_types] == [
        ("paper", 900), ("author", 500), ("venue", 16), ("field", 40),
    ]  # fmt: skip
    assert len(data.inverse) == 4
    assert data.y is not None
    assert data.train is not None
    assert np.bincount(data.y[data.train]).tolist() == [20] * 4
    about = data.edges_of(data.relations.index(Relation("paper", "is about", "field")))
    field = np.bincount(data.dst[about] * 4 + data.y[data.src[about]], minlength=4 * data.n).reshape(-1, 4)
    assert (field.max(axis=1).sum() / field.sum()) > 0.7


def test_a_schema_of_any_size_is_made_as_large_as_asked() -> None:
    data = hetero_generators.relations(types=70, relations=140, vertices=1000, edges=5000)
    assert (len(data.node_types), len(data.relations), data.n, data.edges) == (70, 140, 1000, 5000)
    assert len(set(np.diff(data.rel_ptr).tolist())) <= 2
    again = hetero_generators.relations(types=70, relations=140, vertices=1000, edges=5000)
    assert summarise(data).sha256 == summarise(again).sha256


def test_karate_has_its_known_size_and_clubs() -> None:
    karate = bundled.load("karate")
    assert (karate.n, len(karate.src)) == (34, 2 * 78)
    assert karate.classes == ("Mr. Hi", "Officer")
    assert karate.y is not None
    assert (karate.y[0], karate.y[33]) == (0, 1)


def test_digits_is_scikit_learns_and_its_neighbours_are_the_nearest() -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    expected = datasets.load_digits()
    digits = bundled.load("digits")
    assert isinstance(digits.x, np.ndarray)
    assert digits.y is not None
    assert np.array_equal(digits.x, (expected.data / 16).astype(np.float32))
    assert np.array_equal(digits.y, expected.target)
    distances = ((expected.data - expected.data[17]) ** 2).sum(axis=1)
    distances[17] = np.inf
    nearest = np.argsort(distances, kind="stable")[:8]
    assert set(nearest) <= set(digits.src[digits.dst == 17])


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(KeyError, match="karate"):
        bundled.load("karat")


def test_the_same_seed_gives_the_same_graph_and_another_seed_another() -> None:
    one, same, other = (summarise(generators.preset("cora-like", seed)).sha256 for seed in (3, 3, 4))
    assert one == same != other


def test_cora_like_is_as_large_and_as_homophilous_as_cora() -> None:
    summary = summarise(bundled.load("cora-like"))
    assert (summary.vertices, len(summary.classes), summary.train, summary.val, summary.test) == (
        2708,
        7,
        140,
        500,
        1000,
    )
    assert summary.isolated == 0
    assert summary.homophily == pytest.approx(0.81, abs=0.03)
    assert summary.features is not None
    assert summary.features.nonzero_ratio == pytest.approx(0.0127, abs=0.002)
    assert all(c.train == 20 for c in summary.classes)


def test_a_smooth_guess_on_cora_like_is_neither_chance_nor_perfect() -> None:
    """Class means of features averaged over two hops: what a trained network must beat, and no more than it can."""
    data = bundled.load("cora-like")
    assert data.y is not None
    assert data.train is not None
    assert data.test is not None
    assert data.x is not None
    h = to_dense(data.x).astype(np.float64)
    degree = np.bincount(data.dst, minlength=data.n) + 1
    for _ in range(2):
        summed = h.copy()
        np.add.at(summed, data.dst, h[data.src])
        h = summed / degree[:, None]
    means = np.stack([h[data.train][data.y[data.train] == c].mean(axis=0) for c in range(7)])
    unit = means / np.linalg.norm(means, axis=1, keepdims=True)
    accuracy = ((h[data.test] @ unit.T).argmax(axis=1) == data.y[data.test]).mean()
    assert 0.55 < accuracy < 0.9


@pytest.mark.parametrize("directed", [False, True])
def test_power_law_degrees_have_a_heavy_tail(directed: bool) -> None:
    data = generators.power_law(n=2000, edges=20_000, directed=directed, seed=1)
    summary = summarise(data)
    assert (summary.undirected_edges is None) == directed
    assert summary.in_degrees.max > 20 * summary.in_degrees.median


def test_generators_take_the_smallest_arguments() -> None:
    for data in (
        generators.sbm(n=2, classes=2, features=1, mean_degree=0.1, val=0, test=0),
        generators.power_law(n=2, edges=0),
    ):
        examine(data)

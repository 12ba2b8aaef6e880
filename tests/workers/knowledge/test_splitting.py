"""What is hidden stays hidden: triples of a knowledge graph, their backward copies, and messages."""

from __future__ import annotations

import numpy as np
import pytest

from workers.core.errors import JobError
from workers.core.hetero import PARTS, HeteroData, Relation
from workers.core.hetero_check import check
from workers.core.stitch import stitch
from workers.knowledge.splitting import said, split

LIKES, TAGS = Relation("person", "likes", "film"), Relation("film", "tagged", "word")
EMPTY, BACK = Relation("word", "never", "word"), Relation("film", "inverse of likes", "person")


def data(*, parts: bool) -> HeteroData:
    random = np.random.default_rng(0)
    likes = np.unique(random.integers(0, [[30], [20]], (2, 90)), axis=1)
    tags = np.unique(random.integers(0, [[20], [8]], (2, 40)), axis=1)
    none = np.zeros(0, np.int64)
    edges = {LIKES: tuple(likes), EMPTY: (none, none), TAGS: tuple(tags), BACK: tuple(likes[::-1])}
    first, second = random.integers(0, 3, likes.shape[1]), random.integers(0, 3, tags.shape[1])
    more = {"edge_part": np.concatenate([first, second, first]).astype(np.uint8)} if parts else {}
    weight = {TAGS: random.random((tags.shape[1], 2)).astype(np.float32)}
    counts = {"person": 30, "film": 20, "word": 8}
    return stitch(counts, edges, inverse={0: 3}, edge_features=weight, **more)  # type: ignore[arg-type]


def pairs(graph: HeteroData, r: int) -> set[tuple[int, int]]:
    at = graph.edges_of(r)
    return set(zip(graph.src[at].tolist(), graph.dst[at].tolist(), strict=True))


@pytest.mark.parametrize("parts", [True, False])
def test_no_hidden_triple_passes_messages_not_even_backwards(parts: bool) -> None:
    graph = data(parts=parts)
    found = split(graph, 0.1, 0.2, seed=4)
    check(found.messages)
    hidden = [found.parts["valid"], found.parts["test"]]
    for triples in hidden:
        for h, r, t in zip(triples.head.tolist(), triples.relation.tolist(), triples.tail.tolist(), strict=True):
            assert (h, t) not in pairs(found.messages, found.asked[r])
            if found.asked[r] == 0:
                assert (t, h) not in pairs(found.messages, 3)
    assert len(found.parts["train"]) == len(pairs(found.messages, 0)) + len(pairs(found.messages, 2))
    assert sum(map(len, found.parts.values())) == len(pairs(graph, 0)) + len(pairs(graph, 2))


def test_the_parts_are_the_datasets_own_where_it_has_some() -> None:
    graph = data(parts=True)
    assert graph.edge_part is not None
    found = split(graph, 0.5, 0.4, seed=0)
    for k, name in enumerate(PARTS):
        at = graph.edges_of(0)
        mine = graph.src[at][graph.edge_part[at] == k]
        triples = found.parts[name]
        assert sorted(triples.head[triples.relation == 0].tolist()) == sorted(mine.tolist())


def test_shares_are_of_all_triples_and_a_seed_draws_the_same() -> None:
    graph = data(parts=False)
    first, again, other = (split(graph, 0.1, 0.2, seed=s).parts for s in (1, 1, 2))
    total = sum(map(len, first.values()))
    assert (len(first["valid"]), len(first["test"])) == (round(0.1 * total), round(0.2 * total))
    assert np.array_equal(first["test"].head, again["test"].head)
    assert not np.array_equal(first["test"].head, other["test"].head)


def test_relations_added_backwards_are_no_questions() -> None:
    graph = data(parts=False)
    assert said(graph) == (0, 1, 2)
    graph.inverse[3] = 0
    assert said(graph) == (0, 1, 2)


def test_answers_are_among_the_entities_of_their_type() -> None:
    found = split(data(parts=True), 0.1, 0.1, seed=0)
    types = {"person": [0, 30], "film": [30, 50], "word": [50, 58]}
    tails, heads = ("film", "word", "word"), ("person", "word", "film")
    assert found.bounds.tolist() == [types[t] for t in (*tails, *heads)]


def test_features_of_edges_stay_with_them() -> None:
    graph = data(parts=True)
    assert graph.edge_part is not None
    found = split(graph, 0.1, 0.1, seed=0).messages
    mine = graph.edge_features[TAGS][graph.edge_part[graph.edges_of(2)] == 0]
    assert np.array_equal(found.edge_features[TAGS], mine)


def test_too_few_triples_are_refused() -> None:
    graph = data(parts=False)
    with pytest.raises(JobError, match="has no valid triple"):
        split(graph, 0.001, 0.2, seed=0)

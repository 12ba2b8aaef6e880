"""Scores of links against scikit-learn and counting one by one, ties among them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from workers.systems.seastar import ranking


def _scores(seed: int, coarse: bool) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    edges, others = random.normal(0.5, 1, 60), random.normal(0, 1, 45)
    return (edges.round(1), others.round(1)) if coarse else (edges, others)


@pytest.mark.parametrize("coarse", [False, True], ids=["distinct", "ties"])
@pytest.mark.parametrize("seed", range(5))
def test_areas_are_those_of_scikit_learn(seed: int, coarse: bool) -> None:
    edges, others = _scores(seed, coarse)
    truth, scores = np.repeat([1, 0], [len(edges), len(others)]), np.concatenate([edges, others])
    assert ranking.auc(edges, others) == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    want = average_precision_score(truth, scores)
    assert ranking.average_precision(edges, others) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("coarse", [False, True], ids=["distinct", "ties"])
def test_ranks_and_hits_are_those_of_counting(coarse: bool) -> None:
    edges, others = _scores(9, coarse)
    ranks = [1 + sum(o > e for o in others) + sum(o == e for o in others) / 2 for e in edges]
    assert ranking.mean_reciprocal_rank(edges, others) == pytest.approx(np.mean([1 / r for r in ranks]))
    for k in (1, 3, 45):
        bar = sorted(others, reverse=True)[k - 1]
        assert ranking.hits(edges, others, k) == pytest.approx(np.mean([e > bar for e in edges]))
    assert ranking.hits(edges, others, 46) == 1.0


def test_scores_that_are_all_equal_tell_nothing() -> None:
    same = np.ones(10)
    assert ranking.auc(same, same) == 0.5
    assert ranking.hits(same, same, 1) == 0.0
    assert ranking.average_precision(same, same) == 0.5

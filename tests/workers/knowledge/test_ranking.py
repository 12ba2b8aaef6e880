"""Filtered ranks against brute force in NumPy, a triple at a time."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from workers.knowledge import losses
from workers.knowledge.questions import Known, Triples
from workers.knowledge.ranking import Ranked, Score, ranked

N, R = 17, 4
Rows = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def graph(count: int = 80, seed: int = 0) -> Triples:
    random = np.random.default_rng(seed)
    return Triples(random.integers(0, N, count), random.integers(0, R, count), random.integers(0, N, count), R)


def table(seed: int = 0, levels: int = 5) -> Rows:
    """Scores of every question and entity, many of them equal."""
    return np.random.default_rng(seed).integers(0, levels, (2 * R, N, N)).astype(np.float64)


def scorer(scores: Rows) -> Score:
    kept = torch.from_numpy(scores)

    def score(entity: Tensor, asked: Tensor) -> Tensor:
        return kept[asked, entity].clone()

    return score


def by_hand(scores: Rows, asked_about: Triples, all_known: Triples, bounds: Rows | None) -> list[float]:
    truth = set(zip(all_known.head.tolist(), all_known.relation.tolist(), all_known.tail.tolist(), strict=True))
    triples = list(
        zip(asked_about.head.tolist(), asked_about.relation.tolist(), asked_about.tail.tolist(), strict=True)
    )
    found = []
    for heads in (False, True):
        for h, r, t in triples:
            asked, entity, answer = (r + R, t, h) if heads else (r, h, t)
            low, high = (0, N) if bounds is None else bounds[asked].astype(int)
            others = [
                scores[asked, entity, e]
                for e in range(low, high)
                if e != answer and ((e, r, t) if heads else (h, r, e)) not in truth
            ]
            mine = scores[asked, entity, answer]
            best = 1 + sum(s > mine for s in others)
            worst = best + sum(s == mine for s in others)
            found.append(float(best + worst) / 2)
    return found


def losses_by_hand(scores: Rows, asked_about: Triples, bounds: Rows | None) -> list[float]:
    """Over all that stand, known or not."""
    found, questions = [], asked_about.asked()
    for entity, asked, answer in zip(questions.entity, questions.asked, questions.answer, strict=True):
        low, high = (0, N) if bounds is None else bounds[asked].astype(int)
        found.append(float(np.log(np.exp(scores[asked, entity, low:high]).sum()) - scores[asked, entity, answer]))
    return found


@pytest.mark.parametrize("at_once", [2**22, 1])
@pytest.mark.parametrize("limited", [False, True])
def test_places_are_those_of_brute_force(limited: bool, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "AT_ONCE", at_once)
    everything, scores = graph(), table()
    bounds = np.array([[0, N], [0, 9], [3, N], [5, 12]] * 2) if limited else None
    held = everything[60:]
    if bounds is not None:
        low, high = bounds[held.relation].T
        held = held[(held.head >= low) & (held.head < high) & (held.tail >= low) & (held.tail < high)]
    assert len(held)
    found = ranked(scorer(scores), held.asked(), Known.of(everything.asked(), N), bounds=bounds)
    assert found.places.tolist() == by_hand(scores, held, everything, bounds)
    assert found.losses.tolist() == pytest.approx(losses_by_hand(scores, held, bounds))


def test_equal_scores_rank_in_the_middle_and_gain_nothing() -> None:
    one = Triples(np.array([0]), np.array([0]), np.array([1]), R)
    found = ranked(scorer(np.zeros((2 * R, N, N))), one.asked(), Known.of(one.asked(), N))
    assert found.places.tolist() == [(1 + N) / 2] * 2
    assert found.losses.tolist() == pytest.approx([np.log(N)] * 2)


@pytest.mark.parametrize("bad", [np.nan, -np.inf, np.inf])
def test_a_score_that_is_no_number_ranks_last(bad: float) -> None:
    scores = table()
    scores[0, 0, 1] = bad
    one = Triples(np.array([0]), np.array([0]), np.array([1]), R)
    assert ranked(scorer(scores), one.asked()[:1], Known.of(one.asked(), N)).places.tolist() == [N]


def test_a_question_is_scored_once_for_its_place_and_its_loss() -> None:
    asked: list[int] = []
    score = scorer(table())

    def counted(entity: Tensor, what: Tensor) -> Tensor:
        asked.append(len(entity))
        return score(entity, what)

    everything = graph()
    ranked(counted, everything.asked(), Known.of(everything.asked(), N))
    assert sum(asked) == 2 * len(everything)


def test_metrics_are_means_over_answers() -> None:
    found = Ranked(np.array([1.0, 1.5, 3.0, 12.0]), np.array([0.5, 0.5, 1.0, 4.0])).metrics()
    assert found["loss"] == 1.5
    assert found["mrr"] == pytest.approx((1 + 1 / 1.5 + 1 / 3 + 1 / 12) / 4)
    assert (found["hits_1"], found["hits_3"], found["hits_10"]) == (0.25, 0.75, 0.75)
    assert all(np.isnan(value) for value in Ranked(np.zeros(0), np.zeros(0)).metrics().values())


def test_known_answers_are_found_by_question() -> None:
    data = Triples(np.array([2, 2, 2, 5]), np.array([1, 1, 1, 0]), np.array([7, 3, 3, 5]), R)
    known = Known.of(data.asked(), N)
    place, answer = known.find(np.array([9, 2, 5]), np.array([1, 1, R]))
    assert list(zip(place.tolist(), answer.tolist(), strict=True)) == [(1, 3), (1, 7), (2, 5)]
    entity, asked = known.question(np.arange(len(known)))
    assert (np.diff(asked * N + entity) > 0).all()
    assert known.ptr[-1] == len(known.answers) == 6


def test_nothing_known_strikes_nothing() -> None:
    none = Known.of(graph(0).asked(), N)
    assert [len(ids) for ids in none.find(np.array([1]), np.array([0]))] == [0, 0]

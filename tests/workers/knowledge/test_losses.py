"""Losses against plain torch in float64: values and gradients, in one stretch of rows and in many."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from workers.knowledge import losses
from workers.knowledge.decoders import FORMS, Decoder
from workers.knowledge.losses import one_vs_all, self_adversarial
from workers.knowledge.negatives import draw
from workers.knowledge.questions import Known, Triples

N, R, D = 23, 3, 6
BOUNDS = torch.tensor([[0, N], [0, 9], [9, N]])


def triples(count: int = 60) -> Triples:
    random = np.random.default_rng(3)
    return Triples(random.integers(0, N, count), random.integers(0, R, count), random.integers(0, N, count), R)


def leaves(form: str) -> tuple[Decoder, Tensor]:
    random = torch.Generator().manual_seed(0)
    entities = torch.randn(N, D, dtype=torch.float64, generator=random, requires_grad=True)
    return Decoder(form, R, D, dtype=torch.float64), entities


def by_torch(decoder: Decoder, entities: Tensor, asked: Triples, outside: Tensor | None) -> Tensor:
    """Cross entropy of every triple by itself, all of its scores kept."""
    questions = asked.asked()
    entity, r, answer = (torch.from_numpy(x) for x in (questions.entity, questions.asked, questions.answer))
    scores = decoder.against(decoder(entities[entity], r), entities)
    if outside is not None:
        limits, ids = outside[r % R], torch.arange(N)
        scores = scores.masked_fill((ids < limits[:, :1]) | (ids >= limits[:, 1:]), -torch.inf)
    return functional.cross_entropy(scores, answer)


@pytest.mark.parametrize("at_once", [2**22, 1])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_one_vs_all_is_cross_entropy(form: str, limited: bool, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "AT_ONCE", at_once)
    decoder, entities = leaves(form)
    data = standing(triples()) if limited else triples()
    known = Known.of(data.asked(), N)
    numbers = np.random.default_rng(1).permutation(len(known))
    entity, asked = (torch.from_numpy(ids) for ids in known.question(numbers))
    place, answer = (torch.from_numpy(ids) for ids in known.answers_of(numbers))
    outside = BOUNDS[asked % R] if limited else None
    loss = one_vs_all(decoder, decoder(entities[entity], asked), entities, place, answer, outside)
    wanted = by_torch(decoder, entities, unique(data), BOUNDS if limited else None)
    torch.testing.assert_close(loss, wanted)
    inputs = entities, decoder.weight
    pairs = zip(torch.autograd.grad(3 * loss, inputs), torch.autograd.grad(3 * wanted, inputs), strict=True)
    for ours, theirs in pairs:
        torch.testing.assert_close(ours, theirs, rtol=1e-7, atol=1e-10)


def standing(data: Triples) -> Triples:
    """Those whose both ends stand for election in their relation."""
    low, high = BOUNDS.numpy()[data.relation].T
    inside = [(ends >= low) & (ends < high) for ends in (data.head, data.tail)]
    return data[inside[0] & inside[1]]


def unique(data: Triples) -> Triples:
    _, first = np.unique(np.stack([data.head, data.relation, data.tail]), axis=1, return_index=True)
    return data[first]


def test_no_question_costs_nothing() -> None:
    decoder, entities = leaves("distmult")
    none = torch.zeros(0, dtype=torch.int64)
    loss = one_vs_all(decoder, decoder(entities[none], none), entities, none, none)
    loss.backward()
    assert loss.item() == 0
    assert entities.grad is not None
    assert not entities.grad.any()


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_self_adversarial_weighs_negatives_by_their_scores(temperature: float) -> None:
    random = torch.Generator().manual_seed(0)
    positive = torch.randn(4, dtype=torch.float64, generator=random, requires_grad=True)
    negative = torch.randn(4, 5, dtype=torch.float64, generator=random, requires_grad=True)
    known = torch.zeros(4, 5, dtype=torch.bool)
    known[1, 2] = known[3] = True
    loss = self_adversarial(positive, negative, known, temperature)
    wanted = []
    for b in range(4):
        kept = [k for k in range(5) if not known[b, k]]
        share = torch.softmax(temperature * negative[b, kept].detach(), 0)
        missed = sum(p * functional.logsigmoid(-negative[b, k]) for p, k in zip(share, kept, strict=True))
        wanted.append(-functional.logsigmoid(positive[b]) - missed)
    expected = torch.stack(wanted).mean() / 2
    torch.testing.assert_close(loss, expected)
    inputs = positive, negative
    for ours, theirs in zip(torch.autograd.grad(loss, inputs), torch.autograd.grad(expected, inputs), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_drawn_candidates_are_of_the_answers_type_and_true_ones_are_marked() -> None:
    data = triples(200)
    questions = data.asked()
    known, bounds = Known.of(questions, N), np.tile(BOUNDS.numpy(), (2, 1))
    truth = set(zip(questions.entity.tolist(), questions.asked.tolist(), questions.answer.tolist(), strict=True))
    seen = []
    for drawn in draw(questions, 7, bounds, known, np.random.default_rng(0)):
        part = questions[drawn.chosen]
        assert len(np.unique(drawn.candidates)) == 7
        low, high = bounds[part.asked].T
        assert (low <= drawn.candidates.min()).all()
        assert (drawn.candidates.max() < high).all()
        for b in range(len(part)):
            row = [(part.entity[b], part.asked[b], c) in truth for c in drawn.candidates.tolist()]
            assert drawn.known[b].tolist() == row
        seen.append(drawn.chosen)
    assert sorted(np.concatenate(seen).tolist()) == list(range(len(questions)))


def test_the_same_seed_draws_the_same_candidates_and_few_entities_are_all_taken() -> None:
    questions, bounds = triples().asked(), np.tile(BOUNDS.numpy(), (2, 1))
    known = Known.of(questions, N)
    first, again = (list(draw(questions, 10, bounds, known, np.random.default_rng(5))) for _ in range(2))
    assert all(np.array_equal(a.candidates, b.candidates) for a, b in zip(first, again, strict=True))
    assert any(np.array_equal(d.candidates, np.arange(9)) for d in first)

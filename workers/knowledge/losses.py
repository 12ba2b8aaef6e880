"""What makes true triples score high: cross entropy over all entities, or some drawn at random and weighed.

Shape letters: B questions, A answers to them, N entities, K candidates, D width of a row.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from workers.knowledge.decoders import Decoder, distances

AT_ONCE = 2**22
"""Scores held at a time, whatever the numbers of questions and entities."""


def one_vs_all(
    decoder: Decoder, questions: Tensor, entities: Tensor, place: Tensor, answer: Tensor, outside: Tensor | None = None
) -> Tensor:
    """Mean over the answers of -log softmax over all entities of the answer's score (Lacroix et al., ICML 2018).

    questions [B, D]; entities [N, D]; place, answer: int64[A], the question that each answer is to, and its entity.
    outside: int64[B, 2], entities below the first and from the second on do not stand for election.

    Answers to one question share its scores, so a question with many costs as much as one with a single one.
    """
    given = questions, entities, place, answer, outside, decoder.form.distance
    loss: Tensor = _CrossEntropy.apply(*given)  # type: ignore[no-untyped-call]
    return loss


def self_adversarial(positive: Tensor, negative: Tensor, known: Tensor, temperature: float) -> Tensor:
    """Negatives weigh as the softmax of what they score (Sun et al., ICLR 2019, equations 5 and 6).

    positive [B]: scores of true triples. negative [B, K]: of candidates beside each. known: bool[B, K], candidates
    that are true themselves and count nothing. temperature 0 weighs all alike.
    """
    weights = (temperature * negative.detach()).masked_fill(known, -torch.inf)
    weights = torch.nan_to_num(weights.softmax(1))  # where every candidate is true, there is nothing to learn from
    loss = -functional.logsigmoid(positive) - (weights * functional.logsigmoid(-negative)).sum(1)
    return loss.mean() / 2


class _CrossEntropy(torch.autograd.Function):
    """Some questions at a time: their scores, the loss, and at once what it does to questions and entities.

    The [B, N] scores are gone after each stretch of rows, so memory does not grow with B.
    """

    @staticmethod
    def forward(
        ctx: Any, questions: Tensor, entities: Tensor, place: Tensor, answer: Tensor, outside: Tensor | None, far: bool
    ) -> Tensor:
        wants = any(ctx.needs_input_grad[:2])
        to_questions, to_entities = torch.zeros_like(questions), torch.zeros_like(entities)
        loss = questions.new_zeros((), dtype=torch.float64)
        counts = torch.bincount(place, minlength=len(questions)).to(questions.dtype)
        order = torch.argsort(place, stable=True)
        place, answer = place[order], answer[order]
        for begin in range(0, len(questions), rows := stretch(len(entities))):
            end = min(begin + rows, len(questions))
            first, last = torch.searchsorted(place, torch.tensor([begin, end], device=place.device)).tolist()
            at = place[first:last] - begin, answer[first:last]
            limits = None if outside is None else outside[begin:end]
            mine = questions[begin:end]
            found, slopes = _stretch(mine, entities, at, counts[begin:end], limits, far, wants)
            loss += found
            if slopes is not None:
                _add_gradients(slopes, mine, entities, to_questions[begin:end], to_entities, far)
        share = 1 / max(1, len(answer))
        ctx.save_for_backward(to_questions.mul_(share), to_entities.mul_(share))
        return (loss * share).to(questions.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        to_questions, to_entities = ctx.saved_tensors
        return gradient * to_questions, gradient * to_entities, None, None, None, None


def _stretch(
    questions: Tensor,
    entities: Tensor,
    at: tuple[Tensor, Tensor],
    counts: Tensor,
    outside: Tensor | None,
    far: bool,
    wants: bool,
) -> tuple[Tensor, Tensor | None]:
    """The summed loss of some questions, and its slope in their products with the entities."""
    products = questions @ entities.T
    away = distances(products, questions, entities) if far else None
    scores = products if away is None else away.neg()
    if outside is not None:
        scores = scores.masked_fill(not_standing(outside, len(entities)), -torch.inf)
    top = scores.amax(1, keepdim=True)
    truth = scores[at] - top[at[0], 0]
    chances = scores.sub_(top).exp_()
    total = chances.sum(1)
    loss = (counts.double() * total.double().log()).sum() - truth.double().sum()
    if not wants:
        return loss, None
    slopes = chances.mul_((counts / total)[:, None])
    slopes.index_put_(at, slopes.new_full((), -1), accumulate=True)
    return loss, slopes if away is None else slopes.div_(away)


def _add_gradients(
    slopes: Tensor, questions: Tensor, entities: Tensor, to_questions: Tensor, to_entities: Tensor, far: bool
) -> None:
    """Through q · e; or through -‖q - e‖, whose slope in q is (e - q) / ‖q - e‖, and in e its opposite."""
    to_questions.addmm_(slopes, entities)
    to_entities.addmm_(slopes.T, questions)
    if far:
        to_questions.sub_(slopes.sum(1)[:, None] * questions)
        to_entities.sub_(slopes.sum(0)[:, None] * entities)


def stretch(n: int) -> int:
    """Questions scored at a time against n entities."""
    return max(8, AT_ONCE // max(1, n))


def not_standing(outside: Tensor, n: int) -> Tensor:
    """bool[B, N]: entities outside the bounds [B, 2] of each question."""
    ids = torch.arange(n, device=outside.device)
    return (ids < outside[:, :1]) | (ids >= outside[:, 1:])

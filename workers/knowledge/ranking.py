"""Where the true answer stands among all entities: filtered ranks, MRR and Hits@k (Bordes et al., NeurIPS 2013).

Every answer known from any part of the split, but the one looked at, is struck from the list first. Ties are ranked by
expectation: the answer's place is the mean of the best and the worst it can have among equal scores, so a model that
scores everything alike gains nothing. A score that is no number ranks last.

The cross entropy of the answer comes from the same scores, before anything known is struck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.knowledge.losses import not_standing, stretch
from workers.knowledge.questions import Ids, Known, Questions

Column = NDArray[np.float64]
Score = Callable[[Tensor, Tensor], Tensor]
HITS = (1, 3, 10)


@dataclass(frozen=True)
class Ranked:
    """By answer, float64[Q] each: its place, from 1, and -log softmax of its score among those that stand."""

    places: Column
    losses: Column

    def metrics(self) -> dict[str, float]:
        """loss, mrr, hits_1, hits_3, hits_10: means over the answers; NaN where there are none."""
        if not len(self.places):
            return dict.fromkeys(("loss", "mrr", *(f"hits_{k}" for k in HITS)), np.nan)
        hits = {f"hits_{k}": float((self.places <= k).mean()) for k in HITS}
        return {"loss": float(self.losses.mean()), "mrr": float((1 / self.places).mean()), **hits}


@torch.no_grad()
def ranked(
    score: Score, questions: Questions, known: Known, *, bounds: Ids | None = None, device: torch.device | None = None
) -> Ranked:
    """Every question scored once, for its answer's place and its loss.

    score(entity, asked): int64[B] each to new [B, N], which is written to. bounds: int64[2 R, 2], by what is asked,
    the entities that stand for election; all where it is None. Some questions are scored at a time, so that memory
    does not grow with Q.
    """
    found = Ranked(np.empty(len(questions)), np.empty(len(questions)))
    for begin in range(0, len(questions), rows := stretch(known.n)):
        part = questions[begin : begin + rows]
        entity, asked, answer = (torch.from_numpy(ids).to(device) for ids in (part.entity, part.asked, part.answer))
        scores = score(entity, asked)
        truth = scores.gather(1, answer[:, None])
        if bounds is not None:
            limits = torch.from_numpy(bounds[part.asked]).to(device)
            scores.masked_fill_(not_standing(limits, known.n), -torch.inf)
        found.losses[begin : begin + rows] = (scores.logsumexp(1) - truth[:, 0]).cpu().numpy()
        found.places[begin : begin + rows] = _places(scores, truth, part, known)
    return found


def _places(scores: Tensor, truth: Tensor, part: Questions, known: Known) -> Column:
    """scores: [B, N], written to; truth: [B, 1], those of the answers."""
    struck = tuple(torch.from_numpy(ids).to(scores.device) for ids in known.find(part.entity, part.asked))
    scores.index_put_(struck, scores.new_full((), -torch.inf))
    scores.scatter_(1, torch.from_numpy(part.answer).to(scores.device)[:, None], -torch.inf)
    above, at_least = (scores > truth).sum(1), (scores >= truth).sum(1)
    place = (1 + (above + at_least) / 2).double()
    lost = torch.isnan(scores).any(1) | ~torch.isfinite(truth[:, 0])
    return torch.where(lost, torch.full_like(place, known.n), place).cpu().numpy()

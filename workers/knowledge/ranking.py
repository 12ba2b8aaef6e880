"""Where the true answer stands among all entities: filtered ranks, MRR and Hits@k (Bordes et al., NeurIPS 2013).

Every answer known from any part of the split, but the one looked at, is struck from the list first. Ties are ranked by
expectation: the answer's place is the mean of the best and the worst it can have among equal scores, so a model that
scores everything alike gains nothing. A score that is no number ranks last.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.knowledge.losses import not_standing, stretch
from workers.knowledge.questions import Ids, Known, Questions

Places = NDArray[np.float64]
Score = Callable[[Tensor, Tensor], Tensor]
HITS = (1, 3, 10)


@torch.no_grad()
def places(
    score: Score, questions: Questions, known: Known, *, bounds: Ids | None = None, device: torch.device | None = None
) -> Places:
    """float64[Q]: the place of each answer, from 1.

    score(entity, asked): int64[B] each to new [B, N], which is written to. bounds: int64[2 R, 2], by what is asked,
    the entities that stand for election; all where it is None. Some questions are scored at a time, so that memory
    does not grow with Q.
    """
    found = np.empty(len(questions))
    for begin in range(0, len(questions), rows := stretch(known.n)):
        part = questions[begin : begin + rows]
        entity, asked = (torch.from_numpy(ids).to(device) for ids in (part.entity, part.asked))
        limits = None if bounds is None else torch.from_numpy(bounds[part.asked]).to(device)
        found[begin : begin + rows] = _places(score(entity, asked), part, known, limits)
    return found


def metrics(found: Places) -> dict[str, float]:
    """mrr, hits_1, hits_3, hits_10: means over the answers; NaN where there are none."""
    if not len(found):
        return {"mrr": np.nan, **{f"hits_{k}": np.nan for k in HITS}}
    return {"mrr": float((1 / found).mean()), **{f"hits_{k}": float((found <= k).mean()) for k in HITS}}


def _places(scores: Tensor, part: Questions, known: Known, limits: Tensor | None) -> Places:
    rows, answer = torch.arange(len(part), device=scores.device), torch.from_numpy(part.answer).to(scores.device)
    truth = scores[rows, answer][:, None].clone()
    struck = tuple(torch.from_numpy(ids).to(scores.device) for ids in known.find(part.entity, part.asked))
    scores.index_put_(struck, scores.new_full((), -torch.inf))
    if limits is not None:
        scores.masked_fill_(not_standing(limits, known.n), -torch.inf)
    scores[rows, answer] = -torch.inf
    above, at_least = (scores > truth).sum(1), (scores >= truth).sum(1)
    place = (1 + (above + at_least) / 2).double()
    lost = torch.isnan(scores).any(1) | ~torch.isfinite(truth[:, 0])
    return torch.where(lost, torch.full_like(place, known.n), place).cpu().numpy()

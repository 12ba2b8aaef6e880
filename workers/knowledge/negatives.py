"""Candidates beside true answers, drawn at random: one sample for all questions that choose among the same entities.

So their scores are one product (Zheng et al., DGL-KE, SIGIR 2020, section 3.3, joint negative sampling). Shape letters:
B questions, K candidates, R relations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workers.knowledge.questions import Ids, Known, Questions


@dataclass(frozen=True)
class Drawn:
    """chosen: int64[B], which questions of the batch. candidates: int64[K], sorted, none twice.

    known: bool[B, K], candidates that are true answers in training.
    """

    chosen: Ids
    candidates: Ids
    known: NDArray[np.bool_]


def draw(part: Questions, count: int, bounds: Ids, known: Known, random: np.random.Generator) -> Iterator[Drawn]:
    """Candidates for the questions of a batch, some of them at a time: those whose answers are of one type.

    bounds: int64[2 R, 2], by what is asked, the entities among which the answer is; at most `count` of them are drawn,
    all where there are no more.
    """
    limits, group = np.unique(bounds[part.asked], axis=0, return_inverse=True)
    for k, (first, end) in enumerate(limits.tolist()):
        chosen = np.flatnonzero(group.ravel() == k)
        candidates = _some(first, end, count, random)
        yield Drawn(chosen, candidates, _known(part[chosen], candidates, known))


def _some(first: int, end: int, count: int, random: np.random.Generator) -> Ids:
    if end - first <= count:
        return np.arange(first, end)
    return np.sort(random.choice(end - first, count, replace=False, shuffle=False)) + first


def _known(part: Questions, candidates: Ids, known: Known) -> NDArray[np.bool_]:
    place, answer = known.find(part.entity, part.asked)
    at = np.minimum(np.searchsorted(candidates, answer), len(candidates) - 1)
    met = candidates[at] == answer
    found = np.zeros((len(part), len(candidates)), bool)
    found[place[met], at[met]] = True
    return found

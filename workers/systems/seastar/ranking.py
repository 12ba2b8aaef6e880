"""How well scores tell edges from pairs without one. Ties count half; nothing depends on the order of the scores.

Shape letters: P edges, Q pairs without one; scores float[P] and float[Q].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def ranks(edges: Floats, others: Floats) -> NDArray[np.float64]:
    """float64[P]: the place of each edge among all others, from 1; equal scores are passed half."""
    ordered = np.sort(others)
    above = len(ordered) - np.searchsorted(ordered, edges, side="right")
    at_least = len(ordered) - np.searchsorted(ordered, edges, side="left")
    return np.asarray(1 + (above + at_least) / 2, np.float64)


def auc(edges: Floats, others: Floats) -> float:
    """Chance that an edge scores above another pair: the area under the ROC curve."""
    return float(1 - (ranks(edges, others) - 1).mean() / len(others))


def mean_reciprocal_rank(edges: Floats, others: Floats) -> float:
    return float((1 / ranks(edges, others)).mean())


def hits(edges: Floats, others: Floats, k: int) -> float:
    """Share of edges that score above the k-th best other pair; all of them where there are fewer than k."""
    if len(others) < k:
        return 1.0
    return float((edges > np.partition(others, len(others) - k)[len(others) - k]).mean())


def average_precision(edges: Floats, others: Floats) -> float:
    """Mean over edges of the precision at their score: the area under the precision-recall curve, in steps."""
    positive, negative = np.sort(edges), np.sort(others)
    hit = len(positive) - np.searchsorted(positive, edges, side="left")
    missed = len(negative) - np.searchsorted(negative, edges, side="left")
    return float((hit / (hit + missed)).mean())

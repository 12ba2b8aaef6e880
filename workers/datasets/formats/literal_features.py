"""Literals as features of the resources they describe: numbers by their value, texts by being there."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from workers.core.hetero import Floats, Ids
from workers.datasets.formats.ntriples_lines import shown, text_of
from workers.datasets.hetero_reading import short_names
from workers.datasets.layouts import NUMBER


class Described:
    """Statements whose objects are literals, by predicate.

    A predicate whose literals are all numbers gives a column of values (the mean where a vertex has several),
    standardised over those that have one; any other gives the logarithm of 1 + how many literals there are.
    """

    def __init__(self) -> None:
        self._of: dict[str, list[tuple[int, str]]] = defaultdict(list)

    def add(self, subject: int, predicate: str, literal: str) -> None:
        self._of[predicate].append((subject, text_of(literal)))

    def table(self, members: Ids, place: Ids, rows: int) -> Floats | None:
        """float32[rows, F] for the vertices `members`, which stand at `place`; None where nothing is said of them."""
        inside = set(members.tolist())
        columns = []
        for said in self._of.values():
            own = [(int(place[v]), text) for v, text in said if v in inside]
            if own:
                columns.append(_column(own, rows, numeric=all(NUMBER.fullmatch(text) for _, text in said)))
        return np.column_stack(columns) if columns else None

    def notes(self) -> tuple[str, ...]:
        if not self._of:
            return ()
        called = short_names([shown(predicate) for predicate in self._of])
        return (f"Literals of {', '.join(called[:12])}{' and more' if len(called) > 12 else ''} are features.",)


def _column(own: list[tuple[int, str]], rows: int, *, numeric: bool) -> Floats:
    at = np.array([v for v, _ in own], np.int64)
    count = np.bincount(at, minlength=rows)
    if not numeric:
        return np.log1p(count).astype(np.float32)
    sums = np.bincount(at, weights=[float(text) for _, text in own], minlength=rows)
    mean = sums / np.maximum(count, 1)
    there = mean[count > 0]
    spread = float(there.std()) or 1.0
    values: Floats = np.where(count > 0, (mean - there.mean()) / spread, 0).astype(np.float32)
    return np.nan_to_num(values)

"""Triples as questions: which tail follows (head, relation), and which head goes before (relation, tail).

Shape letters: N entities, R relations, E triples, Q questions, A answers. A question is an entity and what is asked of
it: number r asks for the tails of relation r, r + R for its heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Triples:
    """int64[E] each: entities are global ids, relations numbers below `relations`."""

    head: Ids
    relation: Ids
    tail: Ids
    relations: int

    def __len__(self) -> int:
        return len(self.head)

    def __getitem__(self, chosen: Ids | NDArray[np.bool_] | slice) -> Triples:
        return Triples(self.head[chosen], self.relation[chosen], self.tail[chosen], self.relations)

    def asked(self) -> Questions:
        """Each triple twice: all tails asked for, then all heads."""
        return Questions(
            np.concatenate([self.head, self.tail]),
            np.concatenate([self.relation, self.relation + self.relations]),
            np.concatenate([self.tail, self.head]),
        )


@dataclass(frozen=True)
class Questions:
    """entity, asked, answer: int64[Q]"""

    entity: Ids
    asked: Ids
    answer: Ids

    def __len__(self) -> int:
        return len(self.entity)

    def __getitem__(self, chosen: Ids | slice) -> Questions:
        return Questions(self.entity[chosen], self.asked[chosen], self.answer[chosen])


@dataclass(frozen=True)
class Known:
    """Every different question once, with all its answers.

    keys: int64[Q], sorted, asked * N + entity; ptr: int64[Q + 1]; answers: int64[A], those of question q are
    answers[ptr[q]:ptr[q + 1]], ascending, none twice.
    """

    keys: Ids
    ptr: Ids
    answers: Ids
    n: int

    @classmethod
    def of(cls, questions: Questions, n: int) -> Self:
        keys = questions.asked * n + questions.entity
        order = np.lexsort((questions.answer, keys))
        keys, answers = keys[order], questions.answer[order]
        new = np.ones(len(keys), bool)
        new[1:] = (keys[1:] != keys[:-1]) | (answers[1:] != answers[:-1])
        keys, answers = keys[new], answers[new]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        return cls(keys[first], np.append(first, len(keys)), answers, n)

    def __len__(self) -> int:
        return len(self.keys)

    def question(self, numbers: Ids) -> tuple[Ids, Ids]:
        """Entity and asked of questions by number, int64 each."""
        asked, entity = np.divmod(self.keys[numbers], self.n)
        return entity, asked

    def find(self, entity: Ids, asked: Ids) -> tuple[Ids, Ids]:
        """int64[A] each: the place of a question among those given, and an answer to it; none for an unknown one."""
        if not len(self.keys):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        wanted = asked * self.n + entity
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        given = np.flatnonzero(self.keys[at] == wanted)
        place, answers = self.answers_of(at[given])
        return given[place], answers

    def answers_of(self, numbers: Ids) -> tuple[Ids, Ids]:
        """As `find`, for questions by number."""
        counts = self.ptr[numbers + 1] - self.ptr[numbers]
        place = np.repeat(np.arange(len(numbers)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        return place, self.answers[self.ptr[numbers][place] + within]

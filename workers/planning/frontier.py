"""What a search gives: strategies that no other beats in memory and time together."""

from __future__ import annotations

from dataclasses import dataclass

from workers.planning.problem import Floats, Ints


@dataclass(frozen=True)
class Frontier:
    """`memory` [P] bytes ascending, `time` [P] seconds strictly descending, `choices` [P, nodes] the configurations.

    For every strategy there is one here with at most 1 + eps times its memory and at most 1 + eps times its time.
    `exact`: eps is 0 and every strategy was taken into account; where it is false and eps is 0 as well, a part of the
    strategies was left out, and nothing is promised of those.
    """

    memory: Floats
    time: Floats
    choices: Ints
    exact: bool
    eps: float

    def __len__(self) -> int:
        return len(self.memory)

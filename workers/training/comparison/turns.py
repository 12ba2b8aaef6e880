"""Who trains when: epochs in blocks, the contenders in turn, another one first each time. Pure.

A contender has a process of its own, so two of them cannot take an epoch each in turn as in a duel, but they can take
blocks: a load that comes or goes meets all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

BLOCK = 5  # epochs at least, so that most of a block does not start from caches that another has filled
MOST_ROUNDS = 10


def rests(epochs: int) -> tuple[int, ...]:
    """Epochs after which a contender rests; none where one block is all there is."""
    rounds = max(1, min(MOST_ROUNDS, epochs // BLOCK))
    return tuple(epochs * k // rounds for k in range(1, rounds))


def turns(contenders: int, rounds: int) -> Iterator[int]:
    """Places of contenders, one block each time."""
    for k in range(rounds):
        yield from ((k + place) % contenders for place in range(contenders))

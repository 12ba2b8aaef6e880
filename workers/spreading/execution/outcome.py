"""How a rank's part ended, and which of several failures is the cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch.distributed as dist

from workers.core.errors import JobError
from workers.spreading.execution.launcher import Emit, Part, World

_LOST = ("Connection closed by peer", "Connection reset", "Timed out waiting", "gloo")  # how gloo tells of lost ranks


class RankFailed(JobError):
    """A rank could not do its part; the message says which and why."""


@dataclass(frozen=True)
class Done:
    result: Any


@dataclass(frozen=True)
class Failure:
    text: str  # behind the rank's number
    by_others: bool = False  # it only missed another rank


@dataclass(frozen=True)
class Event:
    """What a rank emitted on the way."""

    value: Any


def outcome(part: Part, argument: Any, world: World, send: Callable[[Event], None]) -> Done | Failure:
    """Run a part; whatever it raises is told."""
    emit: Emit = lambda value: send(Event(value))  # noqa: E731 - a name for its type
    try:
        return Done(part(argument, world, emit))
    except BaseException as error:  # noqa: BLE001 - whatever it is, home has to hear of it
        return Failure(f"failed: {_text(error)}", _by_others(error))


def _text(error: BaseException) -> str:
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _by_others(error: BaseException) -> bool:
    return isinstance(error, dist.DistError) or any(text in str(error) for text in _LOST)


def late(pending: Sequence[int], seconds: float) -> RankFailed:
    return RankFailed(f"Not done after {seconds:g} s: rank {', '.join(map(str, pending))}.")


def failed(failures: dict[int, Failure], ranks: int) -> RankFailed:
    """The error of the rank that failed by itself, if one did."""
    number = min(failures, key=lambda rank: failures[rank].by_others)
    return RankFailed(f"Rank {number} of {ranks} {failures[number].text}")

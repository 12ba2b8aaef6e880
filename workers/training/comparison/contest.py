"""What a contender is told, as a JSON file in the folder they all share."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from workers.training.comparison.systems import System
from workers.training.spec import TrainingSpec

S = TypeVar("S", bound=TrainingSpec)


class Contest(BaseModel, Generic[S]):
    """What trains the job's model, for how many epochs, and with how many threads.

    contender: the module of the kind of job that runs it, a process of its own. rests: epochs after which it waits
    until it is told to go on, so that others have their turn.
    """

    model_config = ConfigDict(frozen=True)

    contender: str
    system: System
    spec: S
    epochs: int
    threads: int
    rests: tuple[int, ...] = ()


class PairContest(Contest[S], Generic[S]):
    """`spec` is what is studied; `against` trains beside it in the same process, an epoch each in turn."""

    against: S

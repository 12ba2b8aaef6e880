"""What every contender is told, as one JSON file in the folder they share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from workers.systems.seastar.spec import SeastarSpec


class Contest(BaseModel):
    """The job, how many epochs each runs, and with how many threads."""

    model_config = ConfigDict(frozen=True)

    spec: SeastarSpec
    epochs: int
    threads: int

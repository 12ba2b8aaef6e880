"""What a contender is told, as a JSON file in the folder they all share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from workers.systems.seastar.comparison.counterparts import System
from workers.systems.seastar.spec import SeastarSpec


class Contest(BaseModel):
    """What trains the job's model, for how many epochs, and with how many threads."""

    model_config = ConfigDict(frozen=True)

    system: System
    spec: SeastarSpec
    epochs: int
    threads: int

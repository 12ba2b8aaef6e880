"""`python -m workers.systems.seastar.comparison.contender`: one run of a comparison, in a process of its own."""

from __future__ import annotations

from workers.core import dataset_store
from workers.systems.seastar.comparison.racers import RACERS
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.contender import contend
from workers.training.comparison.contest import Contest

if __name__ == "__main__":
    contend(Contest[SeastarSpec], dataset_store.load, RACERS)

"""`python -m workers.systems.seastar.comparison.pass_contender`: passes left out beside all of them, in one process."""

from __future__ import annotations

from workers.core import dataset_store
from workers.systems.seastar.comparison.racers import RACERS
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.contender import contend_in_pairs
from workers.training.comparison.contest import PairContest

if __name__ == "__main__":
    contend_in_pairs(PairContest[SeastarSpec], dataset_store.load, RACERS)

"""`python -m workers.systems.hgl.comparison.contender`: one run of a comparison, in a process of its own."""

from __future__ import annotations

from functools import partial

from workers.core import dataset_store
from workers.systems.hgl.comparison.racers import RACERS
from workers.systems.hgl.spec import HglSpec
from workers.training.comparison.contender import contend
from workers.training.comparison.contest import Contest

if __name__ == "__main__":
    contend(Contest[HglSpec], partial(dataset_store.load_hetero, mapped=False), RACERS)

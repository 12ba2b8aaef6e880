"""A job's model as a contender: in Asterism, with every pass off, or in a peer's layers from the same weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from workers.compiler.passes.pipeline import SWITCHES
from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.training.comparison.contest import S
from workers.training.comparison.race import Racer
from workers.training.comparison.systems import System

D = TypeVar("D", GraphData, HeteroData)


@dataclass(frozen=True)
class Racers(Generic[S, D]):
    """A kind's contenders. `ours` as the spec says; `peer` by its name, of the same spec."""

    ours: Callable[[S, D], Racer]
    peer: Callable[[str, S, D], Racer]

    def make(self, system: System, spec: S, data: D) -> Racer:
        """The contender `system`. Raises ImportError where its library is missing, KeyError for a layer it lacks."""
        if system == "asterism":
            return self.ours(spec, data)
        if system == "passes_off":
            without = spec.compiler.model_copy(update={"passes_off": SWITCHES})
            return self.ours(spec.model_copy(update={"compiler": without}), data)
        return self.peer(system, spec, data)

"""What a peer's table of layers is made of. Shapes: N vertices, E edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from workers.training.comparison.weights import State, Weights
from workers.zoo.step import Step

Forward = Callable[..., Tensor]
"""From the module, the graph and what arrives, port by port."""
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Place:
    """A layer's settings and the width of what arrives."""

    step: Step

    @property
    def width(self) -> int:
        return int(self.step.placed.arriving().width)

    @property
    def edge_width(self) -> int:
        return int(self.step.placed.arriving("e").width)

    @property
    def first(self) -> bool:
        """Whether the dataset's own features arrive, which stay the same: what a layer makes of them may be kept."""
        return self.step.sources["x"][0].port == "h"

    def whole(self, name: str) -> int:
        return int(self.step.params[name])

    def number(self, name: str) -> float:
        return float(self.step.params[name])

    def text(self, name: str, default: str = "") -> str:
        return str(self.step.params.get(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        return bool(self.step.params.get(name, default))


@dataclass(frozen=True)
class PeerLayer:
    """How a library writes a layer: its module at a place, its parameters there from ours, and how it is called."""

    build: Callable[[Place], nn.Module]
    state: Callable[[Place, Weights], dict[str, Tensor]]
    call: Forward


def peer_layer(build: Callable[[Place], nn.Module], state: State, call: Forward) -> PeerLayer:
    """A layer whose parameters have the same names at every place."""
    return PeerLayer(build, lambda _, weights: state(weights), call)


@dataclass(frozen=True)
class Library:
    """A peer: its layers by the zoo's types, and its graph object from what the kind of job knows of one."""

    layers: dict[str, PeerLayer]
    graph: Callable[..., Any]

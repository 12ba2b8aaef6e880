"""One sound node of a checked document: all a builder needs to run it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from workers.core.model import Endpoint, Node
from workers.zoo.signature import Layer, Params, Placed, Preparation, ProgramUse, ValueType, Weight


@dataclass(frozen=True)
class Step:
    """One sound node: its layer, settings with defaults filled in, where its inputs come from, and types."""

    node: Node
    layer: Layer
    placed: Placed
    sources: Mapping[str, tuple[Endpoint, ...]]
    outputs: Mapping[str, ValueType]

    @property
    def params(self) -> Params:
        return self.placed.params

    @property
    def program(self) -> ProgramUse | None:
        """The vertex program it runs, where it runs one."""
        return self.layer.use(self.params)

    @cached_property
    def preparation(self) -> Preparation:
        """What the graph needs before this step; a model's own program says so by a setting."""
        wanted = self.layer.preparation
        if "self_loops" in self.params:
            wanted = Preparation(self_loops=bool(self.params["self_loops"]), norm=True)
        return replace(wanted, relations=self.placed.relations)

    @property
    def weights(self) -> tuple[Weight, ...]:
        """Tensors of the layer itself; those of its vertex program are parameters of the program."""
        return self.layer.weights(self.placed)

"""The model on a whole stitched graph: what a task asks of it. Shapes: N vertices of all types, C columns."""

from __future__ import annotations

from torch import Tensor

from workers.compiler.runtime.stitched import StitchedIndex
from workers.core.hetero import HeteroData
from workers.training.placement import device_of
from workers.training.spec import TrainingSpec
from workers.training.task import build, dtype_of, step_seed
from workers.zoo.graphs import Stitched
from workers.zoo.typed_features import TypedFeatures


class StitchedModel:
    """A spec's model, its graph and what the dataset says of every type."""

    def __init__(self, spec: TrainingSpec, data: HeteroData) -> None:
        self.spec, self.data = spec, data
        self.module = build(spec, data)
        self.graph = Stitched(StitchedIndex(data.type_ptr, data.src, data.dst, data.rel_ptr))
        self.x = TypedFeatures.of(data, dtype_of(spec), device_of(spec.device))

    def run(self, step: int) -> Tensor:
        """[N, C]; steps count from 1, and 0 is for evaluation."""
        found: Tensor = self.module(self.x, self.graph, None, step_seed(self.spec, step))
        return found

    def described(self) -> str:
        embedded = len(self.data.node_types) - len(self.x.x)
        return f"{len(self.x.x):,} types with features, {embedded:,} with learned rows"

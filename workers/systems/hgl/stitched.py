"""The model on a stitched graph, whole or sampled relation by relation: what a task asks of it.

Shapes: N vertices of all types, M of them asked for, C columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime.stitched import StitchedIndex
from workers.core.hetero import HeteroData
from workers.systems.hgl.relation_names import numbers_of
from workers.systems.hgl.task_spec import SampledByRelation, TypedBatches
from workers.training.batches import by_hop
from workers.training.placement import device_of
from workers.training.spec import TrainingSpec
from workers.training.task import build, dtype_of, step_seed
from workers.training.typed_sampler import TypedSampler, typed_hops
from workers.zoo.graphs import Stitched
from workers.zoo.typed_blocks import TypedSampled
from workers.zoo.typed_features import TypedFeatures

Ids = NDArray[np.int64]


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

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        """Numbers below `count`, cut into the steps of an epoch."""
        del random
        yield np.arange(count)

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        """From a step's number to the rows [M, C] of the distinct ascending vertices `ids`."""
        del random
        chosen = torch.from_numpy(ids)
        return lambda step: self.run(step)[chosen]


class SampledModel(StitchedModel):
    """Steps run on the vertices they ask for and what was drawn of their neighbours; `run` stays the whole graph."""

    def __init__(self, spec: TrainingSpec, data: HeteroData, settings: SampledByRelation) -> None:
        super().__init__(spec, data)
        own = {r: one.fan_out for one in settings.by_relation for r in numbers_of(one.relation, data.relations)}
        self.sampler, self.batch_size = TypedSampler(self.graph.graph, own), settings.batch_size
        self.fan_outs = by_hop(settings.fan_outs, self.module.hops)

    def described(self) -> str:
        drawn = ", ".join(str(k) if k else "all" for k in self.fan_outs)
        return f"{super().described()}; batches of {self.batch_size:,}; neighbours drawn a layer and relation: {drawn}"

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        order = random.permutation(count)
        for begin in range(0, count, self.batch_size):
            yield np.sort(order[begin : begin + self.batch_size])

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        grounds = TypedSampled(typed_hops(self.sampler, ids, self.fan_outs, random))
        x = self.x.rows(torch.from_numpy(grounds.vertices))
        return lambda step: self.module(x, grounds, None, step_seed(self.spec, step))


def stitched_model(spec: TrainingSpec, data: HeteroData, batches: TypedBatches) -> StitchedModel:
    if isinstance(batches, SampledByRelation):
        return SampledModel(spec, data, batches)
    return StitchedModel(spec, data)

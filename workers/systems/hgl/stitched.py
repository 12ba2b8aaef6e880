"""The model on a stitched graph, whole, or on what some rows depend on, all of it or sampled relation by relation.

Shapes: N vertices of all types, M of them asked for, C columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.passes.pipeline import DROP_UNREAD
from workers.compiler.runtime.stitched import StitchedIndex
from workers.core.hetero import HeteroData
from workers.systems.hgl.relation_names import numbers_of
from workers.systems.hgl.task_spec import SampledByRelation, TypedBatches
from workers.training.batches import by_hop
from workers.training.placement import device_of
from workers.training.spec import TrainingSpec
from workers.training.task import build, dtype_of, step_seed
from workers.training.typed_sampler import TypedSampler, typed_hops
from workers.zoo.graphs import Grounds, Stitched
from workers.zoo.hops import gives_edge_values
from workers.zoo.module import ModelModule
from workers.zoo.picked_rows import picked
from workers.zoo.reach import levels_of
from workers.zoo.read_rows import read_rows
from workers.zoo.typed_blocks import TypedSampled
from workers.zoo.typed_features import TypedFeatures

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class View:
    """What a run sees of the graph: its blocks, what the dataset says of their vertices, int64[M] rows asked for."""

    grounds: Grounds
    x: TypedFeatures
    rows: Tensor | None = None


class StitchedModel:
    """A spec's model, its graph and what the dataset says of every type.

    `run` gives every vertex a row; `forward` some of them, leaving out what none of those depends on.
    """

    def __init__(self, spec: TrainingSpec, data: HeteroData, module: ModelModule | None = None) -> None:
        self.spec, self.data = spec, data
        self.module = build(spec, data) if module is None else module
        self.graph = Stitched(StitchedIndex(data.type_ptr, data.src, data.dst, data.rel_ptr))
        self.x = TypedFeatures.of(data, dtype_of(spec), device_of(spec.device))
        asked = DROP_UNREAD not in spec.compiler.passes_off
        self.drops_unread = asked and self.module.hops > 0 and not gives_edge_values(self.module.steps)
        self._views: dict[bytes, View] = {}

    def run(self, step: int) -> Tensor:
        """[N, C]; steps count from 1, and 0 is for evaluation."""
        return self._seen(View(self.graph, self.x), step)

    def rows(self, ids: Ids, step: int) -> Tensor:
        """[M, C] of the distinct ascending vertices `ids`, int64[M]."""
        return self._seen(self.view(ids), step)

    def view(self, ids: Ids) -> View:
        """What the rows of `ids` depend on; worked out once for each set of them, of which a job has few."""
        key = ids.tobytes()
        if key not in self._views:
            self._views[key] = self._read(ids) if self.drops_unread else View(self.graph, self.x, torch.from_numpy(ids))
        return self._views[key]

    def _read(self, ids: Ids) -> View:
        blocks = read_rows(self.graph.graph, levels_of(self.module.steps), ids)
        given = blocks.levels.ids[-1]
        rows = None if len(given) == len(ids) else torch.from_numpy(np.searchsorted(given, ids))
        whole = len(blocks.vertices) == len(self.x)
        return View(blocks, self.x if whole else self.x.rows(torch.from_numpy(blocks.vertices)), rows)

    def _seen(self, view: View, step: int) -> Tensor:
        found: Tensor = self.module(view.x, view.grounds, None, step_seed(self.spec, step))
        return found if view.rows is None else picked(found, view.rows)

    def described(self) -> str:
        embedded = len(self.data.node_types) - len(self.x.x)
        return f"{len(self.x.x):,} types with features, {embedded:,} with learned rows"

    def walked(self, ids: Ids) -> str:
        """What `rows` of `ids` walks, layer by layer, of the edges that there are."""
        if not isinstance(grounds := self.view(ids).grounds, TypedSampled):
            return f"every layer walks {self.graph.graph.edges:,} edges"
        edges = ", then ".join(f"{hop.index.edges:,}" for hop in grounds.hops)
        return f"{DROP_UNREAD}: layers walk {edges} of {self.graph.graph.edges:,} edges"

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        """Numbers below `count`, cut into the steps of an epoch."""
        del random
        yield np.arange(count)

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        """From a step's number to the rows [M, C] of the distinct ascending vertices `ids`."""
        del random
        return lambda step: self.rows(ids, step)


class SampledModel(StitchedModel):
    """Steps run on the vertices they ask for and what was drawn of their neighbours; `run` and `rows` see them all."""

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

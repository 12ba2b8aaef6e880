"""Rows of the model's output for vertices of one graph: from the whole graph in every step, or from sampled neighbours.

Shape letters: N vertices, M of them asked for, E arcs, C columns of the output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData
from workers.systems.seastar import prepare
from workers.systems.seastar.dgl_bridge import DglSampler
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.task_spec import Batches, Sampled
from workers.training.batches import WholeGraph, by_hop
from workers.training.placement import device_of
from workers.training.sampler import OwnSampler, Sampler, hops
from workers.training.task import as_entries, build, dtype_of, step_seed
from workers.zoo import blocks
from workers.zoo.blocks import Degrees
from workers.zoo.graphs import Graphs
from workers.zoo.layer_wise import WholeBlock, layer_wise, whole_blocks
from workers.zoo.module import ModelModule
from workers.zoo.sparse_features import SparseFeatures

Ids = NDArray[np.int64]
SAMPLERS: dict[str, Callable[[Ids, Ids, int], Sampler]] = {"own": OwnSampler, "dgl": DglSampler}


class Encoder(Protocol):
    """The model on one graph."""

    module: ModelModule

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        """Numbers below `count`, cut into the steps of an epoch."""

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        """From a step's number to the rows [M, C] of the distinct vertices `ids`."""

    def evaluated(self) -> Tensor:
        """[N, C], exactly."""

    def described(self) -> Sequence[str]:
        """Lines for the log."""


class _OnGraph:
    def __init__(self, spec: SeastarSpec, data: GraphData) -> None:
        self.spec, self.data = spec, data
        self.device = device_of(spec.device)
        self.features = prepare.features(data, dtype_of(spec), sparse=as_entries(spec), device=self.device)
        self.module = build(spec, data, sparse=isinstance(self.features.x, SparseFeatures))

    def described(self) -> Sequence[str]:
        return self.features.described()


class WholeEncoder(_OnGraph):
    """Every step runs on all vertices."""

    def __init__(self, spec: SeastarSpec, data: GraphData, settings: WholeGraph) -> None:
        super().__init__(spec, data)
        del settings
        self.graphs = Graphs(data.src, data.dst, data.n, GraphIndex.square, dtype_of(spec), device=self.device)

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        del random
        yield np.arange(count)

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        del random
        chosen = torch.from_numpy(ids)
        return lambda step: self._run(step)[chosen]

    def evaluated(self) -> Tensor:
        return self._run(0)

    def _run(self, step: int) -> Tensor:
        found: Tensor = self.module(self.features.x, self.graphs, self.features.edge_x, step_seed(self.spec, step))
        return found


class SampledEncoder(_OnGraph):
    """Every step runs on the vertices it asks for and what was drawn of their neighbours."""

    def __init__(self, spec: SeastarSpec, data: GraphData, settings: Sampled) -> None:
        super().__init__(spec, data)
        self.settings = settings
        self.sampler = SAMPLERS[settings.sampler](data.src, data.dst, data.n)
        self.degrees = Degrees(data.src, data.dst, data.n)
        self.fan_outs = by_hop(settings.fan_outs, self.module.hops)

    def described(self) -> Sequence[str]:
        drawn = ", ".join(str(k) if k else "all" for k in self.fan_outs)
        return [*super().described(), f"batches of {self.settings.batch_size:,}; neighbours drawn a layer: {drawn}"]

    def parts(self, count: int, random: np.random.Generator) -> Iterator[Ids]:
        order = random.permutation(count)
        for begin in range(0, count, self.settings.batch_size):
            yield order[begin : begin + self.settings.batch_size]

    def forward(self, ids: Ids, random: np.random.Generator) -> Callable[[int], Tensor]:
        drawn = hops(self.sampler, ids, self.fan_outs, random)
        grounds = blocks.Sampled(drawn, self.degrees, dtype_of(self.spec))
        rows = torch.from_numpy(grounds.vertices)
        x = self.features.x.rows(rows) if isinstance(self.features.x, SparseFeatures) else self.features.x[rows]
        return lambda step: self.module(x, grounds, self.features.edge_x, step_seed(self.spec, step))

    def evaluated(self) -> Tensor:
        """Layer by layer with all neighbours."""
        return layer_wise(self.module, self.features.x, self.features.edge_x, self._whole)

    @cached_property
    def _whole(self) -> tuple[WholeBlock, ...]:
        data, random = self.data, np.random.default_rng(0)
        sampler = OwnSampler(data.src, data.dst, data.n)
        return whole_blocks(
            lambda ids: sampler.hop(ids, 0, random),
            data.n,
            self.settings.inference_rows,
            self.degrees,
            self.module.dtype,
        )


def encoder(spec: SeastarSpec, data: GraphData, settings: Batches) -> Encoder:
    if isinstance(settings, Sampled):
        return SampledEncoder(spec, data, settings)
    return WholeEncoder(spec, data, settings)

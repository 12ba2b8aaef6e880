"""A job's model as a contender: in Asterism, or in a peer's layers from the same weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import Tensor, nn
from torch.nn import functional

from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData
from workers.systems.seastar import prepare
from workers.systems.seastar.spec import SeastarSpec
from workers.systems.seastar.tasks.node import class_scores
from workers.training.comparison.network import PeerNetwork, library
from workers.training.comparison.race import Forward, Racer
from workers.training.comparison.racers import Racers
from workers.training.task import build, dtype_of, step_seed
from workers.zoo.graphs import Graphs
from workers.zoo.sparse_features import SparseFeatures


def _ours(spec: SeastarSpec, data: GraphData) -> Racer:
    dtype = dtype_of(spec)
    features = prepare.features(data, dtype, sparse=spec.training.kernels == "generated")
    module = build(spec, data, sparse=isinstance(features.x, SparseFeatures))

    def start() -> Forward:
        graphs = Graphs(data.src, data.dst, data.n, GraphIndex.square, dtype)
        return lambda step: module(features.x, graphs, features.edge_x, step_seed(spec, step))

    return _racer(module, data, start)


def _peer(system: str, spec: SeastarSpec, data: GraphData) -> Racer:
    """A peer reads its features dense, as its users give them; its weights are ours, drawn from the seed alone."""
    dtype, peer = dtype_of(spec), library(__package__, system)
    features = prepare.features(data, dtype, sparse=False)
    reference = spec.training.model_copy(update={"kernels": "reference"})
    module = PeerNetwork(build(spec.model_copy(update={"training": reference}), data), peer)

    def start() -> Forward:
        graphs = Graphs(data.src, data.dst, data.n, peer.graph, dtype)
        return lambda step: module(features.x, graphs, features.edge_x)

    return _racer(module, data, start)


def _racer(module: nn.Module, data: GraphData, start: Callable[[], Forward]) -> Racer:
    labels = prepare.labels(data)

    def loss(scores: Tensor) -> Tensor:
        return functional.cross_entropy(scores[labels.train], labels.y[labels.train])

    return Racer(module, start, loss, partial(class_scores, labels=labels))


RACERS = Racers(_ours, _peer)

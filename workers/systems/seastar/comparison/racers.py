"""A job's model as a contender: in Asterism, or in a peer's layers from the same weights."""

from __future__ import annotations

from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.runtime import GraphIndex
from workers.core.dataset import GraphData
from workers.systems.seastar import prepare
from workers.systems.seastar.comparison.counterparts import System
from workers.systems.seastar.comparison.network import PeerNetwork, library
from workers.systems.seastar.comparison.race import Forward, Racer
from workers.systems.seastar.spec import SeastarSpec
from workers.training.task import build, dtype_of, step_seed
from workers.zoo.graphs import Graphs
from workers.zoo.sparse_features import SparseFeatures


def make_racer(system: System, spec: SeastarSpec, data: GraphData) -> Racer:
    """The contender `system`. Raises ImportError where its library is missing, KeyError for a layer it lacks."""
    if system == "asterism":
        return _ours(spec, data)
    if system == "passes_off":
        without = spec.compiler.model_copy(update={"passes_off": SWITCHES})
        return _ours(spec.model_copy(update={"compiler": without}), data)
    return _peer(system, spec, data)


def _ours(spec: SeastarSpec, data: GraphData) -> Racer:
    dtype = dtype_of(spec)
    features = prepare.features(data, dtype, sparse=spec.training.kernels == "generated")
    module = build(spec, data, sparse=isinstance(features.x, SparseFeatures))

    def start() -> Forward:
        graphs = Graphs(data.src, data.dst, data.n, GraphIndex.square, dtype)
        return lambda step: module(features.x, graphs, features.edge_x, step_seed(spec, step))

    return Racer(module, prepare.labels(data), start)


def _peer(system: str, spec: SeastarSpec, data: GraphData) -> Racer:
    """A peer reads its features dense, as its users give them; its weights are ours, drawn from the seed alone."""
    dtype, peer = dtype_of(spec), library(system)
    features = prepare.features(data, dtype, sparse=False)
    reference = spec.training.model_copy(update={"kernels": "reference"})
    module = PeerNetwork(build(spec.model_copy(update={"training": reference}), data), peer)

    def start() -> Forward:
        graphs = Graphs(data.src, data.dst, data.n, peer.graph, dtype)
        return lambda step: module(features.x, graphs, features.edge_x)

    return Racer(module, prepare.labels(data), start)

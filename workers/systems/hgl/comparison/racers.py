"""A job's model over relations as a contender: in Asterism, or in a peer's layers from the same weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import Tensor, nn
from torch.nn import functional

from workers.core.dataset_store import describe
from workers.core.hetero import HeteroData
from workers.systems.hgl.comparison.typed_graph import PeerGround
from workers.systems.hgl.spec import HglSpec
from workers.systems.hgl.stitched import StitchedModel
from workers.systems.hgl.tasks.node import TypedLabels, typed_scores
from workers.training.comparison.network import PeerNetwork, library
from workers.training.comparison.race import Forward, Racer
from workers.training.comparison.racers import Racers
from workers.training.task import build, dtype_of
from workers.zoo.typed_features import TypedFeatures


def _ours(spec: HglSpec, data: HeteroData) -> Racer:
    """Steps ask for the rows that train, evaluation for all of the target type, as in the job itself."""
    labels = TypedLabels(data)
    train = labels.rows.start + labels.parts["train"].numpy()
    module = build(spec, data)

    def start() -> Forward:
        model = StitchedModel(spec, data, module)
        return lambda step: model.rows(train if step else labels.ids, step)

    return _racer(module, labels, start)


def _peer(system: str, spec: HglSpec, data: HeteroData) -> Racer:
    """A peer gives all vertices rows, of which the same are looked at."""
    labels, peer = TypedLabels(data), library(__package__, system)
    train = labels.rows.start + labels.parts["train"]
    x = TypedFeatures.of(data, dtype_of(spec))
    reference = spec.training.model_copy(update={"kernels": "reference"})
    module = PeerNetwork(build(spec.model_copy(update={"training": reference}), data), peer)
    typed = describe(spec.dataset, data).typed

    def start() -> Forward:
        ground = PeerGround(data, typed, peer.graph)

        def forward(step: int) -> Tensor:
            rows: Tensor = module(x, ground)
            return rows[train] if step else rows[labels.rows]

        return forward

    return _racer(module, labels, start)


def _racer(module: nn.Module, labels: TypedLabels, start: Callable[[], Forward]) -> Racer:
    loss = partial(functional.cross_entropy, target=labels.y[labels.parts["train"]])
    return Racer(module, start, loss, partial(typed_scores, labels=labels))


RACERS = Racers(_ours, _peer)

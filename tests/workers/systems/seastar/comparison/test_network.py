"""Models in DGL's and PyG's layers are ours: the same scores from the same weights, and the same after training."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.workers.systems.seastar.comparison.chains import chain, with_own_program
from workers.core.dataset import GraphData
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.seastar.comparison.counterparts import COUNTERPARTS, PACKAGES, lacking
from workers.systems.seastar.comparison.network import library
from workers.systems.seastar.comparison.racers import make_racer
from workers.systems.seastar.spec import SeastarSpec
from workers.zoo.templates import TEMPLATES
from workers.zoo.validate import validate

PEERS = tuple(PACKAGES)
LAYERS: dict[str, tuple[str, dict[str, Any]]] = {
    "gcn without bias": ("gcn", {"bias": False}),
    "gat, mean of heads": ("gat", {"heads": 3, "join": "mean"}),
    "gat, mean without bias": ("gat", {"heads": 3, "join": "mean", "bias": False}),
    "sage without bias": ("sage", {"bias": False}),
    "gin with a fixed eps": ("gin", {"train_eps": False}),
}


@pytest.mark.parametrize("peer", PEERS)
def test_the_table_and_the_layers_are_the_same(peer: str) -> None:
    named = {layer for layer, counterpart in COUNTERPARTS[peer].items() if counterpart.name != "torch"}
    assert named == set(library(peer).layers)


@pytest.mark.parametrize("template", [n for n, t in TEMPLATES.items() if t.task["type"] == "node_classification"])
@pytest.mark.parametrize("peer", PEERS)
def test_a_template_trains_alike(peer: str, template: str) -> None:
    check(peer, TEMPLATES[template].doc)


@pytest.mark.parametrize("case", LAYERS)
@pytest.mark.parametrize("peer", PEERS)
def test_a_layer_trains_alike_with_other_settings(peer: str, case: str) -> None:
    layer, params = LAYERS[case]
    check(peer, chain((layer, {"out_features": 0, **params})))


def check(peer: Any, doc: ModelDoc) -> None:
    """Losses without dropout agree over some steps, which needs the same scores and the same gradients."""
    data = bundled.load("karate")
    spec = SeastarSpec.model_validate(
        {"model": doc.model_dump(), "dataset": "karate", "training": {"kernels": "reference"}}
    )
    ours, theirs = (losses(system, spec, data) for system in ("asterism", peer))
    assert theirs == pytest.approx(ours, rel=2e-5, abs=1e-6)


def losses(system: Any, spec: SeastarSpec, data: GraphData) -> list[float]:
    racer = make_racer(system, spec, data)
    forward = racer.start()
    racer.module.eval()
    optimizer = torch.optim.SGD(racer.module.parameters(), 0.05)
    return [step(forward(0), racer.labels.y, racer.labels.train, optimizer, racer.module) for _ in range(4)]


def step(scores: Tensor, y: Tensor, train: Tensor, optimizer: torch.optim.Optimizer, module: nn.Module) -> float:
    module.zero_grad()
    loss = functional.cross_entropy(scores[train], y[train])
    loss.backward()
    optimizer.step()
    return float(loss.detach())


def test_what_a_peer_lacks_is_named() -> None:
    steps = validate(with_own_program(), None).steps
    assert all(lacking(steps, peer, directed=False) == ["Vertex program (program0)"] for peer in PEERS)


def test_what_normalises_by_out_degrees_is_lacking_where_arcs_go_one_way() -> None:
    steps = validate(chain(("gcn", {"out_features": 0})), None).steps
    assert [lacking(steps, peer, directed=True) for peer in ("dgl", "pyg")] == [["GCN (gcn0)"], []]

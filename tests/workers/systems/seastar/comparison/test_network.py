"""Models in DGL's and PyG's layers are ours: the same scores from the same weights, and the same after training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.workers.systems.seastar.comparison.chains import chain, with_own_program
from tests.workers.training.comparison.steps import losses
from tests.workers.zoo.documents import doc, node
from workers.core.dataset import GraphData
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.seastar import comparison
from workers.systems.seastar.comparison.counterparts import COUNTERPARTS
from workers.systems.seastar.comparison.racers import RACERS
from workers.systems.seastar.spec import SeastarSpec
from workers.training.comparison.counterparts import lacking
from workers.training.comparison.network import library
from workers.training.comparison.systems import PACKAGES
from workers.zoo.layers import LAYERS as ZOO
from workers.zoo.step import Step
from workers.zoo.templates import TEMPLATES
from workers.zoo.validate import validate

PEERS = tuple(PACKAGES)
LAYERS: dict[str, tuple[str, dict[str, Any]]] = {
    "gcn without bias": ("gcn", {"bias": False}),
    "gat, mean of heads": ("gat", {"heads": 3, "join": "mean"}),
    "gat, mean without bias": ("gat", {"heads": 3, "join": "mean", "bias": False}),
    "gatv2": ("gatv2", {"heads": 3}),
    "gatv2, one matrix": ("gatv2", {"heads": 3, "join": "mean", "share": True}),
    "gatv2 without bias": ("gatv2", {"heads": 2, "bias": False}),
    "sage, pool": ("sage", {"reduce": "pool"}),
    "sage, max": ("sage", {"reduce": "max"}),
    "sage of length one": ("sage", {"unit_length": True}),
    "sage without bias": ("sage", {"bias": False}),
    "gin with a fixed eps": ("gin", {"train_eps": False}),
    "sgc": ("sgc", {"hops": 3}),
    "tag": ("tag", {"hops": 2}),
    "agnn": ("agnn", {}),
    "agnn with a fixed beta": ("agnn", {"train_beta": False}),
    "transformer": ("transformer", {"heads": 3}),
    "transformer, gate": ("transformer", {"heads": 3, "join": "mean", "gate": True}),
    "edgeconv": ("edgeconv", {"hidden_features": 5}),
    "edgeconv, one layer": ("edgeconv", {"depth": 1}),
    "pna": ("pna", {"usual": 1.3}),
    "edgegate": ("edgegate", {}),
    "edgegate, max": ("edgegate", {"reduce": "max"}),
    "edgegate without bias": ("edgegate", {"bias": False}),
    "layer norm": ("layer_norm", {}),
}


@pytest.mark.parametrize("peer", PEERS)
def test_the_table_and_the_layers_are_the_same(peer: str) -> None:
    named = {layer for layer, counterpart in COUNTERPARTS[peer].items() if counterpart.name != "torch"}
    assert named == set(library(comparison.__name__, peer).layers)


@pytest.mark.parametrize(
    "template", [n for n, t in TEMPLATES.items() if (t.kind, t.task["type"]) == ("seastar", "node_classification")]
)
@pytest.mark.parametrize("peer", PEERS)
def test_a_template_trains_alike(peer: str, template: str) -> None:
    check(peer, TEMPLATES[template].doc)


def places() -> list[tuple[str, str]]:
    """Every case with every peer that has a counterpart of it."""
    return [
        (peer, case)
        for case in LAYERS
        for peer in PEERS
        if not lacking(COUNTERPARTS, steps_of(case), peer, directed=False)
    ]


def document(case: str) -> ModelDoc:
    """The layer between two linear ones, so that what it reads has gradients."""
    layer, params = LAYERS[case]
    width = {"out_features": 4} if "out_features" in {p.name for p in ZOO[layer].params} else {}
    return chain(("linear", {"out_features": 6}), (layer, width | params), ("linear", {"out_features": 0}))


def steps_of(case: str) -> Sequence[Step]:
    return validate(document(case), None).steps


@pytest.mark.parametrize(("peer", "case"), places())
def test_a_layer_trains_alike_with_other_settings(peer: str, case: str) -> None:
    check(peer, document(case))


def test_edge_features_reach_a_peers_layer() -> None:
    """Coordinates of edges, which no bundled graph has: the degrees of both ends."""
    data = bundled.load("karate")
    degree = np.bincount(data.dst, minlength=data.n)
    edge_x = np.stack([degree[data.src], degree[data.dst]], 1).astype(np.float32) / degree.max()
    ends = ["input.h > monet.x", "input.e > monet.e", "monet.y > output.x"]
    model = doc([node("input"), node("monet", out_features=0), node("output")], ends)
    check("pyg", model, replace(data, edge_x=edge_x))


def check(peer: Any, model: ModelDoc, data: GraphData | None = None) -> None:
    """Losses without dropout agree over some steps, which needs the same scores and the same gradients."""
    data = data or bundled.load("karate")
    spec = SeastarSpec.model_validate(
        {"model": model.model_dump(), "dataset": "karate", "training": {"kernels": "reference"}}
    )
    ours, theirs = (losses(RACERS.make(system, spec, data)) for system in ("asterism", peer))
    assert theirs == pytest.approx(ours, rel=2e-5, abs=1e-6)


def test_what_a_peer_lacks_is_named() -> None:
    steps = validate(with_own_program(), None).steps
    assert all(lacking(COUNTERPARTS, steps, peer, directed=False) == ["Vertex program (program0)"] for peer in PEERS)


def test_what_normalises_by_out_degrees_is_lacking_where_arcs_go_one_way() -> None:
    steps = validate(chain(("gcn", {"out_features": 0})), None).steps
    assert [lacking(COUNTERPARTS, steps, peer, directed=True) for peer in ("dgl", "pyg")] == [["GCN (gcn0)"], []]

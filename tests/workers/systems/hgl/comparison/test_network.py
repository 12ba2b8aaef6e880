"""Models over relations in DGL's and PyG's layers are ours: the same scores from the same weights, the same training.

The graph has a type that receives nothing, one without vertices, a relation without edges, and types without features.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from torch.nn import functional

from tests.workers.training.comparison.steps import losses
from tests.workers.zoo.relations.documents import CHOICES, facts, graph, model
from workers.core.hetero import HeteroData
from workers.core.model import ModelDoc
from workers.datasets import bundled
from workers.systems.hgl import comparison
from workers.systems.hgl.comparison.counterparts import COUNTERPARTS
from workers.systems.hgl.comparison.racers import RACERS
from workers.systems.hgl.comparison.typed_graph import PeerGround
from workers.systems.hgl.spec import HglSpec
from workers.systems.hgl.stitched import StitchedModel
from workers.training.comparison.counterparts import lacking
from workers.training.comparison.network import PeerNetwork, library
from workers.training.comparison.systems import PACKAGES
from workers.training.task import build
from workers.zoo.templates import TEMPLATES
from workers.zoo.typed_features import TypedFeatures
from workers.zoo.validate import validate

PEERS = tuple(PACKAGES)
DATA = graph()
PINNED = {"relations": "author -writes-> paper; paper -cites-> paper; paper -never-> venue"}
MORE: list[tuple[str, dict[str, Any]]] = [
    ("rgcn", {"out_features": 6, "bias": False}),
    ("rgat", {"out_features": 3, "heads": 2, "negative_slope": 0.1}),
    *((kind, params | PINNED) for kind, params in CHOICES if kind in ("rgcn", "rgat", "hetero_sage", "han", "hgt")),
]


def lacks(peer: str, document: ModelDoc) -> list[str]:
    return lacking(COUNTERPARTS, validate(document, facts(DATA)).steps, peer, directed=True)


def places() -> list[Any]:
    """Every layer with every peer that has a counterpart of it."""
    return [
        pytest.param(peer, model(kind, **params), id=f"{peer}-{kind}-{number}")
        for number, (kind, params) in enumerate([*CHOICES, *MORE])
        for peer in PEERS
        if not lacks(peer, model(kind, **params))
    ]


@pytest.mark.parametrize("peer", PEERS)
def test_the_table_and_the_layers_are_the_same(peer: str) -> None:
    named = {layer for layer, counterpart in COUNTERPARTS[peer].items() if counterpart.name != "torch"}
    assert named == set(library(comparison.__name__, peer).layers)


@pytest.fixture(autouse=True)
def one_gelu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours is the usual approximation, which torch has too; that of PyG's HGTConv is exact."""
    monkeypatch.setattr(functional, "gelu", partial(functional.gelu, approximate="tanh"))


@pytest.mark.parametrize(("peer", "document"), places())
def test_a_layer_gives_the_same_and_trains_alike(peer: Any, document: ModelDoc) -> None:
    spec = spec_of(document)
    module = build(spec, DATA)
    with torch.no_grad():
        for parameter in module.parameters():  # many of them start as zeros or ones
            parameter.add_(torch.randn(parameter.shape, dtype=parameter.dtype), alpha=0.3)
        ours = StitchedModel(spec, DATA, module).run(0)
        found = library(comparison.__name__, peer)
        ground = PeerGround(DATA, facts(DATA).typed, found.graph)
        theirs = PeerNetwork(module, found)(TypedFeatures.of(DATA, torch.float64), ground)
    torch.testing.assert_close(theirs, ours, rtol=1e-9, atol=1e-10)
    check(peer, spec, DATA)


@pytest.mark.parametrize(
    ("peer", "template"),
    [*((peer, name) for peer in PEERS for name in ("rgcn", "rgat")), ("pyg", "han"), ("pyg", "hgt")],
)
def test_a_template_trains_alike(peer: str, template: str) -> None:
    check(peer, spec_of(TEMPLATES[template].doc), bundled.load_hetero("library"))


def spec_of(document: ModelDoc) -> HglSpec:
    training = {"kernels": "reference", "dtype": "float64"}
    return HglSpec.model_validate({"model": document.model_dump(), "dataset": "shelf", "training": training})


def check(peer: Any, spec: HglSpec, data: HeteroData) -> None:
    """Losses without dropout agree over some steps, which needs the same gradients."""
    ours, theirs = (losses(RACERS.make(system, spec, data)) for system in ("asterism", peer))
    assert theirs == pytest.approx(ours, rel=1e-8)


@pytest.mark.parametrize("peer", PEERS)
def test_what_a_peer_lacks_is_named(peer: str) -> None:
    alone = {"out_features": 6} if peer == "pyg" else {"out_features": 3, "heads": 2}
    kind, title = ("comp_gcn", "CompGCN") if peer == "pyg" else ("hgt", "HGT")
    assert lacks(peer, model(kind, **alone)) == [f"{title} (it)"]

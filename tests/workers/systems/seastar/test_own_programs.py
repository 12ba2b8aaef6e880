"""A layer whose program was made the model's own trains as the layer it was, whatever editing put into its names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from workers.compiler.program_graph.edit import ProgramEdit, Rename
from workers.compiler.program_graph.edits import edit_program
from workers.core.channel import MemoryChannel
from workers.core.dataset_store import describe
from workers.core.model import Endpoint, ModelDoc, Node, VertexProgram, Wire
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SeastarSpec
from workers.zoo.bind import bound_names
from workers.zoo.layers import LAYERS
from workers.zoo.over_relations import OVER_RELATIONS
from workers.zoo.reading import read_signature, zoo_source
from workers.zoo.signature import Layer
from workers.zoo.validate import validate

KARATE = bundled.load("karate")
DATA = replace(KARATE, edge_x=np.random.default_rng(0).random((len(KARATE.src), 3)).astype(np.float32))
SMALL = {"out_features": 5, "hidden_features": 6, "heads": 2, "kernels": 2, "hops": 2}
# A program of the model's own runs over the edges of the graph; a readout runs over the vertices of many graphs, and
# layers over relations are trained by another kind of job.
ELSEWHERE = {"readout", *(layer.type for layer in OVER_RELATIONS)}
OWN = {name: x for name, x in LAYERS.items() if x.program and x.program.name and name not in ELSEWHERE}


def _wire(source: str, target: str) -> Wire:
    (a, p), (b, q) = source.split("."), target.split(".")
    return Wire(source=Endpoint(node=a, port=p), target=Endpoint(node=b, port=q))


def _model(layer: Layer) -> ModelDoc:
    """The layer between the input and one linear layer."""
    params = {p.name: SMALL[p.name] for p in layer.params if p.name in SMALL}
    nodes = (
        Node(id="input", type="input"),
        Node(id="it", type=layer.type, params=params),
        Node(id="head", type="linear", params={"out_features": 0}),
        Node(id="output", type="output"),
    )
    arriving = tuple(_wire("input.e" if p.kind == "edge" else "input.h", f"it.{p.name}") for p in layer.inputs)
    return ModelDoc(nodes=nodes, wires=(*arriving, _wire("it.y", "head.x"), _wire("head.y", "output.x")))


def _owned(layer: Layer, doc: ModelDoc) -> ModelDoc:
    """The same with the layer's text as a program of the model, its features under the names such a layer gives.

    Such a layer always reads vertices; one that read edges alone is wired to both.
    """
    use = layer.program
    assert use is not None
    step = next(s for s in validate(doc, describe("karate", DATA)).steps if s.node.id == "it")
    signature = read_signature(zoo_source(use.name))
    edits: list[ProgramEdit] = [
        Rename(edit="rename", node=f"e.{n}", name="w") for n in signature.edge_features if n != "w"
    ]
    source = edit_program(zoo_source(use.name), edits).text
    shapes = {s.text for s in (*signature.features.values(), *signature.edge_features.values())}
    settings = {n: x for n, x in bound_names(step).items() if n not in shapes}
    own = Node(
        id="it", type="program", params={"program": "mine", "self_loops": layer.preparation.self_loops, **settings}
    )
    return doc.model_copy(
        update={
            "nodes": tuple(own if n.id == "it" else n for n in doc.nodes),
            "wires": doc.wires if any(p.name == "x" for p in layer.inputs) else (*doc.wires, _wire("input.h", "it.x")),
            "programs": (VertexProgram(name="mine", source=source),),
        }
    )


def _curve(doc: ModelDoc) -> list[dict[str, float]]:
    training: dict[str, Any] = {"epochs": 3, "profile_epochs": 0, "dtype": "float64", "seed": 4, "threads": 1}
    body = {"model": doc.model_dump(), "dataset": "karate", "training": training}
    channel = MemoryChannel(datasets={"karate": DATA})
    run(SeastarSpec.model_validate(body), channel)
    return [{k: v for k, v in values.items() if k != "epoch_ms"} for _, values in channel.metrics]


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_layer_made_ones_own_trains_to_the_same_loss(name: str) -> None:
    doc = _model(OWN[name])
    usual, own = _curve(doc), _curve(_owned(OWN[name], doc))
    assert len(usual) == 3
    for want, got in zip(usual, own, strict=True):
        assert got == pytest.approx(want, rel=1e-9)

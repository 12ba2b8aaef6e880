"""Models that are one layer after the other."""

from __future__ import annotations

from tests.workers.zoo.documents import doc, node
from workers.core.model import ModelDoc, Scalar

OWN = "def own(v: Vertex(h='in')):\n    return sum(nb.h for nb in v.innbs)\n"


def chain(*layers: tuple[str, dict[str, Scalar]], programs: dict[str, str] | None = None) -> ModelDoc:
    """Layers with their settings between input and output, named `gcn0`, `linear1` and so on."""
    names = [f"{layer}{place}" for place, (layer, _) in enumerate(layers)]
    nodes = [node(f"{name}:{layer}", **params) for name, (layer, params) in zip(names, layers, strict=True)]
    ends = ["input.h", *(f"{name}.y" for name in names)]
    wires = [f"{end} > {name}.x" for end, name in zip(ends, [*names, "output"], strict=True)]
    return doc([node("input"), *nodes, node("output")], wires, programs)


def with_own_program() -> ModelDoc:
    """A vertex program of the model's own, which no other library has."""
    return chain(("program", {"program": "own"}), ("linear", {"out_features": 0}), programs={"own": OWN})

"""E23: what the canvas works out while one types is what validation finds, on random documents, sound and faulty."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from backend.catalog.describe import all_layers
from tests.servers.databases import ROOT
from tests.workers.zoo.documents import dataset
from workers.core.dataset import DatasetInfo
from workers.core.model import Endpoint, ModelDoc, Node, Scalar, Wire
from workers.zoo.layers import LAYERS
from workers.zoo.signature import Layer, Param, Port, Sizes
from workers.zoo.validate import validate

FRONTEND = ROOT / "frontend"
CASES = 400
KINDS = [name for name in LAYERS if name not in ("program", "hgt")]
"""A model's own vertex program is read by the server alone, which also says whether heads keep a width."""
TypesByPort = dict[str, list[Any]]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (FRONTEND / "node_modules").is_dir(), reason="the pages' packages are missing"
)


def test_the_canvas_finds_the_types_that_validation_finds(tmp_path: Path) -> None:
    rng = random.Random(23)
    cases = [(_document(rng), _info(rng)) for _ in range(CASES)]
    expected = [_types(doc, info) for doc, info in cases]
    assert _on_the_canvas(cases, tmp_path) == expected
    assert sum(len(types) for types in expected) > 5 * CASES
    assert sum(not validate(doc, info).ok for doc, info in cases) > CASES / 4


def _types(doc: ModelDoc, info: DatasetInfo | None) -> TypesByPort:
    steps = validate(doc, info).steps
    return {f"{s.node.id}.{port}": [t.kind, *t.shape] for s in steps for port, t in s.outputs.items()}


def _on_the_canvas(cases: list[tuple[ModelDoc, DatasetInfo | None]], folder: Path) -> list[TypesByPort]:
    given = folder / "cases.json"
    layers = all_layers().model_dump(mode="json")["items"]
    sent = [{"doc": doc.model_dump(mode="json"), "sizes": _sizes(info)} for doc, info in cases]
    given.write_text(json.dumps({"layers": layers, "cases": sent}))
    command = ["node", "scripts/shapes.mjs", str(given)]
    done = subprocess.run(command, cwd=FRONTEND, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    found: list[TypesByPort] = json.loads(done.stdout)
    return found


def _sizes(info: DatasetInfo | None) -> dict[str, Any]:
    return {name: size for name, size in asdict(Sizes.of(info)).items() if name != "typed"}


def _info(rng: random.Random) -> DatasetInfo | None:
    return rng.choice([None, dataset(), dataset(features=9, edge_features=4, classes=("a", "b"))])


def _document(rng: random.Random) -> ModelDoc:
    """Twelve layers after an input, each mostly wired to what came before, now and then to anything or nothing."""
    nodes = [Node(id="input", type="input")]
    wires: list[Wire] = []
    for i in range(rng.randint(3, 12)):
        layer = LAYERS[rng.choice(KINDS)]
        nodes.append(Node(id=f"n{i}", type=layer.type, params=_settings(rng, layer)))
        wires += [_wire(rng, nodes, port) for port in layer.inputs for _ in range(_count(rng, port))]
    return ModelDoc(nodes=tuple(nodes), wires=tuple(wires))


def _count(rng: random.Random, port: Port) -> int:
    return rng.randint(1, 3) if port.many else rng.choice([1] * 30 + [0, 2])


def _wire(rng: random.Random, nodes: list[Node], port: Port) -> Wire:
    return Wire(source=_source(rng, nodes, port.kind), target=Endpoint(node=nodes[-1].id, port=port.name))


def _source(rng: random.Random, nodes: list[Node], kind: str) -> Endpoint:
    if rng.random() < 0.02:
        return Endpoint(node=rng.choice([*(n.id for n in nodes), "gone"]), port=rng.choice(["y", "h", "odd"]))
    ends = [(n.id, port) for n in nodes[:-1] for port in LAYERS[n.type].outputs]
    fitting = [(node, port) for node, port in ends if port.kind == kind or "any" in (port.kind, kind)] or ends
    node, port = rng.choice(fitting)
    return Endpoint(node=node, port=port.name)


def _settings(rng: random.Random, layer: Layer) -> dict[str, Scalar]:
    """Mostly sound ones, few widths, so that values meet; what divides a width is for the server to say."""
    told = [p for p in layer.params if p.name not in ("frames", "sharing") and rng.random() < 0.6]
    odd: dict[str, Scalar] = {"colour": 1} if rng.random() < 0.02 else {}
    return {p.name: _value(rng, p) for p in told} | odd


def _value(rng: random.Random, param: Param) -> Scalar:
    if rng.random() < 0.02:
        odd: list[Scalar] = [-1, 70_000, 2.5, True, "other"]
        return rng.choice(odd)
    if param.choices:
        return rng.choice(param.choices)
    return rng.choice([0, 8, 8, 8, 16] if param.zero else [1, 2]) if param.size else param.default

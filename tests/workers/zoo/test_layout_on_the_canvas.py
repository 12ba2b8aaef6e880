"""Every program of the zoo, laid out as the canvas does it, can be read: boxes apart, values from left to right."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import combinations, pairwise
from typing import Any

import pytest

from backend.code.programs import graph
from tests.servers.databases import ROOT
from workers.zoo.layers import LAYERS
from workers.zoo.reading import zoo_source

FRONTEND = ROOT / "frontend"
NAMES = sorted({layer.program.name for layer in LAYERS.values() if layer.program and layer.program.name})
HIGHEST, LONGEST = 1600, 6000  # px: at a zoom at which names can be read, two screens high and four wide
Layout = dict[str, Any]
Box = dict[str, float]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (FRONTEND / "node_modules").is_dir(), reason="the pages' packages are missing"
)


@pytest.fixture(scope="module")
def layouts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Layout]:
    given = tmp_path_factory.mktemp("programs") / "graphs.json"
    given.write_text(json.dumps([graph(zoo_source(name), {}).model_dump(mode="json") for name in NAMES]))
    command = ["node", "scripts/lay-out.mjs", str(given)]
    done = subprocess.run(command, cwd=FRONTEND, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(zip(NAMES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_boxes_stand_apart_in_their_lanes(name: str, layouts: dict[str, Layout]) -> None:
    boxes, lanes = layouts[name]["boxes"], layouts[name]["lanes"]
    drawn = {n.id for n in graph(zoo_source(name), {}).nodes if n.kind != "constant"}
    assert boxes.keys() == drawn
    assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(boxes[a], boxes[b])]
    assert all(a["to"] <= b["from"] for a, b in pairwise(lanes))
    for box in boxes.values():
        assert any(lane["from"] <= box["x"] and box["x"] + box["width"] <= lane["to"] for lane in lanes)


@pytest.mark.parametrize("name", NAMES)
def test_wires_run_rightwards_and_through_no_box(name: str, layouts: dict[str, Layout]) -> None:
    """What a loop hands on runs back, and nothing else does."""
    boxes, routes = layouts[name]["boxes"], layouts[name]["routes"]
    looped = sum(w.back for w in graph(zoo_source(name), {}).wires)
    xs = [[point["x"] for point in route] for route in routes]
    assert routes
    assert sum(x != sorted(x) for x in xs) == looped
    assert not [p for route in routes for p in route[1:-1] if any(inside(p, box) for box in boxes.values())]


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_fits_a_few_screens(name: str, layouts: dict[str, Layout]) -> None:
    boxes = layouts[name]["boxes"].values()
    assert max(b["x"] + b["width"] for b in boxes) <= LONGEST
    assert max(b["y"] + b["height"] for b in boxes) <= HIGHEST


def overlap(a: Box, b: Box) -> bool:
    apart_x = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not (apart_x or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"])


def inside(point: Box, box: Box) -> bool:
    return box["x"] < point["x"] < box["x"] + box["width"] and box["y"] < point["y"] < box["y"] + box["height"]

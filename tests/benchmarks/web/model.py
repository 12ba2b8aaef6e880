"""The rules of the canvas without a picture: checks of a wire in hand, shapes, and the server's validation."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time

from tests.benchmarks.web.budgets import Figures, percentile
from tests.benchmarks.web.documents import large_model
from tests.benchmarks.web.site import Site
from tests.servers.databases import ROOT

TIMES = 30


def round_(site: Site) -> Figures:
    doc = large_model(500, 700, 16)
    with site.stack.client() as api:
        layers = api.get("/api/v1/layers").raise_for_status().json()["items"]
        times = []
        for _ in range(TIMES):
            began = time.perf_counter()
            api.post("/api/v1/model-validations", json={"doc": doc}).raise_for_status()
            times.append(1000 * (time.perf_counter() - began))
    return {"validate": percentile(times, 0.95), **in_node(doc, layers)}


def in_node(doc: object, layers: object) -> Figures:
    """What frontend/scripts/bench-model.mjs measures of the canvas' own code."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as given:
        json.dump({"doc": doc, "layers": layers}, given)
        given.flush()
        command = ["node", "scripts/bench-model.mjs", given.name]
        done = subprocess.run(command, cwd=ROOT / "frontend", capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    found: Figures = json.loads(done.stdout)
    return found

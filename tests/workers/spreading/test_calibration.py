"""Operators and collectives measured on ranks, and plans made of what was measured."""

from __future__ import annotations

from workers.planning.search import search
from workers.spreading.capture.export import capture
from workers.spreading.configs.configurations import configurations
from workers.spreading.costs.prices import Prices
from workers.spreading.costs.problem import Setting
from workers.spreading.costs.signature import signature
from workers.spreading.execution.calibration import KINDS, calibrate
from workers.spreading.execution.local_launcher import LocalLauncher
from workers.spreading.zoo.sizes import MlpSizes
from workers.spreading.zoo.table import build


def test_every_operator_and_collective_of_a_plan_is_measured() -> None:
    example = build(MlpSizes(layers=1))
    graph = capture(example.model, example.inputs).graph
    found = calibrate(graph, (2,), "adam", LocalLauncher(threads=1))
    assert {(one.kind, one.devices) for one in found.machine.collectives} == {(kind, 2) for kind in KINDS}
    assert found.machine.source == "measured"
    for op in graph.ops:
        for config in configurations(graph, op, (2,)):
            if op.kind == "call":
                assert min(found.operators[signature(graph, op, config, (2,))]) >= 0
            if op.kind == "parameter":
                assert found.operators[signature(graph, op, config, (2,), "adam")][1] > 0
    setting = Setting(graph, Prices(found.machine, (2,), found.operators), "adam")
    points = search(setting.problem)
    assert points.exact
    assert len(points) > 1

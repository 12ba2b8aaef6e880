"""Seconds of a step on one device: operators by a machine's rates, or as they were measured; moves by its links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workers.spreading.capture.graph import Op, OpGraph
from workers.spreading.configs.config import OpConfig
from workers.spreading.configs.layout import MeshShape, local_numel
from workers.spreading.configs.reshard import Hop
from workers.spreading.costs.families import back, family
from workers.spreading.costs.machine import Machine
from workers.spreading.costs.memory import COPIES, OptimizerName
from workers.spreading.costs.signature import signature

# How many times the largest message's share each device sends in a ring of p, and in how many steps, by p.
_STEPS = {"all_gather": 1, "reduce_scatter": 1, "all_reduce": 2, "all_to_all": 1}


@dataclass(frozen=True)
class Price:
    """Seconds of an operator: forward, which parts that are computed again pay twice, and backward."""

    forward: float
    backward: float


@dataclass(frozen=True)
class Prices:
    """A machine's prices for a mesh. `measured` are seconds (forward, backward) by `signature`, before any rate."""

    machine: Machine
    mesh: MeshShape
    measured: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def operator(self, graph: OpGraph, op: Op, config: OpConfig, optimizer: OptimizerName) -> Price:
        """Of a call what it computes, of a parameter its update; the rest costs nothing."""
        if op.kind == "call":
            return self._call(graph, op, config)
        if op.kind != "parameter" or not op.outputs[0].differentiable:
            return Price(0.0, 0.0)
        found = self.measured.get(signature(graph, op, config, self.mesh, optimizer))
        if found is not None:
            return Price(*found)
        value = op.outputs[0]
        moved = value.itemsize * local_numel(value.shape, config.outputs[0], self.mesh) * (COPIES[optimizer] + 1)
        return Price(0.0, self.machine.rate("update").seconds(0.0, moved))

    def _call(self, graph: OpGraph, op: Op, config: OpConfig) -> Price:
        inside = sum(self.hop(hop) for hop in config.forward), sum(self.hop(hop) for hop in config.backward)
        found = self.measured.get(signature(graph, op, config, self.mesh))
        if found is None:
            found = self._rated(graph, op, config)
        trained = any(v.differentiable for v in op.outputs)
        return Price(found[0] + inside[0], found[1] + (inside[1] if trained else 0.0))

    def _rated(self, graph: OpGraph, op: Op, config: OpConfig) -> tuple[float, float]:
        name = family(op)
        rate = self.machine.rate(name)
        if name == "view":
            return rate.seconds(0.0, 0.0), rate.seconds(0.0, 0.0)
        forward = rate.seconds(config.flops, config.bytes)
        if not any(v.differentiable for v in op.outputs):
            return forward, 0.0
        gradients = sum(v.differentiable for v in graph.inputs_of(op))
        times = back(op, gradients)
        return forward, rate.seconds(times * config.flops, times * config.bytes) if times else 0.0

    def hop(self, hop: Hop) -> float:
        """Seconds of one hop: as measured, or in a ring of neighbours; what is only cut or copied is copied."""
        if hop.devices == 1:
            return 0.0
        found = self.machine.measured(hop.kind, hop.devices)
        if found is not None:
            return found.latency + hop.bytes / found.bandwidth
        if hop.kind not in _STEPS:
            share = hop.bytes / hop.devices if hop.kind == "slice" else hop.bytes
            return self.machine.rate("other").seconds(0.0, 2 * share)
        link, p = self.machine.link(self.mesh, hop.mesh_dim), hop.devices
        share = hop.bytes / p / (p if hop.kind == "all_to_all" else 1)
        return _STEPS[hop.kind] * (p - 1) * (link.latency + share / link.bandwidth)

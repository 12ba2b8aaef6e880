"""What a strategy's memory and time are made of."""

from __future__ import annotations

from collections import defaultdict

from workers.spreading.configs.strategy import Strategy
from workers.spreading.costs.memory import COPIES
from workers.spreading.costs.problem import Setting


def memory_by_cause(setting: Setting, strategy: Strategy, total: float) -> dict[str, float]:
    """Bytes of parameters, gradients, the optimizer, inputs and buffers; what is left of the total is kept values."""
    found: defaultdict[str, float] = defaultdict(float)
    for op in setting.graph.ops:
        if op.kind in ("call", "output"):
            continue
        held = setting.memory.node(op, strategy.configs[op.name], kept=False)
        if op.kind == "parameter" and op.outputs[0].differentiable:
            one = setting.memory.bytes_of(op, strategy.configs[op.name])
            copies = COPIES[setting.optimizer] - 2
            found["parameters"] += one
            found["gradients"] += one
            found["optimizer"] += held - 2 * one if copies else 0.0
        else:
            found["parameters" if op.kind == "parameter" else "inputs"] += held
    found["activations"] = max(total - sum(found.values()), 0.0)
    return dict(found)


def time_by_cause(setting: Setting, strategy: Strategy) -> dict[str, float]:
    """Seconds of computing forward and backward, of the optimizer, and of moves by kind of hop."""
    found: defaultdict[str, float] = defaultdict(float)
    for op in setting.graph.ops:
        config = strategy.configs[op.name]
        forward, backward = setting.operator_seconds(op, config)
        if op.kind != "call":
            found["optimizer"] += forward + backward
            continue
        inside = sum(map(setting.prices.hop, (*config.forward, *config.backward)))
        found["all_reduce"] += inside
        found["forward"] += forward
        found["backward"] += backward - inside
    for (reader, _), move in strategy.moves.items():
        twice = 2 if setting.again(setting.graph.by_name[reader]) else 1
        for hops, times in ((move.forward, twice), (move.backward, 1)):
            for hop in hops:
                found["copies" if hop.kind in ("slice", "divide") else hop.kind] += times * setting.prices.hop(hop)
    return {cause: seconds for cause, seconds in found.items() if seconds > 0}

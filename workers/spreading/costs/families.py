"""Families of operators that a machine works through at one rate. No torch here."""

from __future__ import annotations

from workers.spreading.capture.graph import Op
from workers.spreading.configs.rules.attention import ATTENTION
from workers.spreading.configs.rules.convolution import CONVOLUTIONS
from workers.spreading.configs.rules.lookup import LOOKUPS
from workers.spreading.configs.rules.loss import LOSSES
from workers.spreading.configs.rules.norm import NORMS
from workers.spreading.configs.rules.product import PRODUCTS
from workers.spreading.configs.rules.recurrent import RECURRENT
from workers.spreading.configs.rules.reduction import REDUCTIONS

_BY_TARGET = {
    target: family
    for family, rules in {
        "product": PRODUCTS,
        "convolution": CONVOLUTIONS,
        "attention": ATTENTION,
        "recurrent": RECURRENT,
        "norm": NORMS,
        "lookup": LOOKUPS,
        "loss": LOSSES,
        "reduction": REDUCTIONS,
    }.items()
    for target in rules
}
FAMILIES = (*dict.fromkeys(_BY_TARGET.values()), "view", "update", "other")

# How many times the forward's arithmetic the backward does, a gradient of every input: a product or convolution makes
# one product for each of its two inputs, attention computes its weights again, a recurrent layer goes back in time.
BACKWARD = {"product": 2.0, "convolution": 2.0, "attention": 2.5, "recurrent": 2.0}
OTHERWISE = 1.5  # memory decides: the gradient is read, and what was kept, and a gradient is written


def family(op: Op) -> str:
    """A view costs nothing but its call; what is not named is `other`."""
    if op.target in _BY_TARGET:
        return _BY_TARGET[op.target]
    views = op.outputs and all(v.storage != f"{op.name}:{i}" for i, v in enumerate(op.outputs))
    return "view" if views and not op.mutates else "other"


def back(op: Op, inputs_with_gradient: int) -> float:
    """The backward's share of the forward, given how many inputs take a gradient."""
    name = family(op)
    if name in ("product", "convolution"):
        return float(min(inputs_with_gradient, 2))
    return BACKWARD.get(name, OTHERWISE) if inputs_with_gradient else 0.0

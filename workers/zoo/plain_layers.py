"""What the layers without a vertex program compute, one torch function a row.

Shapes: inputs [N, F...] by port; weights by the names of the layer table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from workers.core.model import Scalar


@dataclass(frozen=True)
class Call:
    """One evaluation of a layer: inputs by port, weights by name, settings, and whether it is training."""

    inputs: Mapping[str, tuple[Tensor, ...]]
    weights: Mapping[str, Tensor]
    params: Mapping[str, Scalar]
    training: bool

    @property
    def x(self) -> Tensor:
        return self.inputs["x"][0]

    def number(self, name: str) -> float:
        return float(self.params[name])


def _activation(call: Call) -> Tensor:
    return _BENDS[str(call.params["function"])](call)


def _batch_norm(call: Call) -> Tensor:
    """Running mean and variance are updated in place while training on more than one row, and used otherwise."""
    w = call.weights
    learning = call.training and call.x.shape[0] > 1
    momentum, eps = call.number("momentum"), call.number("eps")
    return functional.batch_norm(
        call.x, w["running_mean"], w["running_var"], w["scale"], w["shift"], learning, momentum, eps
    )


_BENDS: dict[str, Callable[[Call], Tensor]] = {
    "relu": lambda c: functional.relu(c.x),
    "elu": lambda c: functional.elu(c.x),
    "leaky_relu": lambda c: functional.leaky_relu(c.x, c.number("slope")),
    "tanh": lambda c: torch.tanh(c.x),
    "sigmoid": lambda c: torch.sigmoid(c.x),
}
PLAIN_LAYERS: dict[str, Callable[[Call], Tensor]] = {
    "output": lambda c: c.x,
    "linear": lambda c: torch.addmm(c.weights["bias"], c.x, c.weights["weight"]),
    "activation": _activation,
    "dropout": lambda c: functional.dropout(c.x, c.number("p"), c.training),
    "add": lambda c: sum(c.inputs["x"][1:], c.x),
    "concat": lambda c: torch.cat(c.inputs["x"], -1),
    "layer_norm": lambda c: functional.layer_norm(
        c.x, c.x.shape[-1:], c.weights["scale"], c.weights["shift"], c.number("eps")
    ),
    "batch_norm": _batch_norm,
}

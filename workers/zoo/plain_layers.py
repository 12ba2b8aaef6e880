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


def _batch_norm(call: Call) -> Tensor:
    """Running mean and variance follow the data while training on more than one row, and are used otherwise.

    Written out, since torch's own kernel sums in an order that depends on the number of threads.
    """
    w = call.weights
    mean, var = w["running_mean"], w["running_var"]
    if call.training and call.x.shape[0] > 1:
        mean = call.x.mean(0)
        var = (call.x - mean).square().mean(0)
        _follow(w, mean, var, call.x.shape[0], call.number("momentum"))
    return (call.x - mean) * torch.rsqrt(var + call.number("eps")) * w["scale"] + w["shift"]


@torch.no_grad()
def _follow(w: Mapping[str, Tensor], mean: Tensor, var: Tensor, rows: int, momentum: float) -> None:
    """Move the running figures towards this step's, the variance without its bias."""
    w["running_mean"].lerp_(mean, momentum)
    w["running_var"].lerp_(var * rows / (rows - 1), momentum)


PLAIN_LAYERS: dict[str, Callable[[Call], Tensor]] = {
    "output": lambda c: c.x,
    "linear": lambda c: torch.addmm(c.weights["bias"], c.x, c.weights["weight"]),
    "add": lambda c: sum(c.inputs["x"][1:], c.x),
    "concat": lambda c: torch.cat(c.inputs["x"], -1),
    "layer_norm": lambda c: functional.layer_norm(
        c.x, c.x.shape[-1:], c.weights["scale"], c.weights["shift"], c.number("eps")
    ),
    "batch_norm": _batch_norm,
}

"""Losses: a split batch leaves summands, if what is averaged over is the whole batch."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Roles, Stats, letters
from workers.spreading.configs.rules.rule import Call, Rule, broadcast

NONE, MEAN, SUM = 0, 1, 2  # torch's numbers for reductions


def cross_entropy(call: Call) -> Roles:
    """logits[n, c, ...], targets[n, ...] of classes. A mean is over targets not ignored: their count is summed."""
    logits, targets = call.inputs[0].shape, call.inputs[1].shape
    reduction = call.argument(3, "reduction", MEAN)
    plain = len(logits) >= 2 and call.inputs[1].dtype == "int64" and len(call.inputs) == 2
    plain = plain and not call.argument(5, "label_smoothing", 0.0)
    if not plain:
        return Roles(tuple((None,) * len(v.shape) for v in call.inputs), ((None,) * len(call.outputs[0].shape),))
    ids = letters("n", targets)
    out = ids if reduction == NONE else ()
    return Roles(
        ((ids[0], None, *ids[1:]), ids),
        (out,),
        summed=frozenset(x for x in ids if x),
        stats={x: Stats(8, 0) for x in ids if x} if reduction == MEAN else {},
        flops=12 * prod(logits),
    )


def elementwise(call: Call) -> Roles:
    """A loss of every element by itself, then summed or averaged over a number of elements that is known."""
    shape = call.inputs[0].shape
    position = _REDUCTION[call.op.target]
    dims = letters("d", shape)
    out = dims if call.argument(position, "reduction", MEAN) == NONE else ()
    return Roles(
        tuple(broadcast(v.shape, shape) for v in call.inputs),
        (out,),
        summed=frozenset(x for x in dims if x),
        flops=4 * prod(shape),
    )


_REDUCTION = {
    "aten.mse_loss.default": 2,
    "aten.l1_loss.default": 2,
    "aten.smooth_l1_loss.default": 2,
    "aten.huber_loss.default": 2,
    "aten.binary_cross_entropy.default": 3,
    "aten.binary_cross_entropy_with_logits.default": 4,
}

LOSSES: dict[str, Rule] = {"aten.cross_entropy_loss.default": cross_entropy, **dict.fromkeys(_REDUCTION, elementwise)}

"""Convolutions and pools: split along the batch and channels; along places a piece would need its neighbours."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Dims, Roles, letters
from workers.spreading.configs.rules.rule import Call, Rule


def convolution(call: Call) -> Roles:
    """x[n, c, ...] w[o, c / groups, ...] + b[o]; with groups, channels are split by whole groups."""
    x, w, out = call.inputs[0].shape, call.inputs[1].shape, call.outputs[0].shape
    groups = call.argument(_GROUPS, "groups", 1)
    places: Dims = (None,) * (len(x) - 2)
    bias = len(call.inputs) == 3
    one = groups == 1
    inputs: tuple[Dims, ...] = (
        ("n", "c" if one else "g", *places),
        ("o" if one else "g", "c" if one else None, *places),
        *([("o" if one else "g",)] if bias else []),
    )
    return Roles(
        inputs,
        (("n", "o" if one else "g", *places),),
        summed=frozenset("c"),
        addends=frozenset({2}) if bias else frozenset(),
        units={} if one else {"g": groups},
        flops=2 * prod(out) * prod(w[1:]),
    )


def pooled(call: Call) -> Roles:
    """A window over places, channel by channel."""
    shape = call.inputs[0].shape
    lead = len(shape) - _PLACES[call.op.target]
    dims: Dims = (*letters("d", shape[:lead]), *(None,) * _PLACES[call.op.target])
    return Roles((dims,), (dims,) * len(call.outputs), flops=prod(shape))


_GROUPS = 6  # where convolutions take it: input, weight, bias, stride, padding, dilation, groups
_PLACES = {
    f"aten.{kind}{n}d.default": n
    for kind in ("max_pool", "avg_pool", "adaptive_avg_pool", "upsample_nearest")
    for n in (1, 2, 3)
}

CONVOLUTIONS: dict[str, Rule] = {
    **{f"aten.conv{n}d.{kind}": convolution for n in (1, 2, 3) for kind in ("default", "padding")},
    **dict.fromkeys(_PLACES, pooled),
}

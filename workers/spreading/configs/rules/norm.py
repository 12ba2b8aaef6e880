"""Normalisations: what is normalised over stays whole, but for the batch of a batch norm, whose sums are summed."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Dims, Roles, Stats, letters
from workers.spreading.configs.rules.rule import Call, Rule, dim_of

_SUMS = 8  # bytes of a sum: float64


def layer_norm(call: Call) -> Roles:
    """Over the last dimensions."""
    shape = call.inputs[0].shape
    lead = len(shape) - len(call.argument(1, "normalized_shape"))
    dims: Dims = (*letters("d", shape[:lead]), *(None,) * (len(shape) - lead))
    others = tuple((None,) * len(v.shape) for v in call.inputs[1:])
    return Roles((dims, *others), (dims,), flops=8 * prod(shape))


def batch_norm(call: Call) -> Roles:
    """Over all dimensions but channels. In training a split batch sums two numbers a channel, there and back."""
    shape = call.inputs[0].shape
    dims: Dims = ("n", "c", *(None,) * (len(shape) - 2))
    trained = bool(call.argument(5, "training", False))
    sums = 2 * shape[1] * _SUMS
    return Roles(
        (dims, *(("c",) for _ in call.inputs[1:])),
        (dims,),
        stats={"n": Stats(sums, 2 * shape[1] * call.inputs[0].itemsize, "c")} if trained else {},
        flops=8 * prod(shape),
    )


def group_norm(call: Call) -> Roles:
    """Over groups of channels: split along the batch."""
    shape = call.inputs[0].shape
    dims: Dims = ("n", *(None,) * (len(shape) - 1))
    return Roles((dims, *((None,) for _ in call.inputs[1:])), (dims,), flops=8 * prod(shape))


def softmax(call: Call) -> Roles:
    """Over one dimension."""
    shape = call.inputs[0].shape
    over = dim_of(call.argument(1, "dim"), len(shape))
    dims = tuple(None if dim == over else x for dim, x in enumerate(letters("d", shape)))
    return Roles((dims,), (dims,), flops=12 * prod(shape))


NORMS: dict[str, Rule] = {
    "aten.layer_norm.default": layer_norm,
    "aten.rms_norm.default": layer_norm,
    "aten.batch_norm.default": batch_norm,
    "aten.group_norm.default": group_norm,
    "aten.softmax.int": softmax,
    "aten.log_softmax.int": softmax,
    "aten._softmax.default": softmax,
    "aten._log_softmax.default": softmax,
}

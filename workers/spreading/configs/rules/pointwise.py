"""Operators that work element by element: split alike everywhere, along any dimension."""

from __future__ import annotations

from functools import partial
from math import prod

from workers.spreading.configs.roles import Roles, letters
from workers.spreading.configs.rules.rule import Call, Rule, broadcast


def pointwise(call: Call, linear: tuple[frozenset[int], ...] = (), flops: int = 1) -> Roles:
    """Inputs broadcast to the output. `linear`: inputs that may be summands together, if they are tensors."""
    out = call.outputs[0].shape
    present = frozenset(range(len(call.inputs)))
    return Roles(
        tuple(broadcast(v.shape, out) for v in call.inputs),
        tuple(letters("d", out) for _ in call.outputs),
        linear=tuple(summands for summands in linear if summands <= present),
        flops=flops * prod(out),
    )


def added(call: Call) -> Roles:
    """a + b: a sum of sums, if both are tensors; with a number it would be added once a device."""
    return pointwise(call, (frozenset({0, 1}),) if len(call.inputs) == 2 else ())


def multiplied(call: Call) -> Roles:
    """a · b: linear in each, whether b is a tensor or a number."""
    return pointwise(call, (frozenset({0}), frozenset({1})))


_LINEAR = partial(pointwise, linear=(frozenset({0}),))
_COSTLY = partial(pointwise, flops=10)  # as many operations as an exponential takes, roughly

_KEPT = ("neg", "clone", "alias", "contiguous", "detach", "detach_", "dropout", "dropout_", "positive")
_PLAIN = (
    "relu", "relu_", "abs", "sign", "sqrt", "rsqrt", "reciprocal", "square", "clamp", "clamp_min", "clamp_max",
    "hardtanh", "leaky_relu", "leaky_relu_", "threshold", "relu6", "floor", "ceil", "round", "logical_not",
    "bitwise_not", "isnan", "ones_like", "zeros_like", "full_like", "bernoulli", "hardsigmoid", "hardswish",
)  # fmt: skip
_CURVES = (
    "gelu", "silu", "silu_", "sigmoid", "sigmoid_", "tanh", "tanh_", "exp", "log", "log1p", "expm1", "erf", "elu",
    "elu_", "softplus", "sin", "cos", "selu", "mish", "log_sigmoid", "celu",
)  # fmt: skip
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_PAIRS = (
    "maximum",
    "minimum",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "fmod",
    "remainder",
)

POINTWISE: dict[str, Rule] = {
    **{f"aten.{name}.default": pointwise for name in (*_PLAIN, *_PAIRS)},
    **{f"aten.{name}.default": _COSTLY for name in _CURVES},
    **{f"aten.{name}.default": _LINEAR for name in _KEPT},
    **{f"aten.{name}.{kind}": pointwise for name in _COMPARISONS for kind in ("Tensor", "Scalar")},
    **{f"aten.{name}{place}.Tensor": added for name in ("add", "sub") for place in ("", "_")},
    **{f"aten.{name}{place}.Scalar": pointwise for name in ("add", "sub") for place in ("", "_")},
    **{f"aten.mul{place}.{kind}": multiplied for place in ("", "_") for kind in ("Tensor", "Scalar")},
    **{f"aten.div{place}.{kind}": _LINEAR for place in ("", "_") for kind in ("Tensor", "Scalar")},
    **{f"aten.pow.{kind}": _COSTLY for kind in ("Tensor_Scalar", "Tensor_Tensor", "Scalar")},
    "aten.where.self": partial(pointwise, linear=(frozenset({1, 2}),)),
    "aten.masked_fill.Scalar": pointwise,
    "aten.rsub.Scalar": pointwise,
    "aten._to_copy.default": pointwise,
    "aten.to.dtype": pointwise,
    "aten.to.dtype_layout": pointwise,
    "aten.to.device": pointwise,
    "aten.type_as.default": pointwise,
}

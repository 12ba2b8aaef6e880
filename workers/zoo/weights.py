"""The tensors of layers that run no vertex program; a program declares its own."""

from __future__ import annotations

from workers.zoo.signature import Placed, Weight


def dense(placed: Placed) -> tuple[Weight, ...]:
    """weight [in, out] and bias [out], which stays 0 where the layer has none."""
    out = placed.size("out_features")
    weight = Weight("weight", (placed.arriving().width, out), "glorot_uniform")
    return weight, Weight("bias", (out,), "zeros", bool(placed.params["bias"]))


def scale_and_shift(placed: Placed) -> tuple[Weight, ...]:
    """scale [d] starts at 1, shift [d] at 0."""
    width = placed.arriving().width
    return Weight("scale", (width,), "ones"), Weight("shift", (width,), "zeros")


def running_figures(placed: Placed) -> tuple[Weight, ...]:
    """scale and shift, and the running mean and variance [d] that evaluation uses."""
    width = placed.arriving().width
    mean, var = Weight("running_mean", (width,), "zeros", False), Weight("running_var", (width,), "ones", False)
    return (*scale_and_shift(placed), mean, var)

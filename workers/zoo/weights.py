"""The tensors of layers that run no vertex program; a program declares its own."""

from __future__ import annotations

from workers.core.dataset import TypeFacts
from workers.zoo.signature import Placed, Size, Weight


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


def encoder(placed: Placed) -> tuple[Weight, ...]:
    """weight_t [F_t, out] and bias_t [out] for type number t with features; embedding: the rows of all other types."""
    out, typed = placed.size("out_features"), placed.sizes.typed
    if typed is None:
        return (Weight("embedding", ("N", out), "rows"),)
    rows = sum(t.vertices for t in typed.types if not t.features)
    own = [w for k, t in enumerate(typed.types) if t.features for w in _of_type(k, t, out)]
    return (*own, *([Weight("embedding", (rows, out), "rows")] if rows else []))


def _of_type(number: int, of: TypeFacts, out: Size) -> tuple[Weight, ...]:
    weight = Weight(f"weight_{number}", (of.features, out), "glorot_uniform")
    return weight, Weight(f"bias_{number}", (out,), "zeros")

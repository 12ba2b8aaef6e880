"""Sums, means and extremes over dimensions. Split along what is summed over, they leave summands."""

from __future__ import annotations

from functools import partial
from math import prod

from workers.spreading.configs.roles import Dims, Roles, letters
from workers.spreading.configs.rules.rule import Call, Rule, dim_of


def reduced(call: Call, sums: bool = False) -> Roles:
    """Over the dimensions named, all where none is. `sums`: what is split over leaves summands."""
    shape = call.inputs[0].shape
    gone = _dims(call.argument(1, "dim"), len(shape))
    kept = len(call.outputs[0].shape) == len(shape)
    dims = letters("d", shape)
    out: Dims = tuple(None if dim in gone else x for dim, x in enumerate(dims) if kept or dim not in gone)
    source = dims if sums else tuple(None if dim in gone else x for dim, x in enumerate(dims))
    return Roles(
        (source,),
        (out,) * len(call.outputs),
        summed=frozenset(dims[dim] for dim in gone if dims[dim]) if sums else frozenset(),  # type: ignore[misc]
        linear=(frozenset({0}),) if sums else (),
        flops=prod(shape),
    )


def scanned(call: Call) -> Roles:
    """cumsum: all dimensions but one."""
    shape = call.inputs[0].shape
    over = dim_of(call.argument(1, "dim"), len(shape))
    dims = tuple(None if dim == over else x for dim, x in enumerate(letters("d", shape)))
    return Roles((dims,), (dims,), linear=(frozenset({0}),), flops=prod(shape))


def _dims(dims: int | list[int] | None, rank: int) -> set[int]:
    if dims is None or dims == []:
        return set(range(rank))
    return {dim_of(dim, rank) for dim in ([dims] if isinstance(dims, int) else dims)}


_SUMS = ("sum.default", "sum.dim_IntList", "mean.default", "mean.dim")
_OTHERS = (
    "amax.default", "amin.default", "max.dim", "min.dim", "max.default", "min.default", "argmax.default",
    "argmin.default", "logsumexp.default", "var.correction", "std.correction", "prod.default", "all.default",
    "any.default",
)  # fmt: skip

REDUCTIONS: dict[str, Rule] = {
    **{f"aten.{name}": partial(reduced, sums=True) for name in _SUMS},
    **{f"aten.{name}": reduced for name in _OTHERS},
    "aten.cumsum.default": scanned,
}

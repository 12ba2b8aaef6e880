"""Operators that only rearrange: a dimension keeps its letter where its pieces stay pieces."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from workers.spreading.capture.graph import FORK
from workers.spreading.configs.roles import Dims, Roles, letters
from workers.spreading.configs.rules.rule import Call, Rule, broadcast, dim_of


def reshaped(call: Call) -> Roles:
    """A view of other sizes.

    Dimensions fall into groups of equal product. Split along the first dimension of a group, the pieces are contiguous
    on both sides, if both first dimensions divide evenly; a dimension alone in its group may be split anyhow.
    """
    shape, result = call.inputs[0].shape, call.outputs[0].shape
    source: list[str | None] = [None] * len(shape)
    target: list[str | None] = [None] * len(result)
    even = set()
    for a, b in _groups(shape, result):
        first_a = next((dim for dim in a if shape[dim] > 1), None)
        first_b = next((dim for dim in b if result[dim] > 1), None)
        if first_a is None or first_b is None:
            continue
        source[first_a] = target[first_b] = f"d{first_a}"
        if shape[first_a] != result[first_b]:
            even.add(f"d{first_a}")
    return Roles((tuple(source),), (tuple(target),), linear=(frozenset({0}),), even=frozenset(even))


def _groups(shape: tuple[int, ...], result: tuple[int, ...]) -> Iterator[tuple[list[int], list[int]]]:
    """Runs of dimensions, the shortest, that hold the same elements on both sides."""
    i = j = 0
    while i < len(shape) and j < len(result):
        a, b = [i], [j]
        size_a, size_b = shape[i], result[j]
        i, j = i + 1, j + 1
        while size_a != size_b:
            if size_a < size_b and i < len(shape):
                a, size_a, i = [*a, i], size_a * shape[i], i + 1
            elif size_b < size_a and j < len(result):
                b, size_b, j = [*b, j], size_b * result[j], j + 1
            else:
                return
        yield a, b


def forked(call: Call) -> Roles:
    """A value for several readers, whose gradients may be added before their sum over devices."""
    dims = letters("d", call.outputs[0].shape)
    return Roles((dims,), (dims,), linear=(frozenset({0}),), forks=call.outputs[0].differentiable)


def reordered(call: Call) -> Roles:
    """permute, transpose, t: dimensions change places."""
    source = letters("d", call.inputs[0].shape)
    return Roles((source,), (tuple(source[dim] for dim in _order(call)),), linear=(frozenset({0}),))


def _order(call: Call) -> list[int]:
    rank = len(call.inputs[0].shape)
    name = call.op.target.split(".")[1]
    if name == "permute":
        return [dim_of(dim, rank) for dim in call.argument(1, "dims")]
    order = list(range(rank))
    if name == "transpose":
        a, b = dim_of(call.argument(1, "dim0"), rank), dim_of(call.argument(2, "dim1"), rank)
    else:
        a, b = (0, 1) if rank == 2 else (0, 0)
    order[a], order[b] = order[b], order[a]
    return order


def expanded(call: Call) -> Roles:
    """Sizes of one are stretched: what is stretched may be split evenly, of a whole input."""
    shape, result = call.inputs[0].shape, call.outputs[0].shape
    source, target = broadcast(shape, result), letters("d", result)
    return Roles((source,), (target,), linear=(frozenset({0}),), even=frozenset(set(target) - set(source) - {None}))  # type: ignore[arg-type]


def sliced(call: Call) -> Roles:
    """slice: all other dimensions; this one too where the slice is all of it."""
    dim = dim_of(call.argument(1, "dim", 0), len(call.inputs[0].shape))
    source = letters("d", call.inputs[0].shape)
    if call.inputs[0].shape[dim] != call.outputs[0].shape[dim]:
        source = _without(source, dim)
    return Roles((source,), (source,), linear=(frozenset({0}),))


def selected(call: Call) -> Roles:
    """select: one index of a dimension, which goes."""
    dim = dim_of(call.argument(1, "dim", 0), len(call.inputs[0].shape))
    source = _without(letters("d", call.inputs[0].shape), dim)
    return Roles((source,), ((*source[:dim], *source[dim + 1 :]),), linear=(frozenset({0}),))


def parted(call: Call) -> Roles:
    """split, chunk: several outputs, cut along one dimension."""
    dim = dim_of(call.argument(2, "dim", 0), len(call.inputs[0].shape))
    source = _without(letters("d", call.inputs[0].shape), dim)
    return Roles((source,), (source,) * len(call.outputs), linear=(frozenset({0}),))


def unbound(call: Call) -> Roles:
    """unbind: an output for every index of a dimension."""
    dim = dim_of(call.argument(1, "dim", 0), len(call.inputs[0].shape))
    source = _without(letters("d", call.inputs[0].shape), dim)
    return Roles((source,), ((*source[:dim], *source[dim + 1 :]),) * len(call.outputs), linear=(frozenset({0}),))


def joined(call: Call) -> Roles:
    """cat: all dimensions but the one along which inputs are joined."""
    dim = dim_of(call.argument(1, "dim", 0), len(call.outputs[0].shape))
    dims = _without(letters("d", call.outputs[0].shape), dim)
    return Roles((dims,) * len(call.inputs), (dims,), linear=(frozenset(range(len(call.inputs))),))


def stacked(call: Call) -> Roles:
    """stack: joined along a new dimension."""
    dim = dim_of(call.argument(1, "dim", 0), len(call.outputs[0].shape))
    dims = letters("d", call.inputs[0].shape)
    return Roles(
        (dims,) * len(call.inputs), ((*dims[:dim], None, *dims[dim:]),), linear=(frozenset(range(len(call.inputs))),)
    )


def indexed(call: Call) -> Roles:
    """x[:, i, j]: dimensions that are not indexed, where the indexed ones lie side by side."""
    indices = call.argument(1, "indices")
    shape = call.inputs[0].shape
    at = [dim for dim, index in enumerate(indices) if index is not None]
    others = [(None,) * len(v.shape) for v in call.inputs[1:]]
    if not at or at != list(range(at[0], at[-1] + 1)) or call.inputs[1].dtype == "bool":
        return Roles(((None,) * len(shape), *others), ((None,) * len(call.outputs[0].shape),))
    source: Dims = tuple(None if dim in at else x for dim, x in enumerate(letters("d", shape)))
    inserted = len(call.outputs[0].shape) - (len(shape) - len(at))
    target = (*source[: at[0]], *(None,) * inserted, *source[at[-1] + 1 :])
    return Roles((source, *others), (target,), linear=(frozenset({0}),))


def made(call: Call) -> Roles:
    """A constant: whole everywhere; its readers take the piece they want for nothing."""
    return Roles((), ((None,) * len(call.outputs[0].shape),), flops=prod(call.outputs[0].shape))


def _without(dims: Dims, dim: int) -> Dims:
    return (*dims[:dim], None, *dims[dim + 1 :])


VIEWS: dict[str, Rule] = {
    FORK: forked,
    **{
        f"aten.{name}": reshaped
        for name in (
            "view.default", "reshape.default", "_unsafe_view.default", "flatten.using_ints", "unflatten.int",
            "unsqueeze.default", "squeeze.dim", "squeeze.default", "squeeze.dims",
        )
    },
    **{f"aten.{name}": reordered for name in ("permute.default", "transpose.int", "t.default")},
    **{f"aten.{name}": parted for name in ("split.Tensor", "split.sizes", "split_with_sizes.default", "chunk.default")},
    **{
        f"aten.{name}": made
        for name in (
            "zeros.default", "ones.default", "full.default", "arange.default", "arange.start", "arange.start_step",
            "scalar_tensor.default", "lift_fresh_copy.default", "eye.default", "tril_indices.default",
            "triu_indices.default",
        )
    },
    "aten.expand.default": expanded,
    "aten.slice.Tensor": sliced,
    "aten.select.int": selected,
    "aten.unbind.int": unbound,
    "aten.cat.default": joined,
    "aten.stack.default": stacked,
    "aten.index.Tensor": indexed,
}  # fmt: skip

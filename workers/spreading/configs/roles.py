"""The roles that an operator's dimensions play, and the configurations that follow.

A rule describes an operator as einsum would: a letter for every dimension that may be split. Split along a letter,
every tensor that has it is split there, and every other tensor is whole; an output without it is a sum, whose summands
the devices hold. So `linear` of x[n, i] and w[o, i] gives four ways along a mesh dimension:

    letter   x    w    bias  out
    -        R    R    R     R     every device does everything
    n        S0   R    R     S0    data parallel
    o        R    S0   S0    S1    columns of a Megatron pair
    i        S1   S1   P     P     rows of a Megatron pair; the bias is added once

On a mesh of several dimensions any combination of ways is a configuration if the sizes allow it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from workers.spreading.capture.graph import Op, Value
from workers.spreading.configs.config import OpConfig, gradients
from workers.spreading.configs.layout import (
    PARTIAL,
    REPLICATED,
    Layout,
    MeshShape,
    Placement,
    can_split,
    expected_gradient,
    fits,
    local_numel,
    split,
)
from workers.spreading.configs.reshard import Hop

Dims = tuple[str | None, ...]  # the letter of every dimension, None where it may not be split


@dataclass(frozen=True)
class Stats:
    """Numbers that the devices of a split letter sum inside an operator."""

    there: int  # bytes in the forward
    back: int  # bytes in the backward
    letter: str = ""  # along which they are themselves split, "" where they are one


@dataclass(frozen=True)
class Roles:
    """What the dimensions of an operator's tensors do."""

    inputs: tuple[Dims, ...]
    outputs: tuple[Dims, ...]
    summed: frozenset[str] = frozenset()  # letters that no output has: split, they leave summands
    addends: frozenset[int] = frozenset()  # inputs that are added to the output: a summand where it is one
    linear: tuple[frozenset[int], ...] = ()  # inputs that may together be summands, and leave summands
    even: frozenset[str] = frozenset()  # letters that must be split evenly
    units: dict[str, int] = field(default_factory=dict)  # letter -> how many groups it has, none of which may be cut
    stats: dict[str, Stats] = field(default_factory=dict)  # letter -> what is summed inside where it is split
    forks: bool = False  # where outputs are whole, their gradients may be expected as summands
    flops: int = 0  # of the whole forward
    known: bool = True  # False for operators nobody has described: they run whole on every device


@dataclass(frozen=True)
class Way:
    """What an operator does along one mesh dimension: a placement for every input and output."""

    letter: str  # "" where nothing is split
    inputs: tuple[Placement, ...]
    outputs: tuple[Placement, ...]
    expected: tuple[Placement, ...] = ()  # of outputs' gradients, where not as usual


def ways(roles: Roles) -> tuple[Way, ...]:
    """The ways along one mesh dimension, the one where every device does everything first."""
    whole = Way("", (REPLICATED,) * len(roles.inputs), (REPLICATED,) * len(roles.outputs))
    summands = (replace(whole, expected=(PARTIAL,) * len(roles.outputs)),) if roles.forks else ()
    splits, linear = (_split(roles, letter) for letter in _letters(roles)), (_linear(roles, s) for s in roles.linear)
    return (whole, *summands, *splits, *linear)


def _letters(roles: Roles) -> list[str]:
    """Letters that may be split: every output has them, or none and they are summed."""
    named = dict.fromkeys(x for dims in (*roles.inputs, *roles.outputs) for x in dims if x is not None)
    held = {x: sum(x in dims for dims in roles.outputs) for x in named}
    return [x for x in named if held[x] == len(roles.outputs) or (held[x] == 0 and x in roles.summed)]


def _split(roles: Roles, letter: str) -> Way:
    outputs = tuple(_placement(dims, letter, PARTIAL) for dims in roles.outputs)
    added = PARTIAL if PARTIAL in outputs else REPLICATED
    return Way(
        letter,
        tuple(_placement(d, letter, added if i in roles.addends else REPLICATED) for i, d in enumerate(roles.inputs)),
        outputs,
    )


def _placement(dims: Dims, letter: str, otherwise: Placement) -> Placement:
    return split(dims.index(letter)) if letter in dims else otherwise


def _linear(roles: Roles, summands: frozenset[int]) -> Way:
    inputs = tuple(PARTIAL if i in summands else REPLICATED for i in range(len(roles.inputs)))
    return Way("", inputs, (PARTIAL,) * len(roles.outputs))


def combine(op: Op, roles: Roles, inputs: tuple[Value, ...], mesh: MeshShape) -> tuple[OpConfig, ...]:
    """Every configuration of an operator on a mesh, without repetition."""
    found: dict[tuple[tuple[Layout, ...], ...], OpConfig] = {}
    for chosen in product(ways(roles), repeat=len(mesh)):
        config = _config(op, roles, inputs, mesh, chosen)
        if config is not None:
            found.setdefault((config.inputs, config.outputs, config.expected), config)
    return tuple(found.values())


def _config(
    op: Op, roles: Roles, inputs: tuple[Value, ...], mesh: MeshShape, chosen: tuple[Way, ...]
) -> OpConfig | None:
    ins = tuple(tuple(way.inputs[i] for way in chosen) for i in range(len(inputs)))
    outs = tuple(tuple(way.outputs[i] for way in chosen) for i in range(len(op.outputs)))
    values = (*inputs, *op.outputs)
    layouts = (*ins, *outs)
    if not all(fits(v.shape, layout, mesh) for v, layout in zip(values, layouts, strict=True)):
        return None
    sizes = _sizes(roles, values)
    splits = {x: [n for way, n in zip(chosen, mesh, strict=True) if way.letter == x] for x in sizes}
    if not all(can_split(sizes[x], splits[x], even=x in roles.even) for x in sizes):
        return None
    if not all(can_split(units, splits.get(x, []), even=True) for x, units in roles.units.items()):
        return None
    share = 1.0
    for letter, size in sizes.items():
        pieces = 1
        for n in splits[letter]:
            pieces *= n
        share *= -(-size // pieces) / size
    moved = sum(v.itemsize * local_numel(v.shape, layout, mesh) for v, layout in zip(values, layouts, strict=True))
    there, back = (tuple(_stats(roles, mesh, chosen, sizes, side)) for side in ("there", "back"))
    expected = _expected(chosen, outs)
    back_in = gradients(ins, outs, expected)
    return OpConfig(ins, outs, back_in, round(roles.flops * share), moved, there, back, expected)


def _expected(chosen: tuple[Way, ...], outputs: tuple[Layout, ...]) -> tuple[Layout, ...]:
    """How gradients of outputs must come, if one of the ways says so."""
    if not any(way.expected for way in chosen):
        return ()
    usual = [expected_gradient(layout) for layout in outputs]
    return tuple(
        tuple(way.expected[i] if way.expected else layout[m] for m, way in enumerate(chosen))
        for i, layout in enumerate(usual)
    )


def _sizes(roles: Roles, values: tuple[Value, ...]) -> dict[str, int]:
    return {
        letter: max(size, 1)
        for dims, value in zip((*roles.inputs, *roles.outputs), values, strict=True)
        for letter, size in zip(dims, value.shape, strict=True)
        if letter is not None
    }


def _stats(
    roles: Roles, mesh: MeshShape, chosen: tuple[Way, ...], sizes: dict[str, int], side: Literal["there", "back"]
) -> Iterator[Hop]:
    """The sums inside an operator whose split letter needs them, one a mesh dimension."""
    for m, way in enumerate(chosen):
        stats = roles.stats.get(way.letter)
        if stats is None or not getattr(stats, side):
            continue
        size, pieces = sizes.get(stats.letter, 1), 1
        for other, n in zip(chosen, mesh, strict=True):
            pieces *= n if other.letter == stats.letter else 1
        yield Hop("all_reduce", m, mesh[m], getattr(stats, side) // size * -(-size // pieces), ())


def replicated_only(op: Op, inputs: tuple[Value, ...], known: bool = True) -> Roles:
    """Nothing may be split."""
    return Roles(
        tuple((None,) * len(v.shape) for v in inputs), tuple((None,) * len(v.shape) for v in op.outputs), known=known
    )


def letters(prefix: str, shape: tuple[int, ...]) -> Dims:
    """A letter for every dimension of at least two."""
    return tuple(f"{prefix}{dim}" if size > 1 else None for dim, size in enumerate(shape))


def leaf(op: Op) -> Roles:
    """A value that is there from the start: it may lie split along any dimension."""
    return Roles((), (letters("d", op.outputs[0].shape),))

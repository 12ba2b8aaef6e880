"""Blocks: how the numbers of a kernel's values lie in a Triton program.

All blocks of a kernel have one rank: [rows, edges, *features]. An axis along which a value is the same everywhere has
size 1, and feature axes are lined up at the last one, so operands of any op broadcast without a word. Triton wants
sizes that are powers of two; what lies beyond a value's own numbers is never summed, stored or moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod

from workers.compiler.codegen.loops import View, contiguous

Sizes = tuple[int, ...]


def padded(n: int) -> int:
    """The least power of two that is at least `n`."""
    return 1 << max(0, n - 1).bit_length()


@dataclass(frozen=True)
class Block:
    """A named block. `sizes` are its own numbers along the feature axes; a `bare` number is no block yet."""

    text: str
    sizes: Sizes
    rows: bool = False
    edges: bool = False
    bare: bool = False

    @property
    def padded(self) -> Sizes:
        return tuple(padded(n) for n in self.sizes)

    def shape(self, *features: int) -> str:
        """As Triton takes it, with the feature axes given or its own."""
        lead = ["BR" if self.rows else "1", "BE" if self.edges else "1"]
        return f"[{', '.join([*lead, *map(str, features or self.padded)])}]"

    def named(self, text: str) -> Block:
        return replace(self, text=text, bare=False)


def together(blocks: list[Block]) -> Block:
    """What an op over `blocks` gives, without a name."""
    sizes = tuple(max(column) for column in zip(*(b.sizes for b in blocks), strict=True))
    return Block("", sizes, any(b.rows for b in blocks), any(b.edges for b in blocks))


@dataclass
class Positions:
    """Positions along the feature axes of a kernel of `rank` of them, declared where used."""

    rank: int
    used: set[tuple[int, int]] = field(default_factory=set)

    def aligned(self, shape: Sizes) -> Sizes:
        return (1,) * (self.rank - len(shape)) + shape

    def along(self, axis: int, size: int) -> str:
        """0, 1, ... along one feature axis of this size."""
        self.used.add((axis, size))
        return f"i{axis}_{size}"

    def flat(self, sizes: Sizes, strides: Sizes, offset: int = 0) -> str:
        """Where each number of a block lies, in numbers from the start of its row; empty where that is nowhere else."""
        terms = [
            self.along(axis, n) if stride == 1 else f"{self.along(axis, n)} * {stride}"
            for axis, (n, stride) in enumerate(zip(sizes, strides, strict=True))
            if n > 1 and stride
        ]
        return " + ".join([*terms, *([str(offset)] if offset else [])])

    def within(self, sizes: Sizes) -> list[str]:
        """Conditions that hold for a block's own numbers and for nothing beyond them."""
        return [f"({self.along(k, n)} < {n})" for k, n in enumerate(sizes) if padded(n) != n]

    def declarations(self) -> list[str]:
        return [self._declaration(axis, size) for axis, size in sorted(self.used)]

    def _declaration(self, axis: int, size: int) -> str:
        index = [":" if k == axis else "None" for k in range(self.rank)]
        return f"i{axis}_{size} = tl.arange(0, {padded(size)})[None, None, {', '.join(index)}]"


def held(view: View) -> Sizes:
    """Sizes of a block loaded through `view`: once along axes that repeat."""
    return tuple(n if stride else 1 for n, stride in zip(view.shape, view.strides, strict=True))


def same_places(old: Sizes, new: Sizes) -> bool:
    """Whether padding puts every number of a row at the same place in both shapes."""
    return prod(map(padded, old)) == prod(map(padded, new)) and _places(old) == _places(new)


def _places(sizes: Sizes) -> list[int]:
    places = [0]
    for n, stride in zip(sizes, contiguous(tuple(map(padded, sizes))), strict=True):
        places = [p + k * stride for p in places for k in range(n)]
    return places

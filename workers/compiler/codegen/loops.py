"""Loop nests over feature shapes: where numbers lie, and the fewest loops that visit them.

A `View` says where a value's numbers are. A nest is written in two passes over the same expression: the first records
how every operand moves along every axis, the second prints it with neighbouring axes merged wherever all allow it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SIMD_FROM = 4  # shorter loops are unrolled by the compiler anyway
UNROLL_TO = 8  # copies of a reduction


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides, 0 along axes of size 1."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(0 if n == 1 else step)
        step *= n
    return tuple(reversed(strides))


@dataclass(frozen=True)
class View:
    """`base[offset + sum(strides * index)]`, or the expression `base` itself when it is a scalar."""

    base: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    scalar: bool = False

    @property
    def in_one_piece(self) -> bool:
        return self.strides == contiguous(self.shape)

    def aligned(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Strides when this view is broadcast to `shape` (lined up at the last axis)."""
        return (0,) * (len(shape) - len(self.shape)) + self.strides

    def reshaped(self, shape: tuple[int, ...]) -> View:
        assert self.in_one_piece, "only numbers that lie side by side are reshaped in place"
        return replace(self, shape=shape, strides=contiguous(shape))

    def expanded(self, shape: tuple[int, ...]) -> View:
        return replace(self, shape=shape, strides=self.aligned(shape))

    def sliced(self, start: int, stop: int) -> View:
        shape = (*self.shape[:-1], stop - start)
        moved = self.offset + start * self.strides[-1]
        kept = tuple(0 if n == 1 else s for n, s in zip(shape, self.strides, strict=True))
        return replace(self, shape=shape, strides=kept, offset=moved)


def array(base: str, shape: tuple[int, ...]) -> View:
    return View(base, shape, contiguous(shape))


@dataclass(frozen=True)
class Loop:
    """Axes merged into one loop; `axis` is the innermost of them, whose stride is the loop's."""

    size: int
    axis: int


@dataclass
class Axes:
    """What an expression asks for positions. Without `loops` it only records."""

    shape: tuple[int, ...]
    loops: tuple[Loop, ...] = ()
    seen: list[tuple[int, ...]] = field(default_factory=list)

    def at(self, view: View) -> str:
        """The number of `view` at the current position."""
        position = self.position(view.aligned(self.shape), view.offset)
        return view.base if view.scalar else f"{view.base}[{position}]"

    def position(self, strides: tuple[int, ...], offset: int = 0) -> str:
        self.seen.append(strides)
        terms = [_term(strides[loop.axis], f"i{k}") for k, loop in enumerate(self.loops) if strides[loop.axis]]
        return " + ".join([*terms, *([str(offset)] if offset or not terms else [])])

    def merged(self) -> tuple[Loop, ...]:
        """Loops from the outside in: an axis joins the next one if every operand moves through both at an even pace."""
        loops: list[Loop] = []
        for axis in reversed(range(len(self.shape))):
            if self.shape[axis] == 1:
                continue
            inner = loops[-1] if loops else None
            if inner and all(s[axis] == s[inner.axis] * inner.size for s in self.seen):
                loops[-1] = Loop(inner.size * self.shape[axis], inner.axis)
            else:
                loops.append(Loop(self.shape[axis], axis))
        return tuple(reversed(loops))


def _term(stride: int, name: str) -> str:
    return name if stride == 1 else f"{stride} * {name}"


def nest(shape: tuple[int, ...], statement: Callable[[Axes], str]) -> list[str]:
    """Loops over `shape` around one statement."""
    axes = _measured(shape, statement)
    return _wrapped(axes.loops, [statement(axes)])


def reduction(
    shape: tuple[int, ...], target: View, expression: Callable[[Axes], str], *, in_order: bool = False
) -> list[str]:
    """`target += expression` over `shape`, where `target` stands still along some axes; one by one if `in_order`."""

    def statement(axes: Axes) -> str:
        return f"{axes.at(target)} += {expression(axes)};"

    axes = _measured(shape, statement)
    if not axes.loops or target.aligned(shape)[axes.loops[-1].axis]:
        return _wrapped(axes.loops, [statement(axes)])
    inner, value = len(axes.loops) - 1, expression(axes)
    body = [
        "T sum = 0;",
        *([] if in_order else ["#pragma omp simd reduction(+ : sum)"]),
        f"for (int i{inner} = 0; i{inner} < {axes.loops[-1].size}; ++i{inner}) sum += {value};",
        f"{axes.at(target)} += sum;",
    ]
    return _unrolled(axes.loops[:-1], body)


def _unrolled(loops: tuple[Loop, ...], body: list[str]) -> list[str]:
    """The body once for each position of few `loops`: compilers unroll a loop around a reduction badly, if at all."""
    if not loops or math.prod(loop.size for loop in loops) > UNROLL_TO:
        return _wrapped(loops, body, simd=False)
    lines: list[str] = []
    for place in itertools.product(*(range(loop.size) for loop in loops)):
        numbers = [f"constexpr int i{k} = {n};" for k, n in enumerate(place)]
        lines += ["{", *(f"  {line}" for line in (*numbers, *body)), "}"]
    return lines


def _measured(shape: tuple[int, ...], statement: Callable[[Axes], str]) -> Axes:
    probe = Axes(shape)
    statement(probe)
    return Axes(shape, probe.merged())


def _wrapped(loops: tuple[Loop, ...], body: list[str], *, simd: bool = True) -> list[str]:
    if not loops:
        return ["{", *(f"  {line}" for line in body), "}"] if len(body) > 1 else body
    for depth in reversed(range(len(loops))):
        size = loops[depth].size
        innermost = depth == len(loops) - 1
        head = f"for (int i{depth} = 0; i{depth} < {size}; ++i{depth})"
        pragma = ["#pragma omp simd"] if innermost and simd and size >= SIMD_FROM else []
        body = [*pragma, f"{head} {{", *(f"  {line}" for line in body), "}"]
    return body

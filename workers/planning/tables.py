"""Tables of frontiers: one frontier for each combination of configurations of some operators, as flat arrays.

Of a table that was made every point remembers what it was made from: which configuration of the eliminated operator,
and which point of each part. Pointers are arrays too, so a strategy is read off by looking up, many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workers.planning.order import Axes, Elimination, Factor, Leaf
from workers.planning.pareto import sweep, thin
from workers.planning.problem import Floats, Ints

Int32s = NDArray[np.int32]
Bools = NDArray[np.bool_]

# Candidates worked on at a time: what fits the cache of a processor a few times over.
CHUNK = 1_000_000


@dataclass(frozen=True)
class Table:
    """Frontiers cell by cell: those of cell c are points starts[c]:starts[c + 1]; bytes, picoseconds."""

    starts: Ints
    memory: Floats
    time: Floats
    choice: Int32s
    picks: tuple[Int32s, ...] = ()

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts)

    @property
    def cell(self) -> Ints:
        """The cell of every point."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)


# Which of a table's points can be part of an answer: asked with the cell of each, its memory and time.
Alive = Callable[[Ints, Floats, Floats], Bools]


@dataclass(frozen=True)
class Pruning:
    """What may be left out of one table. `joined` [cells] says which combinations are worth looking at."""

    joined: Bools | None = None
    alive: Alive | None = None
    width: int | None = None
    most: int | None = None  # candidates that are looked at; more of them are TooMany


class TooMany(Exception):
    """A table has more candidates than are worth looking at."""


def given(leaf: Leaf) -> Table:
    """A point in every cell that is allowed."""
    memory, time = leaf.term.memory.ravel(), leaf.term.time.ravel()
    allowed = np.isfinite(memory) & np.isfinite(time)
    choice = np.zeros(int(allowed.sum()), np.int32)
    return Table(_starts(allowed.astype(np.int64)), memory[allowed], time[allowed], choice)


def eliminated(recipe: Elimination, tables: list[Table], pruning: Pruning) -> Table:
    """The table of `recipe`, `tables` being all that were made so far.

    1. A cell of the join is a combination of configurations, the eliminated operator's last; its candidates are all
       sums of one point from each part.
    2. Of the candidates of a cell of the result, which lie side by side, the frontier stays.
    3. Of the frontier stays what can still be part of an answer.
    """
    parts = [tables[number] for number, _ in recipe.parts]
    cells = [part_cells(recipe, axes) for _, axes in recipe.parts]
    candidates = np.ones(recipe.cells, np.int64)
    for part, cell in zip(parts, cells, strict=True):
        candidates *= part.counts[cell]
    if pruning.joined is not None:
        candidates[~pruning.joined] = 0
    if pruning.most is not None and candidates.sum() > pruning.most:
        raise TooMany
    chunks = [_chunk(recipe, parts, cells, candidates, pruning, *span) for span in _spans(candidates, recipe.k)]
    sizes = np.concatenate([c[0] for c in chunks])
    memory, time, choice, *picks = (np.concatenate(column) for column in zip(*(c[1] for c in chunks), strict=True))
    return Table(_starts(sizes), memory, time, choice, tuple(picks))


def part_cells(recipe: Elimination, axes: Axes) -> Ints:
    """For every cell of the join, the cell of a part with these axes."""
    shape = (*recipe.shape, recipe.k)
    at = np.zeros(shape, np.int64)
    stride = 1
    for axis in reversed(axes):
        along = np.arange(shape[axis]) * stride
        at += along.reshape([-1 if a == axis else 1 for a in range(len(shape))])
        stride *= shape[axis]
    return at.ravel()


def unroll(roots: list[Factor], tables: list[Table], points: list[Ints], nodes: int) -> Ints:
    """Strategies [P, nodes]: `points` has for each root the index of P points of its table."""
    choices = np.zeros((len(points[0]) if points else 1, nodes), np.int64)
    left = list(zip(roots, points, strict=True))
    while left:
        factor, at = left.pop()
        if factor.node is None:
            continue
        table = tables[factor.recipe]
        choices[:, factor.node] = table.choice[at]
        left += [(part, pick[at].astype(np.int64)) for part, pick in zip(factor.parts, table.picks, strict=True)]
    return choices


def _starts(sizes: Ints) -> Ints:
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _spans(candidates: Ints, k: int) -> Iterator[tuple[int, int]]:
    """Runs of cells of the result with about CHUNK candidates together."""
    total = np.cumsum(candidates.reshape(-1, k).sum(axis=1))
    begin = 0
    while begin < len(total):
        done = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, done + CHUNK, side="right")))
        yield begin, end
        begin = end


def _chunk(
    recipe: Elimination,
    parts: list[Table],
    cells: list[Ints],
    candidates: Ints,
    pruning: Pruning,
    begin: int,
    end: int,
) -> tuple[Ints, list[NDArray[np.generic]]]:
    """Cells begin:end of the result: sizes of their frontiers; memory, time, choice and picks of the points."""
    span = slice(begin * recipe.k, end * recipe.k)
    joined = np.flatnonzero(candidates[span]) + span.start
    many = candidates[joined]
    picks = _combine(parts, [cell[joined] for cell in cells], many)
    memory = np.sum([part.memory[pick] for part, pick in zip(parts, picks, strict=True)], axis=0)
    time = np.sum([part.time[pick] for part, pick in zip(parts, picks, strict=True)], axis=0)
    sizes = np.bincount(joined // recipe.k - begin, weights=many, minlength=end - begin).astype(np.int64)
    kept, sizes = sweep(memory, time, sizes)
    kept, sizes = _pruned(memory, time, kept, sizes, pruning, begin)
    choice = np.repeat((joined % recipe.k).astype(np.int32), many)
    return sizes, [memory[kept], time[kept], choice[kept], *(pick[kept].astype(np.int32) for pick in picks)]


def _pruned(memory: Floats, time: Floats, kept: Ints, sizes: Ints, pruning: Pruning, begin: int) -> tuple[Ints, Ints]:
    """Of what is kept, what can be part of an answer, and of that at most so much."""
    if pruning.alive is not None:
        cell = np.repeat(np.arange(len(sizes)), sizes)
        alive = pruning.alive(cell + begin, memory[kept], time[kept])
        kept, sizes = kept[alive], np.bincount(cell[alive], minlength=len(sizes))
    if pruning.width is not None:
        chosen, sizes = thin(memory[kept], time[kept], sizes, pruning.width)
        kept = kept[chosen]
    return kept, sizes


def _combine(parts: list[Table], cells: list[Ints], many: Ints) -> list[Ints]:
    """For every candidate the point of each part: all combinations in each cell, counted like digits."""
    total = int(many.sum())
    row = np.repeat(np.arange(len(many)), many)
    digits = np.arange(total) - np.repeat(np.cumsum(many) - many, many)
    picks = []
    for part, cell in zip(parts, cells, strict=True):
        first, counts = part.starts[cell], part.counts[cell]
        if counts.max(initial=1) == 1:
            picks.append(first[row])
            continue
        here = counts[row]
        if np.array_equal(counts, many):
            picks.append(first[row] + digits)
            continue
        picks.append(first[row] + digits % here)
        digits = digits // here
    return picks

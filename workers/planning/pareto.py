"""The algebra of frontiers, on arrays: of points that cost memory and time, those that no other beats.

A frontier has `memory` ascending and `time` strictly descending; of equal points it keeps one. What is done here is
done to many frontiers at once: `sizes` says how many points of the arrays, side by side, belong to each.
"""

from __future__ import annotations

import numpy as np

from workers.planning.problem import Floats, Ints

# Rows of sorted points are filled up to the widest of their class; classes grow by this factor.
CLASS_GROWTH = 1.4


def pareto(memory: Floats, time: Floats) -> Ints:
    """Indices of the frontier of one set of points, memory ascending."""
    return sweep(memory, time, np.array([len(memory)]))[0]


def union(*frontiers: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The frontier of either: what is best where any of them may be taken."""
    memory, time = (np.concatenate([f[axis] for f in frontiers]) for axis in (0, 1))
    kept = pareto(memory, time)
    return memory[kept], time[kept]


def product(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The frontier of both together: each point of one with each of the other, costs added."""
    memory, time = (np.add.outer(one[axis], other[axis]).ravel() for axis in (0, 1))
    kept = pareto(memory, time)
    return memory[kept], time[kept]


def sweep(memory: Floats, time: Floats, sizes: Ints) -> tuple[Ints, Ints]:
    """The frontier of each segment of `sizes` points: indices of what is kept, segment by segment, and new sizes.

    1. Put segments of about the same size into rows of one matrix, filled up with infinity.
    2. Sort each row by memory; a point stays if it is faster than all before it.
    3. Of points with the same memory the last that stays is the fastest.
    """
    starts = np.cumsum(sizes) - sizes
    kept, rows = [np.flatnonzero(np.repeat(sizes == 1, sizes))], [np.flatnonzero(sizes == 1)]
    for segments in _classes(sizes):
        at, row = _sweep_rows(memory, time, starts[segments], sizes[segments])
        kept.append(at)
        rows.append(segments[row])
    indices, segment = np.concatenate(kept), np.concatenate(rows)
    order = np.argsort(segment, kind="stable")
    return indices[order], np.bincount(segment, minlength=len(sizes))


def thin(memory: Floats, time: Floats, sizes: Ints, width: int) -> tuple[Ints, Ints]:
    """At most about `width` points of each frontier, its ends among them: indices kept and new sizes.

    Going along a frontier is measured as what memory and time change, each over the range it has there; of each of
    `width` stretches of equal length the first point stays.
    """
    if not len(memory) or sizes.max() <= width:
        return np.arange(len(memory)), sizes
    segment = np.repeat(np.arange(len(sizes)), sizes)
    full = sizes > 0
    last = np.cumsum(sizes) - 1
    first = last - sizes + 1
    spans = []
    for values in (memory, time):
        reach = np.ones(len(sizes))
        reach[full] = np.abs(values[last[full]] - values[first[full]])
        spans.append(np.abs(values - values[first[segment]]) / np.maximum(reach, 1e-300)[segment])
    stretch = np.floor((spans[0] + spans[1]) * (width / 2)).astype(np.int64)
    keep = np.ones(len(memory), bool)
    keep[1:] = (stretch[1:] != stretch[:-1]) | (segment[1:] != segment[:-1])
    keep[last[full]] = True
    keep |= (sizes <= width)[segment]
    return np.flatnonzero(keep), np.bincount(segment[keep], minlength=len(sizes))


def _classes(sizes: Ints) -> list[Ints]:
    """Segments of two points and more, sorted into classes by size."""
    order = np.argsort(sizes, kind="stable")
    order = order[sizes[order] > 1]
    classes = []
    while len(order):
        end = np.searchsorted(sizes[order], sizes[order[0]] * CLASS_GROWTH, side="right")
        classes.append(order[:end])
        order = order[end:]
    return classes


def _sweep_rows(memory: Floats, time: Floats, starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """`sweep` on segments of about the same size: indices kept, and the row of each."""
    columns = np.arange(sizes.max())
    at = starts[:, None] + np.minimum(columns, sizes[:, None] - 1)
    beyond = columns >= sizes[:, None]
    m, t = memory[at], time[at]
    m[beyond] = t[beyond] = np.inf
    order = np.argsort(m, axis=1)
    t = np.take_along_axis(t, order, axis=1)
    best = np.minimum.accumulate(t, axis=1)
    faster = np.empty(t.shape, bool)
    faster[:, 0] = t[:, 0] < np.inf
    np.less(t[:, 1:], best[:, :-1], out=faster[:, 1:])
    row, column = np.nonzero(faster)
    found = at[row, order[row, column]]
    beaten = np.zeros(len(found), bool)
    beaten[:-1] = (row[1:] == row[:-1]) & (memory[found[1:]] == memory[found[:-1]])
    return found[~beaten], row[~beaten]

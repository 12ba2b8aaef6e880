"""Arc lists put into the shape models train on: int64[E] `src` and `dst`, sorted by (dst, src)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Tidied:
    """Arcs after tidying, and what was taken out (arcs as they stood in the source)."""

    src: Ids
    dst: Ids
    self_loops: int
    duplicates: int


def tidy(src: Ids, dst: Ids, n: int, *, symmetrise: bool, drop_self_loops: bool = True, dedupe: bool = True) -> Tidied:
    """Drop self-loops (layers add their own), list both directions, drop repeats, sort by destination.

    `duplicates` counts repeats of an arc in the source, not its reverse. Repeats kept while symmetrising are kept in
    both directions, unless the source lists both directions of everything already.
    """
    kept = src != dst if drop_self_loops else np.ones(len(src), bool)
    loops = int(len(src) - kept.sum()) if drop_self_loops else 0
    src, dst = src[kept], dst[kept]
    key = np.sort(dst * max(n, 1) + src)
    duplicates = len(key) - len(once := _once(key))
    key = once if dedupe else key
    if symmetrise:
        key = _both_directions(key, n, dedupe)
    return Tidied(key % max(n, 1), key // max(n, 1), loops, duplicates)


def _once(key: Ids) -> Ids:
    """Each value of a sorted array once. (numpy's `unique` hashes, which is far slower on many arcs.)"""
    first = np.ones(len(key), bool)
    first[1:] = key[1:] != key[:-1]
    return key[first]


def _both_directions(key: Ids, n: int, dedupe: bool) -> Ids:
    """Sorted keys dst * n + src with those of the reverse arcs."""
    src, dst = key % max(n, 1), key // max(n, 1)
    reverse = (src * max(n, 1) + dst)[src != dst]
    if dedupe:
        return _once(np.sort(np.concatenate([key, reverse])))
    already = np.array_equal(np.sort(reverse), key[src != dst])
    return key if already else np.sort(np.concatenate([key, reverse]))


def is_symmetric(src: Ids, dst: Ids, n: int) -> bool:
    """Whether every arc has its reverse, counting repeats."""
    return bool(np.array_equal(np.sort(src * max(n, 1) + dst), np.sort(dst * max(n, 1) + src)))


def components(src: Ids, dst: Ids, n: int) -> Ids:
    """int64[n]: the smallest vertex id of each vertex's weakly connected component.

    1. Every vertex points at itself. 2. Each arc hooks the larger root onto the smaller.
    3. Pointers are halved until they are roots. 4. Repeat until no arc joins two roots.
    """
    root = np.arange(n, dtype=np.int64)
    while True:
        a, b = root[src], root[dst]
        open_ = a != b
        if not open_.any():
            return root
        np.minimum.at(root, np.maximum(a, b)[open_], np.minimum(a, b)[open_])
        while not np.array_equal(root, root[root]):
            root = root[root]


def largest_component(src: Ids, dst: Ids, n: int) -> Ids:
    """Vertex ids, ascending, of the largest weakly connected component (the first of equals)."""
    root = components(src, dst, n)
    return np.flatnonzero(root == np.bincount(root, minlength=1).argmax()).astype(np.int64)

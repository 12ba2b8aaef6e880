"""Moving a tensor from one layout to another, hop by hop, each along one mesh dimension. No torch here.

    S -> R  all_gather        P -> R  all_reduce        P -> S  reduce_scatter
    S -> S' all_to_all        R -> S  slice (free)      R -> P  divide (free)

A hop that splits or joins tensor dimension d along mesh dimension m needs that no later mesh dimension splits d, since
these split the pieces of m. `paths` finds the cheapest sequence of hops, so that costs of moves obey the triangle
inequality by construction. gloo has no all_to_all that DTensor uses: there S -> S' goes through R, as DTensor does it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Literal

from workers.spreading.configs.layout import (
    PARTIAL,
    REPLICATED,
    Layout,
    MeshShape,
    Placement,
    fits,
    local_numel,
    split,
    split_dim,
)

HopKind = Literal["all_gather", "all_reduce", "reduce_scatter", "all_to_all", "slice", "divide"]
COLLECTIVES: tuple[HopKind, ...] = ("all_gather", "all_reduce", "reduce_scatter", "all_to_all")


@dataclass(frozen=True)
class Hop:
    """One step of a move, along one mesh dimension.

    `bytes` is the size of the tensor that the group's devices have together, as one of them has it whole: what
    all_gather gives, what all_reduce and reduce_scatter take, padded to even pieces where they are not even.
    """

    kind: HopKind
    mesh_dim: int
    devices: int  # of the group
    bytes: int
    after: Layout  # the layout reached


Weight = Callable[[Hop], float]


def volume(hop: Hop) -> float:
    """Bytes that a device sends in a ring: the order of hops where no machine was measured."""
    share = hop.bytes * (hop.devices - 1) / hop.devices
    weights = {"all_gather": share, "reduce_scatter": share, "all_reduce": 2 * share, "all_to_all": share / hop.devices}
    return weights.get(hop.kind, 0.0)


def path(
    shape: tuple[int, ...],
    itemsize: int,
    mesh: MeshShape,
    source: Layout,
    target: Layout,
    weight: Weight = volume,
    all_to_all: bool = False,
) -> tuple[Hop, ...] | None:
    """The cheapest hops from one layout to another, of equals the fewest; None if none lead there.

    P cannot be reached from S.
    """
    return paths(shape, itemsize, mesh, source, weight, all_to_all).get(target)


@lru_cache(maxsize=1 << 14)
def paths(
    shape: tuple[int, ...],
    itemsize: int,
    mesh: MeshShape,
    source: Layout,
    weight: Weight = volume,
    all_to_all: bool = False,
) -> dict[Layout, tuple[Hop, ...]]:
    """The cheapest hops from a layout to every one that can be reached (Dijkstra), of equals the fewest."""
    order = count()  # of equals the one found first: hops have no order of their own
    frontier: list[tuple[float, int, int, Layout, tuple[Hop, ...]]] = [(0.0, 0, next(order), source, ())]
    best = {source: (0.0, 0)}
    done: dict[Layout, tuple[Hop, ...]] = {}
    while frontier:
        cost, steps, _, layout, hops = heapq.heappop(frontier)
        if layout in done:
            continue
        done[layout] = hops
        for hop in _hops(shape, itemsize, mesh, layout, all_to_all):
            reached = cost + weight(hop), steps + 1
            if hop.after not in best or reached < best[hop.after]:
                best[hop.after] = reached
                heapq.heappush(frontier, (*reached, next(order), hop.after, (*hops, hop)))
    return done


@lru_cache(maxsize=1 << 14)
def _hops(shape: tuple[int, ...], itemsize: int, mesh: MeshShape, layout: Layout, all_to_all: bool) -> tuple[Hop, ...]:
    placements = [REPLICATED, PARTIAL, *(split(dim) for dim in range(len(shape)))]
    return tuple(
        hop
        for m in range(len(mesh))
        for target in placements
        if (hop := _hop(shape, itemsize, mesh, layout, m, target, all_to_all)) is not None
    )


def hop_between(shape: tuple[int, ...], itemsize: int, mesh: MeshShape, before: Layout, after: Layout) -> Hop | None:
    """The hop from one layout to another, None where it takes none or several."""
    changed = [m for m in range(len(mesh)) if before[m] != after[m]]
    return _hop(shape, itemsize, mesh, before, changed[0], after[changed[0]], True) if len(changed) == 1 else None


def _hop(
    shape: tuple[int, ...], itemsize: int, mesh: MeshShape, layout: Layout, m: int, target: Placement, all_to_all: bool
) -> Hop | None:
    source = layout[m]
    kind = _kind(source, target)
    if kind is None or (kind == "all_to_all" and not all_to_all):
        return None
    touched = {split(dim) for dim in (split_dim(source), split_dim(target)) if dim is not None}
    after = (*layout[:m], target, *layout[m + 1 :])
    if touched & set(layout[m + 1 :]) or not fits(shape, after, mesh):
        return None
    whole = (*layout[:m], REPLICATED, *layout[m + 1 :])
    return Hop(kind, m, mesh[m], _padded(shape, whole, mesh, touched, mesh[m]) * itemsize, after)


def _kind(source: Placement, target: Placement) -> HopKind | None:
    table: dict[tuple[str, str], HopKind] = {
        ("S", "R"): "all_gather",
        ("P", "R"): "all_reduce",
        ("P", "S"): "reduce_scatter",
        ("S", "S"): "all_to_all",
        ("R", "S"): "slice",
        ("R", "P"): "divide",
    }
    return None if source == target else table.get((source[0], target[0]))


def _padded(shape: tuple[int, ...], whole: Layout, mesh: MeshShape, touched: set[Placement], devices: int) -> int:
    """Elements of the tensor with the dimensions that are cut made a multiple of the group's size."""
    padded = tuple(-(-n // devices) * devices if split(dim) in touched else n for dim, n in enumerate(shape))
    return local_numel(padded, whole, mesh)

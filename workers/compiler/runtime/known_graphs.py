"""Finds the index of a graph that comes as its edge tensors, so that it is not sorted again at every call.

1. A `GraphIndex` is known by where its edges are in memory while it lives.
2. Of other graphs the last few are kept, with copies of their edges, and compared number by number.
"""

from __future__ import annotations

from collections import OrderedDict

import torch
from torch import Tensor

from workers.compiler.runtime.graph import KNOWN, GraphIndex, Place
from workers.compiler.runtime.stitched import StitchedIndex

KEPT = 8


def graph_of(src: Tensor, dst: Tensor, n_src: int, n_dst: int, *pointers: Tensor) -> GraphIndex:
    """The index of the edges src -> dst, int64[E]; `pointers`, those of types and relations, where there are several.

    Raises ValueError for an edge outside the graph.
    """
    place = (*(x.data_ptr() for x in (src, dst, *pointers)), len(src), n_src, n_dst)
    return KNOWN.get(place) or _compared(place, src, dst, *pointers)


def _compared(place: Place, *arrays: Tensor) -> GraphIndex:
    found = _COMPARED.get(place)
    if found is None or not all(map(torch.equal, found[0], arrays)):
        copies = tuple(x.clone() for x in arrays)
        found = _COMPARED[place] = copies, _made(copies, *place[-2:])
    _COMPARED.move_to_end(place)
    if len(_COMPARED) > KEPT:
        _COMPARED.popitem(last=False)
    return found[1]


def _made(arrays: tuple[Tensor, ...], n_src: int, n_dst: int) -> GraphIndex:
    src, dst, *pointers = arrays
    if not pointers:
        return GraphIndex(src, dst, n_src, n_dst)
    type_ptr, rel_ptr = pointers
    return StitchedIndex(type_ptr, src, dst, rel_ptr)


_COMPARED: OrderedDict[Place, tuple[tuple[Tensor, ...], GraphIndex]] = OrderedDict()

"""A graph on a device, as Triton kernels read it: the edges of each side, and rows sorted into three kinds by degree.

Light rows share programs, medium rows have one each, heavy rows are cut into chunks of edges. Which is which depends
on the graph alone, so results never depend on the device.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.compiler.rows import Side
from workers.compiler.runtime.graph import GraphIndex, Half

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Limits:
    """Edges of a row: up to `light` it is light, above `heavy` it is cut into chunks of that many."""

    light: int = 16
    heavy: int = 4096


@dataclass(frozen=True)
class HeavyRows:
    """`rows` [H]; the chunks of row h are cuts[h]:cuts[h+1]; `owner` [C] is the h of each chunk; a chunk has `step`."""

    rows: Tensor
    cuts: Tensor
    owner: Tensor
    step: int


@dataclass(frozen=True)
class DeviceHalf:
    """The edges seen from one side, as `Half`, and its rows by kind."""

    ptr: Tensor
    other: Tensor
    slot: Tensor
    edge: Tensor
    light: Tensor
    medium: Tensor
    heavy: HeavyRows


_ARRAYS: dict[tuple[int, torch.device], Tensor] = {}


def array_on_device(array: NDArray[Any], device: torch.device) -> Tensor:
    """`array` on `device`, copied there once and kept as long as the array."""
    key = id(array), device
    if key not in _ARRAYS:
        _ARRAYS[key] = torch.from_numpy(array).to(device)
        weakref.finalize(array, _ARRAYS.pop, key, None)
    return _ARRAYS[key]


_PLACED: WeakKeyDictionary[GraphIndex, dict[tuple[Side, torch.device, Limits], DeviceHalf]] = WeakKeyDictionary()


def on_device(graph: GraphIndex, side: Side, device: torch.device, limits: Limits) -> DeviceHalf:
    """One side of `graph` on `device`, copied there once and kept as long as the graph."""
    placed = _PLACED.setdefault(graph, {})
    key = side, device, limits
    if key not in placed:
        placed[key] = _place(graph.half(side), device, limits)
    return placed[key]


def _place(half: Half, device: torch.device, limits: Limits) -> DeviceHalf:
    kind = half.other.dtype

    def put(array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.array(array, dtype=kind)).to(device)

    degree = np.diff(half.ptr)
    light, heavy = degree <= limits.light, degree > limits.heavy
    kinds = [np.flatnonzero(light), np.flatnonzero(~light & ~heavy), np.flatnonzero(heavy)]
    cuts = np.concatenate([[0], np.cumsum(-(-degree[heavy] // limits.heavy))])
    owner = np.repeat(np.arange(len(kinds[2])), np.diff(cuts))
    found = HeavyRows(put(kinds[2]), put(cuts), put(owner), limits.heavy)
    return DeviceHalf(
        put(half.ptr), put(half.other), put(half.slot), put(half.edge), put(kinds[0]), put(kinds[1]), found
    )

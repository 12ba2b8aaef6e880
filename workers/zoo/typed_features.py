"""Vertices of many types: what the dataset says of each type, and the layer that makes rows of one width of it. Torch.

Shapes: N vertices of all types in the order of their global ids, n_t of type number t, F_t its features.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workers.core.hetero import HeteroData
from workers.zoo.picked_rows import picked

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class TypedFeatures:
    """What a model over relations is given of its vertices, which are all of a graph's or some of them.

    type_ptr: int64[T+1], vertices of type t are type_ptr[t]:type_ptr[t+1] of these. x: [n_t, F_t] by type number.
    embedded: int64 rows of the embedding that vertices of the other types have, one after another; None for every row.
    """

    type_ptr: Ids
    x: Mapping[int, Tensor]
    embedded: Tensor | None = None

    @property
    def shape(self) -> tuple[int]:
        """Rows, as tensors say it; there is no one width."""
        return (len(self),)

    @staticmethod
    def of(data: HeteroData, dtype: torch.dtype, device: torch.device | None = None) -> TypedFeatures:
        """Of every vertex of a graph."""
        x = {
            t: torch.from_numpy(np.ascontiguousarray(data.features[name])).to(device, dtype)
            for t, name in enumerate(data.node_types)
            if name in data.features
        }
        return TypedFeatures(data.type_ptr, x)

    def __len__(self) -> int:
        return int(self.type_ptr[-1])

    def rows(self, wanted: Tensor) -> TypedFeatures:
        """Of the vertices `wanted` int64[M], whose types never fall. These must be all of a graph's."""
        assert self.embedded is None, "rows are picked from a whole graph"
        ids = wanted.numpy()
        ptr = np.searchsorted(ids, self.type_ptr)
        parts = [ids[a:b] - begin for a, b, begin in zip(ptr[:-1], ptr[1:], self.type_ptr[:-1], strict=True)]
        x = {t: rows[torch.from_numpy(parts[t])] for t, rows in self.x.items()}
        sizes = np.diff(self.type_ptr)
        begin, found = 0, [np.zeros(0, np.int64)]
        for t, part in enumerate(parts):
            if t not in self.x:
                found.append(part + begin)
                begin += int(sizes[t])
        return TypedFeatures(ptr, x, torch.from_numpy(np.concatenate(found)))


def encoded(given: TypedFeatures, weights: Mapping[str, Tensor]) -> Tensor:
    """[N, out]: what `weight_t` and `bias_t` make of type t's features, and rows of `embedding` for all other types."""
    learned = weights.get("embedding")
    if learned is not None and given.embedded is not None:
        learned = picked(learned, given.embedded)
    parts = list(_parts(given, weights, learned))
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _parts(given: TypedFeatures, weights: Mapping[str, Any], learned: Tensor | None) -> Iterator[Tensor]:
    """Rows in the order of ids; types without features that follow one another in one piece."""
    taken = pending = 0
    for t, size in enumerate(np.diff(given.type_ptr).tolist()):
        if t not in given.x:
            pending += size
            continue
        if pending and learned is not None:
            yield learned[taken : taken + pending]
            taken, pending = taken + pending, 0
        yield torch.addmm(weights[f"bias_{t}"], given.x[t], weights[f"weight_{t}"])
    if learned is not None and (pending or not taken):  # without a row, too: its gradient is zero, not nothing
        yield learned if not taken else learned[taken : taken + pending]

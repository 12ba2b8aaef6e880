"""A graph of one type and one relation, held as a heterogeneous one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import ONE_RELATION, ONE_TYPE, GraphData, SparseRows
from workers.core.hetero import Floats, HeteroData, Ids, Mask, Relation


def as_hetero(data: GraphData) -> HeteroData:
    """The same vertices, edges, features, labels and split; features become dense. Arrays are shared."""
    key = Relation(ONE_TYPE, ONE_RELATION, ONE_TYPE)
    return HeteroData(
        data.name,
        (ONE_TYPE,),
        np.array([0, data.n], np.int64),
        (key,),
        np.array([0, len(data.src)], np.int64),
        data.src,
        data.dst,
        features={} if data.x is None else {ONE_TYPE: _dense(data.x)},
        edge_features={} if data.edge_x is None else {key: data.edge_x},
        target=ONE_TYPE,
        y=data.y,
        classes=data.classes,
        train=_mask(data.train, data.n),
        val=_mask(data.val, data.n),
        test=_mask(data.test, data.n),
        source=data.source,
        notes=data.notes,
    )


def _dense(x: NDArray[np.float32] | SparseRows) -> Floats:
    if not isinstance(x, SparseRows):
        return x
    rows = len(x.indptr) - 1
    out = np.zeros((rows, x.columns), np.float32)
    out[np.repeat(np.arange(rows), np.diff(x.indptr)), x.indices] = x.data
    return out


def _mask(ids: Ids | None, n: int) -> Mask | None:
    if ids is None:
        return None
    mask = np.zeros(n, bool)
    mask[ids] = True
    return mask

"""Types and relations that number themselves from 0, stitched into one heterogeneous graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from workers.core.hetero import HeteroData, Ids, Relation
from workers.core.hetero_check import check, check_ids, check_relation


def stitch(
    counts: Mapping[str, int], edges: Mapping[Relation, tuple[Ids, Ids]], *, name: str = "", **more: Any
) -> HeteroData:
    """A graph out of parts that number each type from 0: `counts` vertices a type, both ends of each relation's edges.

    `more` are fields of HeteroData. GraphInvalid as `hetero_check.check` says.
    """
    known = tuple(counts)
    type_ptr, rel_ptr = _ptr(list(counts.values())), _ptr([len(src) for src, _ in edges.values()])
    for relation, ends in edges.items():
        check_relation(relation, known)
        for node_type, ids in zip((relation.source, relation.target), ends, strict=True):
            check_ids(relation, node_type, ids, counts[node_type])
    begin = dict(zip(known, type_ptr.tolist(), strict=False))
    data = HeteroData(
        name, known, type_ptr, tuple(edges), rel_ptr,
        _joined([src + begin[relation.source] for relation, (src, _) in edges.items()]),
        _joined([dst + begin[relation.target] for relation, (_, dst) in edges.items()]),
        **more,
    )  # fmt: skip
    check(data)
    return data


def _ptr(sizes: Sequence[int]) -> Ids:
    ptr = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ptr[1:])
    return ptr


def _joined(parts: list[Ids]) -> Ids:
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)

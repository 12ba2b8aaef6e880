"""A heterogeneous dataset taken apart into arrays and facts for storage, and put together again.

Types and relations may be called anything, so files go by their numbers: `x.<type>.npy`, `edge_x.<relation>.npy`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.core.dataset import DatasetInfo, EdgeSplit, Heterogeneous, RelationFacts, Task, TypeFacts
from workers.core.hetero import PARTS, HeteroData, Names, Relation
from workers.core.packed import Packed

ARRAYS = ("type_ptr", "rel_ptr", "src", "dst", "times", "edge_part", "y", "train", "val", "test")


def pack(dataset_id: str, data: HeteroData) -> Packed:
    return Packed(describe(dataset_id, data), arrays_of(data), data.extra, data.notes)


def unpack(packed: Packed) -> HeteroData:
    arrays, info = packed.arrays, packed.info
    assert info.heterogeneous is not None
    facts = info.heterogeneous
    relations = tuple(Relation(r.source, r.name, r.target) for r in facts.relations)
    types = tuple(t.name for t in facts.types)
    return HeteroData(
        name=info.name,
        node_types=types,
        relations=relations,
        features={name: arrays[f"x.{t}"] for t, name in enumerate(types) if f"x.{t}" in arrays},
        edge_features={key: arrays[f"edge_x.{r}"] for r, key in enumerate(relations) if f"edge_x.{r}" in arrays},
        target=facts.target,
        classes=info.classes,
        inverse={r: relation.inverse for r, relation in enumerate(facts.relations) if relation.inverse is not None},
        names=Names(arrays["names.text"], arrays["names.ptr"]) if "names.ptr" in arrays else None,
        source=info.source,
        notes=packed.notes,
        extra=packed.documents,
        **{name: arrays[name] for name in ARRAYS if name in arrays},
    )


def describe(dataset_id: str, data: HeteroData) -> DatasetInfo:
    """The facts of a heterogeneous dataset in memory. Features are those of the target type."""
    x = None if data.target is None else data.features.get(data.target)
    return DatasetInfo(
        id=dataset_id,
        name=data.name,
        task=_task(data),
        vertices=data.n,
        arcs=data.edges,
        features=0 if x is None else x.shape[1],
        feature_nonzero_ratio=float(np.count_nonzero(x) / x.size) if x is not None and x.size else 0.0,
        edge_features=max((x.shape[1] for x in data.edge_features.values()), default=0),
        classes=data.classes,
        graphs=1,
        **{part: _true(getattr(data, part)) for part in ("train", "val", "test")},
        directed=True,
        source=data.source,
        bytes=sum(array.nbytes for array in arrays_of(data).values()),
        heterogeneous=_facts(data),
    )


def arrays_of(data: HeteroData) -> dict[str, NDArray[Any]]:
    """The arrays that are present, by file name."""
    found: dict[str, NDArray[Any]] = {name: getattr(data, name) for name in ARRAYS if getattr(data, name) is not None}
    found |= {f"x.{t}": data.features[name] for t, name in enumerate(data.node_types) if name in data.features}
    found |= {f"edge_x.{r}": data.edge_features[k] for r, k in enumerate(data.relations) if k in data.edge_features}
    return found if data.names is None else found | {"names.text": data.names.text, "names.ptr": data.names.ptr}


def _facts(data: HeteroData) -> Heterogeneous:
    back = {again: r for r, again in data.inverse.items()}
    return Heterogeneous(
        types=tuple(
            TypeFacts(name=name, vertices=data.count(name), features=_width(data.features.get(name)))
            for name in data.node_types
        ),
        relations=tuple(
            RelationFacts(
                source=key.source, name=key.name, target=key.target, edges=int(data.rel_ptr[r + 1] - data.rel_ptr[r]),
                features=_width(data.edge_features.get(key)), inverse=data.inverse.get(r), inverse_of=back.get(r),
            )
            for r, key in enumerate(data.relations)
        ),
        target=data.target,
        timed=data.times is not None,
        edge_split=None if data.edge_part is None else _edge_split(data.edge_part),
    )  # fmt: skip


def _edge_split(edge_part: NDArray[np.uint8]) -> EdgeSplit:
    counts = np.bincount(edge_part, minlength=len(PARTS)).tolist()
    return EdgeSplit(**dict(zip(PARTS, counts, strict=True)))


def _width(x: NDArray[np.float32] | None) -> int:
    return 0 if x is None else int(x.shape[1])


def _true(mask: NDArray[np.bool_] | None) -> int:
    return 0 if mask is None else int(mask.sum())


def _task(data: HeteroData) -> Task:
    return "none" if data.y is None or not (data.y >= 0).any() else "node_classification"

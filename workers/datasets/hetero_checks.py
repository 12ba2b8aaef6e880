"""What a heterogeneous dataset holds to, and what is worth a note. Shown on its page as they ran."""

from __future__ import annotations

import numpy as np

from workers.core.errors import GraphInvalid
from workers.core.hetero import PARTS, HeteroData
from workers.core.hetero_check import check
from workers.datasets.checks import Check
from workers.datasets.errors import BadValue

NAMED = 4


def examine(data: HeteroData) -> tuple[Check, ...]:
    """Check what every heterogeneous dataset must hold to. BadValue says what does not."""
    try:
        check(data)
    except GraphInvalid as error:
        raise BadValue(error.what, error.remedy) from None
    return (
        Check(
            name="Edges within their types",
            state="passed",
            detail=f"{data.edges:,} edges of {len(data.relations):,} relations, 0 outside their types",
        ),
        Check(name="Types and sizes", state="passed", detail=_described(data)),
        *_empty(data),
        _isolated(data),
        *([_edge_split(data)] if data.edge_part is not None else []),
        *([_split(data)] if data.target is not None else []),
    )


def _described(data: HeteroData) -> str:
    bare = [t for t in data.node_types if t not in data.features]
    wide = [f"{t} {data.features[t].shape[1]:,}" for t in data.node_types if t in data.features]
    features = f"features float32 of {', '.join(wide[:NAMED])}" if wide else "no features"
    return f"{features}; {len(bare):,} of {len(data.node_types):,} types are embedded" if bare else features


def _empty(data: HeteroData) -> tuple[Check, ...]:
    types = [t for t in data.node_types if not data.count(t)]
    relations = [str(r) for r, size in zip(data.relations, np.diff(data.rel_ptr), strict=True) if not size]
    found = (("Empty types", types, "every type has vertices"), ("Empty relations", relations, "every one has edges"))
    return tuple(Check.of(name, not empty, _some(empty), good) for name, empty, good in found)


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}: kept, and nothing is sent there"


def _isolated(data: HeteroData) -> Check:
    touched = np.zeros(data.n, bool)
    touched[data.src] = touched[data.dst] = True
    alone = int((~touched).sum())
    return Check.of("Isolated vertices", alone == 0, f"{alone:,} vertices without an edge", "every vertex has an edge")


def _edge_split(data: HeteroData) -> Check:
    """Vertices that no training edge touches cannot be learnt."""
    assert data.edge_part is not None
    trains = data.edge_part == PARTS.index("train")
    seen = np.zeros(data.n, bool)
    seen[data.src[trains]] = seen[data.dst[trains]] = True
    unseen = ~(seen[data.src] & seen[data.dst]) & ~trains
    note = f"{int(unseen.sum()):,} validation or test edges name a vertex that no training edge names"
    return Check.of("Edge split", not unseen.any(), note, "every vertex of validation and test is trained on")


def _split(data: HeteroData) -> Check:
    masks = {"training": data.train, "validation": data.val, "test": data.test}
    counts = {part: 0 if mask is None else int(mask.sum()) for part, mask in masks.items()}
    missing = [part for part, count in counts.items() if not count]
    passed = f"{sum(counts.values()):,} entries of {data.target}, disjoint and all labelled"
    return Check.of("Split of vertices", not missing, f"no {' and no '.join(missing)} vertices", passed)

"""Checks at the door: what every dataset must hold to, and what is worth a note. Shown on its page as they ran."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from workers.core.dataset import GraphData, SparseRows
from workers.datasets import sparse
from workers.datasets.errors import BadValue


class Check(BaseModel):
    """One thing looked at. A note is worth knowing and stops nothing; what must not be is an error instead."""

    model_config = ConfigDict(frozen=True)

    name: str
    state: Literal["passed", "note"]
    detail: str

    @classmethod
    def of(cls, name: str, good: bool, note: str, detail: str) -> Check:
        return cls(name=name, state="passed" if good else "note", detail=detail if good else note)


def examine(data: GraphData) -> tuple[Check, ...]:
    """Check what every dataset must hold to, whoever made it. BadValue says what does not."""
    return (_ids(data), _sizes(data), _values(data), *_splits(data), _isolated(data))


def _ids(data: GraphData) -> Check:
    outside = sum(int(((ids < 0) | (ids >= data.n)).sum()) for ids in (data.src, data.dst))
    if outside or len(data.src) != len(data.dst):
        raise BadValue(f"{outside:,} ends of arcs are outside 0 to n - 1", "Correct the edges.")
    return Check(name="Ids in range", state="passed", detail=f"{len(data.src):,} arcs, 0 outside 0 to n − 1")


def _sizes(data: GraphData) -> Check:
    for what, size in _lengths(data).items():
        if size != data.n:
            raise BadValue(f"{size:,} {what} for {data.n:,} vertices", "Give one for each vertex.")
    return Check(name="Types and sizes", state="passed", detail=_described(data))


def _lengths(data: GraphData) -> dict[str, int]:
    found = {"rows of features": sparse.shape(data.x)[0]} if data.x is not None else {}
    found |= {"labels": len(data.y)} if data.y is not None else {}
    return found | ({"graph numbers": len(data.graph_of)} if data.graph_of is not None else {})


def _described(data: GraphData) -> str:
    if data.x is None:
        features = "no features"
    else:
        rows, columns = sparse.shape(data.x)
        layout = "sparse" if isinstance(data.x, SparseRows) else "dense"
        features = f"features float32 {rows:,} × {columns:,}, {layout}"
    return f"{features}, {'no labels' if data.y is None and data.graph_y is None else 'labels int64'}"


def _values(data: GraphData) -> Check:
    values = data.x.data if isinstance(data.x, SparseRows) else data.x
    arrays = [a for a in (values, data.edge_x) if a is not None]
    bad = sum(int((~np.isfinite(a)).sum()) for a in arrays)
    if bad:
        raise BadValue(f"{bad:,} features are NaN or infinite", "Fill them with numbers.")
    return Check(name="No values missing", state="passed", detail="0 NaN, 0 infinite" if arrays else "no features")


def _splits(data: GraphData) -> tuple[Check, ...]:
    parts = [("training", data.train), ("validation", data.val), ("test", data.test)]
    there = [(name, ids) for name, ids in parts if ids is not None]
    if not there:
        return (Check(name="Split", state="note", detail="no split: nothing to train on"),)
    ids = np.concatenate([ids for _, ids in there])
    if len(np.unique(ids)) != len(ids):
        raise BadValue("training, validation and test share vertices", "Give each vertex to one of them.")
    empty = [name for name, ids in there if not len(ids)]
    return (
        Check.of(
            "Splits disjoint", not empty, f"no {' and no '.join(empty)} vertices", "train, validation and test share 0"
        ),
        _split_labelled(data, ids),
    )


def _split_labelled(data: GraphData, ids: NDArray[np.int64]) -> Check:
    labels = data.graph_y if data.graph_y is not None else data.y
    bare = len(ids) if labels is None else int((labels[ids] < 0).sum())
    if bare:
        raise BadValue(f"{bare:,} vertices of the split have no label", "Label them, or leave them out of the split.")
    return Check(name="Split labelled", state="passed", detail=f"{len(ids):,} entries, all labelled")


def _isolated(data: GraphData) -> Check:
    touched = np.zeros(data.n, bool)
    touched[data.src] = touched[data.dst] = True
    alone = int((~touched).sum())
    return Check.of("Isolated vertices", alone == 0, f"{alone:,} vertices without an edge", "every vertex has an edge")

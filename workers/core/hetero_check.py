"""What a heterogeneous graph must hold to, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workers.core.errors import GraphInvalid
from workers.core.hetero import PARTS, Floats, HeteroData, Ids, Relation

SHOWN = 8


def check(data: HeteroData) -> None:
    """GraphInvalid where parts of the graph contradict each other; says which, where and what to do."""
    # In this order: later ones rely on earlier ones.
    for look in (_keys, _pointers, _ends, _vertex_data, _edge_data, _labels, _inverses):
        look(data)


def _keys(data: HeteroData) -> None:
    for what, keys in (("type", data.node_types), ("relation", data.relations)):
        twice = [key for key in keys if keys.count(key) > 1] if len(set(keys)) < len(keys) else []
        if twice:
            raise GraphInvalid(f"The {what} {twice[0]} is listed twice", f"Give each {what} once, with all it holds.")
    for relation in data.relations:
        check_relation(relation, data.node_types)


def _pointers(data: HeteroData) -> None:
    for what, ptr, groups in (
        ("type_ptr", data.type_ptr, len(data.node_types)),
        ("rel_ptr", data.rel_ptr, len(data.relations)),
    ):
        if len(ptr) != groups + 1 or ptr[0] != 0 or (np.diff(ptr) < 0).any():
            raise GraphInvalid(f"{what} is no rising list of {groups + 1} numbers from 0", "Count each group again.")
    for end, ids in (("src", data.src), ("dst", data.dst)):
        if len(ids) != data.rel_ptr[-1]:
            what = f"{end} has {len(ids):,} entries for {data.rel_ptr[-1]:,} edges"
            raise GraphInvalid(what, "Give both ends of every edge.")


def _ends(data: HeteroData) -> None:
    for r, relation in enumerate(data.relations):
        at = data.edges_of(r)
        for node_type, ids in ((relation.source, data.src[at]), (relation.target, data.dst[at])):
            inside = data.vertices_of(node_type)
            check_ids(relation, node_type, ids, inside.stop, inside.start)


def _vertex_data(data: HeteroData) -> None:
    for node_type, x in data.features.items():
        if node_type not in data.node_types:
            raise GraphInvalid(f"Features are given for {node_type!r}, which is no type", _listed(data.node_types))
        _rows(x, data.count(node_type), f"Features of {node_type!r}")
    if data.names is not None and len(data.names) != data.n:
        raise GraphInvalid(f"{len(data.names):,} names for {data.n:,} vertices", "Name each vertex once.")


def _edge_data(data: HeteroData) -> None:
    for relation, x in data.edge_features.items():
        if relation not in data.relations:
            raise GraphInvalid(f"Edge features are given for {relation}, which is no relation", "Leave them out.")
        at = data.edges_of(data.relations.index(relation))
        _rows(x, at.stop - at.start, f"Edge features of {relation}")
    for what, values in (("times", data.times), ("edge_part", data.edge_part)):
        if values is not None and len(values) != data.edges:
            raise GraphInvalid(
                f"{what} has {len(values):,} entries for {data.edges:,} edges", "Give one for each edge."
            )
    if data.edge_part is not None and (data.edge_part >= len(PARTS)).any():
        at_edge = int(np.argmax(data.edge_part >= len(PARTS)))
        what = f"edge_part {data.edge_part[at_edge]} of edge {at_edge:,} is not 0, 1 or 2"
        raise GraphInvalid(what, f"Give the number of {', '.join(PARTS)}.")


def _rows(x: Floats, rows: int, what: str) -> None:
    if x.ndim != 2 or len(x) != rows:
        shape = " × ".join(f"{size:,}" for size in x.shape)
        raise GraphInvalid(f"{what} are {shape}, and there are {rows:,} rows to fill", "Give one row for each.")
    finite = np.isfinite(x).all(axis=1)
    if not finite.all():
        at = f"{what}, row {int(np.argmin(finite)):,}"
        raise GraphInvalid(f"{at}: a value is NaN or infinite", "Fill it with a number.")


def _labels(data: HeteroData) -> None:
    given = {part: getattr(data, part) for part in ("y", "train", "val", "test") if getattr(data, part) is not None}
    if data.target is None:
        if given:
            raise GraphInvalid(f"{', '.join(given)} given, but no target type", "Name the type that has labels.")
        return
    if data.target not in data.node_types:
        raise GraphInvalid(f"The target {data.target!r} is no type", _listed(data.node_types))
    for part, values in given.items():
        if len(values) != data.count(data.target):
            what = f"{part} has {len(values):,} entries for {data.count(data.target):,} vertices of {data.target!r}"
            raise GraphInvalid(what, "Give one for each vertex of the target type.")
    if data.y is not None:
        _classes(data, data.y)


def _classes(data: HeteroData, y: Ids) -> None:
    wrong = (y < -1) | (y >= len(data.classes))
    if wrong.any():
        at = int(np.argmax(wrong))
        what = f"Label {y[at]} of {data.target} {at:,} is no class; they are -1 to {len(data.classes) - 1}"
        raise GraphInvalid(what, "Name every class, or correct the label.")
    masks = [mask for mask in (data.train, data.val, data.test) if mask is not None]
    taken = np.sum(masks, axis=0) if masks else np.zeros(len(y), np.int64)
    if (taken > 1).any():
        at = int(np.argmax(taken > 1))
        what = f"{data.target} {at:,} is in more than one of train, val and test"
        raise GraphInvalid(what, "Give each vertex to one of them.")
    if ((taken > 0) & (y < 0)).any():
        at = int(np.argmax((taken > 0) & (y < 0)))
        raise GraphInvalid(f"{data.target} {at:,} is in the split and has no label", "Leave it out of the split.")


def _inverses(data: HeteroData) -> None:
    for r, back in data.inverse.items():
        if not 0 <= r < len(data.relations) or not 0 <= back < len(data.relations):
            raise GraphInvalid(
                f"inverse says {r}: {back}, but there are {len(data.relations)} relations", "Correct it."
            )
        there, again = data.edges_of(r), data.edges_of(back)
        same = np.array_equal(data.src[there], data.dst[again]) and np.array_equal(data.dst[there], data.src[again])
        if not same:
            what = f"{data.relations[back]} does not hold the edges of {data.relations[r]} backwards, in their order"
            raise GraphInvalid(what, "Make it from them, or leave it out of `inverse`.")


def check_relation(relation: Relation, known: Sequence[str]) -> None:
    unknown = [end for end in (relation.source, relation.target) if end not in known]
    if unknown:
        raise GraphInvalid(f"Relation {relation} names {unknown[0]!r}, which is no type", _listed(known))


def check_ids(relation: Relation, node_type: str, ids: Ids, stop: int, start: int = 0) -> None:
    wrong = (ids < start) | (ids >= stop)
    if wrong.any():
        at = int(np.argmax(wrong))
        inside = f"{start:,} to {stop - 1:,}" if stop > start else "none, since the type is empty"
        what = f"Edge {at:,} of {relation}: {ids[at]:,} is no {node_type!r}; their ids are {inside}"
        raise GraphInvalid(what, "Correct the edge, or the count of that type.")


def _listed(types: Sequence[str]) -> str:
    more = f" and {len(types) - SHOWN} more" if len(types) > SHOWN else ""
    return f"Types are {', '.join(types[:SHOWN]) or 'none'}{more}."

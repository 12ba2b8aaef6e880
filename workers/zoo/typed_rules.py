"""What a document over relations may hold: layers for one relation have no place in it.

A document is over relations when one of its layers is. Its values are rows of the vertices of all types; features of
the dataset are as wide as each type has them, so only a type encoder reads them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from workers.core.dataset import DatasetInfo
from workers.core.model import ModelDoc, Node, Wire
from workers.core.problems import DocumentError, Problem
from workers.zoo.chosen_relations import SETTING, chosen, names
from workers.zoo.layers import LAYERS
from workers.zoo.reading import read_signature

ENCODER = "encode_types"


def over_relations(doc: ModelDoc) -> frozenset[str]:
    """Ids of the nodes that work over relations or types: by their layer, or by the model's own program they run."""
    own = {p.name for p in doc.programs if _is_typed(p.source)}
    return frozenset(n.id for n in doc.nodes if _group(n) == "over relations" or _runs(n, own))


def relation_problems(doc: ModelDoc, typed: frozenset[str], info: DatasetInfo | None) -> Iterator[Problem]:
    if typed:
        nodes = {n.id: n for n in doc.nodes}
        yield from (_mixed(n) for n in doc.nodes if n.id not in typed and _is_for_one_relation(n))
        for place, wire in enumerate(doc.wires):
            source, target = nodes.get(wire.source.node), nodes.get(wire.target.node)
            if source is not None and target is not None and source.type == "input":
                yield from _read(place, wire, target)
        if info is not None:
            yield from (p for n in doc.nodes if n.id in typed for p in _pinned(n, info))
    elif info is not None and info.heterogeneous is not None:
        yield from (_of_one_type(n, info) for n in doc.nodes if n.type == "input")


def _is_typed(source: str) -> bool:
    try:
        return read_signature(source).typed
    except DocumentError:
        return False


def _group(node: Node) -> str:
    return LAYERS[node.type].group if node.type in LAYERS else ""


def _runs(node: Node, programs: set[str]) -> bool:
    return node.type == "program" and node.params.get("program") in programs


def _is_for_one_relation(node: Node) -> bool:
    return _group(node) == "message passing" or node.type == "readout"


def _mixed(node: Node) -> Problem:
    title = LAYERS[node.type].title
    message = f"{title} knows one type of vertices and one relation, and other layers here work over relations."
    hint = "Take a layer over relations in its place, such as R-GCN, or build the whole model of layers without them."
    return _problem(node, "relations.mixed", message, hint)


def _read(place: int, wire: Wire, target: Node) -> Iterator[Problem]:
    """Only a type encoder reads what the dataset says of vertices, and nothing what it says of edges."""
    if wire.source.port == "e":
        message, hint = "Edge features of relations are read by no layer yet.", "Remove this wire."
    elif target.type != ENCODER:
        message = "Every type has features of its own width, or none."
        hint = "Put a Type encoder between Input and this layer: it makes rows of one width."
    else:
        return
    yield Problem(
        pointer=f"/wires/{place}", code="relations.encode", message=message, hint=hint, node_id=target.id,
        port=wire.target.port,
    )  # fmt: skip


def _pinned(node: Node, info: DatasetInfo) -> Iterator[Problem]:
    """Relations a layer is pinned to that the dataset has not, or has without edges."""
    named = node.params.get(SETTING, "")
    if not isinstance(named, str) or not named.strip():
        return
    found, known = chosen(named, info.typed), names(info.typed)
    for unknown in found.unknown:
        near = difflib.get_close_matches(unknown, known, 1)
        hint = f"Did you mean {near[0]}?" if near else f"It has {', '.join(known[:3])}{', ...' if known[3:] else '.'}"
        message = f"{info.name} has no relation {unknown}."
        yield _setting(node, "relations.unknown", message, f"{hint} No relation named stands for all of them.")
    if not found.unknown and not any(info.typed.relations[n].edges for n in found.numbers):
        message = f"The chosen relations of {info.name} have no edges, so this layer reads no neighbours."
        yield _setting(node, "relations.empty", message, "Choose a relation with edges, or all.", "warning")


def _setting(node: Node, code: str, message: str, hint: str, severity: str = "error") -> Problem:
    found = _problem(node, code, message, hint)
    return found.model_copy(update={"pointer": f"{found.pointer}/params/{SETTING}", "severity": severity})


def _of_one_type(node: Node, info: DatasetInfo) -> Problem:
    assert info.heterogeneous is not None
    types, relations = len(info.heterogeneous.types), len(info.heterogeneous.relations)
    message = f"{info.name} has {types:,} types of vertices and {relations:,} relations; no layer here knows them."
    hint = "Put a Type encoder behind Input and layers over relations, such as R-GCN, or choose a dataset of one type."
    return _problem(node, "dataset.heterogeneous", message, hint)


def _problem(node: Node, code: str, message: str, hint: str) -> Problem:
    return Problem(pointer=f"/nodes/{node.id}", code=code, message=message, hint=hint, node_id=node.id)

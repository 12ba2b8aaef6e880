"""Documents and datasets for the tests of this folder: sound ones, broken ones, random ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from workers.core.dataset import DatasetInfo
from workers.core.model import Endpoint, Group, ModelDoc, Node, Note, Position, Scalar, VertexProgram, Wire
from workers.core.problems import Problem
from workers.zoo.layers import LAYERS
from workers.zoo.validate import validate


def dataset(**facts: Any) -> DatasetInfo:
    """A dataset of 7 classes and 1,433 features, as Cora has them."""
    known: dict[str, Any] = {
        "id": "ds_test", "name": "test", "task": "node_classification", "vertices": 2708, "arcs": 10556,
        "features": 1433, "feature_nonzero_ratio": 0.01, "edge_features": 0, "classes": tuple("abcdefg"), "graphs": 1,
        "train": 140, "val": 500, "test": 1000, "directed": False, "source": "", "bytes": 1,
    }  # fmt: skip
    return DatasetInfo(**(known | facts))


def dataset_for(goal: str, **facts: Any) -> DatasetInfo:
    """The same, so that it suits a goal."""
    task = "graph_classification" if goal == "graph_classification" else "node_classification"
    return dataset(**({"task": task, "arcs": 10556} | facts))


def node(text: str, **params: Scalar) -> Node:
    """`gcn1:gcn` or, where the id is the type, `gcn`."""
    node_id, _, kind = text.partition(":")
    return Node(id=node_id, type=kind or node_id, params=params)


def wire(text: str) -> Wire:
    """`input.h > gcn1.x`."""
    source, target = (end.strip().split(".") for end in text.split(">"))
    return Wire(source=Endpoint(node=source[0], port=source[1]), target=Endpoint(node=target[0], port=target[1]))


def doc(nodes: list[Node], wires: list[str], programs: dict[str, str] | None = None) -> ModelDoc:
    own = tuple(VertexProgram(name=n, source=s) for n, s in (programs or {}).items())
    return ModelDoc(nodes=tuple(nodes), wires=tuple(wire(w) for w in wires), programs=own)


def codes(document: ModelDoc, info: DatasetInfo | None = None) -> list[str]:
    return [p.code for p in validate(document, info).problems]


def only_problem(document: ModelDoc, info: DatasetInfo | None = None) -> Problem:
    """The one problem of a document that has exactly one."""
    found = validate(document, info).problems
    assert len(found) == 1, found
    return found[0]


_names = st.sampled_from([*LAYERS, "teleport"])
_ids = st.sampled_from([f"n{i}" for i in range(8)])
_ports = st.sampled_from(["x", "y", "h", "e", "nowhere"])
_settings = st.sampled_from([*sorted({p.name for layer in LAYERS.values() for p in layer.params}), "colour"])
_scalars = st.one_of(
    st.integers(-5, 300), st.floats(allow_nan=False, allow_infinity=False), st.booleans(),
    st.sampled_from(["concat", "mean", "relu", "own", ""]), st.text(max_size=8),
)  # fmt: skip
_params = st.dictionaries(_settings, _scalars, max_size=3)
_nodes = st.builds(Node, id=_ids, type=_names, params=_params, title=st.text(max_size=5))
_ends = st.builds(Endpoint, node=_ids, port=_ports)
_texts = ("", "def f(v): return v.h", "def own(v: Vertex(h='in')):\n    return v.h\n", "def (", "\x00", "v" * 50)
_sources = st.sampled_from(_texts)
_programs = st.builds(VertexProgram, name=st.sampled_from(["own", "other"]), source=_sources)
_places = st.builds(Position, x=st.floats(-1e6, 1e6), y=st.floats(-1e6, 1e6))
_members = st.sampled_from(["n0", "n1", "n2", "note", "box", "box_2", "box_3", "gone"])
_groups = st.builds(
    Group, id=st.sampled_from(["n0", "box", "box_2", "box_3"]), title=st.text(max_size=5), collapsed=st.booleans(),
    members=st.lists(_members, max_size=4).map(tuple),
)  # fmt: skip
_notes = st.builds(Note, id=st.sampled_from(["n1", "note"]), text=st.text(max_size=20), width=st.integers(96, 1600))

random_docs = st.builds(
    ModelDoc,
    nodes=st.lists(_nodes, max_size=8).map(tuple),
    wires=st.lists(st.builds(Wire, source=_ends, target=_ends), max_size=12).map(tuple),
    programs=st.lists(_programs, max_size=2).map(tuple),
    groups=st.lists(_groups, max_size=4).map(tuple),
    notes=st.lists(_notes, max_size=2).map(tuple),
    layout=st.dictionaries(_ids, _places, max_size=4),
)
random_infos = st.one_of(
    st.none(),
    st.builds(
        dataset, features=st.integers(0, 40), edge_features=st.integers(0, 3),
        classes=st.sampled_from([(), ("a",), ("a", "b")]),
        task=st.sampled_from(["node_classification", "graph_classification", "none"]), vertices=st.integers(0, 50),
        arcs=st.integers(0, 99),
    ),
)  # fmt: skip

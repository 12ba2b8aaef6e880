"""Graph data as every part of the platform knows it: arrays in memory, facts about them for the pages.

Shape letters: N vertices, E arcs, F features, C classes, G graphs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, computed_field

Task = Literal["node_classification", "graph_classification", "none"]
Goal = Literal["node_classification", "link_prediction", "graph_classification"]
"""What can be learnt from a dataset."""
ONE_TYPE, ONE_RELATION = "vertex", "edge"
"""What the type and the relation of a graph are called that has one of each."""
FEWEST_ARCS = 20
"""Arcs from which some edges can be held back and others still pass messages."""


@dataclass(frozen=True)
class SparseRows:
    """A CSR matrix [N, F]: indptr int64[N+1], indices int32[nnz] ascending in each row, data float32[nnz]."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float32]
    columns: int


@dataclass(frozen=True)
class GraphData:
    """One dataset in memory.

    src, dst: int64[E], arcs src -> dst exactly as they will be trained on (duplicates and self-loops kept as given).
    x: float32[N, F], or SparseRows when most entries are zero, or None. y: int64[N], -1 where unlabelled, or None.
    train, val, test: int64 vertex ids, disjoint, or None; graph numbers where graph_y is there. graph_of: int64[N]
    graph number when there are many graphs; graph_y: int64[G]. edge_x: float32[E, K] or None. extra: JSON documents,
    stored beside the arrays (`summary` and `checks` of an import, `vertex_names` of a small graph).
    """

    name: str
    n: int
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    x: NDArray[np.float32] | SparseRows | None = None
    y: NDArray[np.int64] | None = None
    classes: tuple[str, ...] = ()
    train: NDArray[np.int64] | None = None
    val: NDArray[np.int64] | None = None
    test: NDArray[np.int64] | None = None
    graph_of: NDArray[np.int64] | None = None
    graph_y: NDArray[np.int64] | None = None
    edge_x: NDArray[np.float32] | None = None
    source: str = ""
    notes: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)


class TypeFacts(BaseModel):
    """One type of vertices of a heterogeneous graph."""

    model_config = ConfigDict(frozen=True)

    name: str
    vertices: int
    features: int = Field(description="0 where its vertices have none")


class RelationFacts(BaseModel):
    """One relation of a heterogeneous graph: edges of one meaning between two types."""

    model_config = ConfigDict(frozen=True)

    source: str
    name: str
    target: str
    edges: int
    features: int = Field(description="0 where its edges have none")
    inverse: int | None = Field(description="The relation that was added to hold these edges backwards")
    inverse_of: int | None = Field(description="The relation whose edges this one was added to hold backwards")


class EdgeSplit(BaseModel):
    """How many edges train, validate and test."""

    model_config = ConfigDict(frozen=True)

    train: int
    valid: int
    test: int


class Heterogeneous(BaseModel):
    """What a heterogeneous graph is made of."""

    model_config = ConfigDict(frozen=True)

    types: tuple[TypeFacts, ...]
    relations: tuple[RelationFacts, ...]
    target: str | None = Field(description="The type whose vertices are labelled")
    timed: bool = Field(description="Whether edges have times")
    edge_split: EdgeSplit | None = Field(description="None where edges themselves are not split")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def type_count(self) -> int:
        return len(self.types)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def relation_count(self) -> int:
        return len(self.relations)


class DatasetFacts(BaseModel):
    """Facts of a dataset that are few, whatever the dataset."""

    # A dataset stored before a field was there is read too, and yet the field is always there for who asks.
    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    id: str
    name: str
    task: Task
    vertices: int = Field(description="N")
    arcs: int = Field(description="E, as stored")
    features: int = Field(description="F, 0 where vertices have no features")
    feature_nonzero_ratio: float = Field(description="Share of entries of x that are not zero")
    edge_features: int
    classes: tuple[str, ...]
    graphs: int = Field(description="1 for a single graph")
    train: int
    val: int
    test: int
    directed: bool
    source: str
    bytes: int


class DatasetInfo(DatasetFacts):
    """The facts of a dataset that checks, forms and pages need; stored beside the arrays as meta.json."""

    heterogeneous: Heterogeneous | None = Field(default=None, description="None for a graph of one type and relation")

    @computed_field(description="What can be learnt from it.")  # type: ignore[prop-decorator]
    @property
    def goals(self) -> tuple[Goal, ...]:
        suits: dict[Goal, bool] = {
            "node_classification": self.task == "node_classification" and self.train > 0,
            "link_prediction": self.graphs == 1 and self._has_inputs and self.arcs >= FEWEST_ARCS,
            "graph_classification": self.task == "graph_classification" and self.train > 0,
        }
        return tuple(goal for goal, suited in suits.items() if suited)

    @property
    def typed(self) -> Heterogeneous:
        """Its types and relations; a graph that has none is one type and one relation."""
        if self.heterogeneous is not None:
            return self.heterogeneous
        of = TypeFacts(name=ONE_TYPE, vertices=self.vertices, features=self.features)
        relation = RelationFacts(
            source=ONE_TYPE, name=ONE_RELATION, target=ONE_TYPE, edges=self.arcs, features=self.edge_features,
            inverse=None, inverse_of=None,
        )  # fmt: skip
        return Heterogeneous(types=(of,), relations=(relation,), target=ONE_TYPE, timed=False, edge_split=None)

    @property
    def _has_inputs(self) -> bool:
        """Vertices of a heterogeneous graph are embedded where they have no features."""
        return self.features > 0 or self.heterogeneous is not None

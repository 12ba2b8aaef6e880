"""What a user may choose about an import. Every choice has a default that suits the format it applies to."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FormatName = Literal[
    "auto", "planetoid", "npz", "edge_list", "tu", "ntriples", "triples", "heco", "typed_tables", "ogb", "pyg", "dgl"
]
ONE_TYPE: tuple[FormatName, ...] = ("planetoid", "npz", "edge_list", "tu")
MANY_TYPES: tuple[FormatName, ...] = ("ntriples", "triples", "heco", "typed_tables", "ogb", "pyg", "dgl")
TABLES: tuple[FormatName, ...] = ("edge_list", "typed_tables")
LABEL_TABLES: tuple[FormatName, ...] = ("ntriples", *TABLES)
SplitName = Literal["auto", "random", "per_class", "none"]


def _of(formats: tuple[FormatName, ...], default: Any, description: str, *, advanced: bool = False, **more: Any) -> Any:
    """A choice that these formats read and no other: forms leave it out for those."""
    hints: dict[str, Any] = {"x-formats": list(formats)} | ({"x-advanced": True} if advanced else {})
    return Field(default=default, description=description, json_schema_extra=hints, **more)


def _name(formats: tuple[FormatName, ...], description: str) -> Any:
    """A field that names a file or a column."""
    return _of(formats, "", description, advanced=True, max_length=255)


class ImportOptions(BaseModel):
    """How files become a graph. None means: as the format usually is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: FormatName = Field(default="auto", description="Format of the files; auto tells it by their names.")
    symmetrise: bool = _of(ONE_TYPE, True, "Take edges as undirected: both directions of each are kept.")
    drop_self_loops: bool = _of(ONE_TYPE, True, "Leave out edges from a vertex to itself; layers add their own.")
    drop_duplicates: bool = Field(default=True, description="Keep repeated edges once.")
    largest_component: bool = _of(ONE_TYPE, False, "Keep only the largest connected part of the graph.")
    row_normalise: bool | None = _of(
        ONE_TYPE,
        None,
        "Divide each vertex's features by their sum. Usual: on for planetoid and npz, else off.",
    )
    inverse: bool | None = _of(
        MANY_TYPES,
        None,
        "Heterogeneous graphs: add to each relation one that holds its edges backwards. "
        "Usual: on for N-Triples, HeCo and head-relation-tail tables, else off.",
    )
    resource_types: Literal["one", "class"] = _of(
        ("ntriples",),
        "one",
        "N-Triples: one type for all resources, as in R-GCN, or the class that each is of.",
    )
    literals: Literal["vertices", "features", "drop"] = _of(
        ("ntriples",),
        "vertices",
        "N-Triples: texts and numbers as vertices, as features of what they describe, or not at all.",
    )
    target_type: str = _name(
        ("typed_tables", "ogb", "pyg", "dgl"),
        "Heterogeneous graphs: the type whose labels are learnt; empty: the only one that has any.",
    )
    given_split: str = _name(
        ("heco", "ogb"), "Which of several splits the files give, 20 for train_20.npy; empty: the first."
    )
    split: SplitName = Field(
        default="auto",
        description="Who trains and who tests. auto: what the files say, else the format's usual; per_class: the same "
        "number of labels of each class; random: by share.",
    )
    seed: int = Field(default=0, ge=0, lt=2**31, description="Seed of a split that the files do not give.")
    train_share: float = Field(
        default=0.6, gt=0, lt=1, description="Share of labelled vertices that train (random split)."
    )
    val_share: float = Field(
        default=0.2, ge=0, lt=1, description="Share of labelled vertices that validate (random split)."
    )
    labels_per_class: int = Field(
        default=20, ge=1, le=100_000, description="Training labels of each class (per_class split)."
    )
    val_per_class: int = Field(
        default=30, ge=0, le=100_000, description="Validation labels of each class (per_class split)."
    )
    edges_file: str = _name(("edge_list",), "Table of edges; empty: told by its name.")
    nodes_file: str = _name(("edge_list",), "Table of vertices; empty: told by its name.")
    features_file: str = _name(("edge_list",), "JSON of features by vertex; empty: told by its name.")
    header: bool | None = _of(
        LABEL_TABLES, None, "Whether tables start with column names; None: told by the first row.", advanced=True
    )
    source_column: str = _name(TABLES, "Column an edge starts from; empty: told by its name.")
    target_column: str = _name(TABLES, "Column an edge leads to; empty: told by its name.")
    id_column: str = _name(LABEL_TABLES, "Column of vertex ids; empty: told by its name.")
    label_column: str = _name(LABEL_TABLES, "Column of the classes; empty: told by its name.")
    split_column: str = _name(TABLES, "Column that says train, val or test; empty: one called split, if there is one.")
    feature_columns: tuple[str, ...] = _of(
        TABLES, (), "Columns of features; empty: f0, f1, and so on.", advanced=True, max_length=20_000
    )

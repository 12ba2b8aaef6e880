"""The formats that are read, told by the names of files alone; `importer.py` has their readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from workers.datasets.files import Files, plain_name

PLANETOID = r"ind\.(?P<name>[^/]+?)\.(?P<part>x|y|tx|ty|allx|ally|graph|test\.index)"
TU_NEEDED = ("A", "graph_indicator", "graph_labels")
TU_OPTIONAL = ("node_labels", "node_attributes", "edge_labels")
TU = rf"(?P<name>.+?)_(?P<part>{'|'.join(TU_NEEDED + TU_OPTIONAL)})\.txt"
NPZ = r".+\.npz"
TABLE = r".+\.(csv|tsv|txt|dat|edges|edgelist|parquet|pq)"
SOURCES = ("source", "src", "from", "id_1", "id1", "node_1", "u", "head")
TARGETS = ("target", "dst", "to", "id_2", "id2", "node_2", "v", "tail")
IDS = ("id", "node", "node_id", "nodeid", "vertex", "vertex_id", "name")
LABELS = ("label", "class", "page_type", "category", "y", "target", "type", "ml_target")
COLUMNS = (*SOURCES, *TARGETS, *IDS, *LABELS, "split")
NOT_DATA = re.compile(r"(readme|licen[cs]e|citation|notice)", re.IGNORECASE)


@dataclass(frozen=True)
class Format:
    """One format; `files` says in words which files it needs."""

    name: str
    title: str
    files: str
    recognises: Callable[[Files], bool]


def table_names(files: Files) -> list[str]:
    """The tables among the files, papers that go with them left out."""
    return [name for name, _ in files.matching(TABLE) if not NOT_DATA.search(plain_name(name))]


def _has_indicator(files: Files) -> bool:
    return any(match["part"].lower() == "graph_indicator" for _, match in files.matching(TU))


FORMATS: tuple[Format, ...] = (
    Format(
        "planetoid", "Planetoid", "ind.<name>.{x,y,tx,ty,allx,ally,graph,test.index}",
        lambda files: bool(files.matching(PLANETOID)),
    ),
    Format("tu", "TU (many graphs)", "<name>_{A,graph_indicator,graph_labels,...}.txt", _has_indicator),
    Format(
        "npz", "GNN benchmark .npz", "one .npz with adj_* and attr_* (CSR parts) and labels",
        lambda files: bool(files.matching(NPZ)),
    ),
    Format(
        "edge_list", "Edge list and vertex table",
        "CSV, TSV or Parquet of edges; optionally one of vertices, JSON of features",
        lambda files: bool(table_names(files)),
    ),
)  # fmt: skip
"""In the order they are tried; the first that knows the files reads them."""


def detect(files: Files) -> Format | None:
    """The format of the files by their names, or None."""
    return next((known for known in FORMATS if known.recognises(files)), None)

"""The formats that are read, told by the names of files alone; `importer.py` has their readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from workers.datasets import typed_names
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
NTRIPLES = r".+\.nt"
TRIPLES = r"(?P<part>train|valid|val|dev|test)\.(?:txt|tsv|csv|del)"
HECO_EDGES = r"(?P<pair>[a-z]{2})\.txt"
HECO_LABELS = r"labels\.npy"
HECO_FEATURES = r"(?P<type>[a-z])_feat\.npz"
HECO_SPLIT = r"(?P<part>train|val|test)(?:_(?P<which>\w+))?\.npy"
OGB_COUNTS = re.compile(r"(?:^|/)num-node-dict\.csv(?:\.gz)?$")
OGB_EDGES = re.compile(r"(?:^|/)relations/(?P<source>.+?)___(?P<name>.+?)___(?P<target>[^/]+)/edge\.csv(?:\.gz)?$")
PYG = r".+\.pt"
DGL = r".+\.bin"
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
    Format(
        "heco", "HeCo layout", "labels.npy, two-letter files such as pa.txt, train_20.npy, p_feat.npz",
        lambda files: bool(files.matching(HECO_LABELS)) and bool(files.matching(HECO_EDGES)),
    ),
    Format(
        "ntriples", "N-Triples (RDF)", "<name>.nt; optionally tables of labels, train and test in their names",
        lambda files: bool(files.matching(NTRIPLES)),
    ),
    Format(
        "typed_tables", "Tables by type and relation",
        "nodes__<type>.csv and edges__<type>__<relation>__<type>.csv, or Parquet",
        lambda files: bool(files.matching(typed_names.EDGES)),
    ),
    Format(
        "ogb", "OGB heterogeneous layout", "one .zip with num-node-dict.csv, relations/*/edge.csv, node-feat, split",
        lambda files: any(OGB_COUNTS.search(name) for name in files.names),
    ),
    Format(
        "triples", "Head, relation, tail", "train.txt, valid.txt and test.txt of three columns each",
        lambda files: {m["part"].lower() for _, m in files.matching(TRIPLES)} > {"train"},
    ),
    Format("pyg", "PyG HeteroData", "one .pt, as torch.save writes a HeteroData or its to_dict()",
        lambda files: bool(files.matching(PYG))),
    Format("dgl", "DGL graph", "one .bin, as dgl.save_graphs writes it", lambda files: bool(files.matching(DGL))),
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

"""Small sound files of every format, for tests to read and to spoil."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from workers.core.dataset import GraphData
from workers.core.hetero import HeteroData
from workers.datasets import importer
from workers.datasets.checks import Check
from workers.datasets.limits import LIMITS, Limits
from workers.datasets.options import ImportOptions


class Read(NamedTuple):
    """What a folder became, its graph known to be of one type."""

    data: GraphData
    checks: tuple[Check, ...]


class ReadHetero(NamedTuple):
    data: HeteroData
    checks: tuple[Check, ...]


def read(folder: Path, limits: Limits = LIMITS, **options: Any) -> Read:
    """Import a folder; options by name."""
    reading = importer.read_folder(folder, ImportOptions(**options), lambda *_: None, limits)
    assert isinstance(reading.data, GraphData)
    return Read(reading.data, reading.checks)


def read_hetero(folder: Path, limits: Limits = LIMITS, **options: Any) -> ReadHetero:
    """Import a folder as a heterogeneous graph; options by name."""
    reading = importer.read_folder(folder, ImportOptions(**options), lambda *_: None, limits)
    assert isinstance(reading.data, HeteroData)
    return ReadHetero(reading.data, reading.checks)


def planetoid_parts() -> dict[str, Any]:
    """Ten vertices in two classes: rows 0..6 in allx, test vertices 7, 9, 8 in that order; 0 and 1 train."""
    rng = np.random.default_rng(0)
    x = (rng.random((10, 6)) < 0.4).astype(np.float32)
    x[:, 0] = 1
    labels = np.eye(2, dtype=np.int32)[np.arange(10) % 2]
    ring = {v: [(v - 1) % 10, (v + 1) % 10] for v in range(10)}
    ring[3] += [3, 4, 4]
    order = [7, 9, 8]
    return {
        "x": csr_matrix(x[:2]), "y": labels[:2], "tx": csr_matrix(x[order]), "ty": labels[order],
        "allx": csr_matrix(x[:7]), "ally": labels[:7], "graph": ring, "test.index": "7\n9\n8\n",
    }  # fmt: skip


def write_planetoid(folder: Path, parts: dict[str, Any] | None = None, protocol: int = 2) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for part, value in (parts or planetoid_parts()).items():
        content = value.encode() if isinstance(value, str) else value
        if not isinstance(content, bytes):
            content = pickle.dumps(content, protocol=protocol)
        (folder / f"ind.tiny.{part}").write_bytes(content)


def npz_arrays() -> dict[str, Any]:
    """A path of five vertices as arcs 0 -> 1 -> 2 -> 3 and 4 alone, two classes, three sparse features."""
    adj = csr_matrix((np.ones(3, np.float32), ([0, 1, 2], [1, 2, 3])), shape=(5, 5))
    attr = csr_matrix(np.array([[1, 0, 0], [0, 2, 0], [0, 0, 1], [1, 0, 1], [0, 1, 0]], np.float32))
    return {
        "adj_data": adj.data, "adj_indices": adj.indices, "adj_indptr": adj.indptr, "adj_shape": np.array(adj.shape),
        "attr_data": attr.data, "attr_indices": attr.indices, "attr_indptr": attr.indptr,
        "attr_shape": np.array(attr.shape), "labels": np.array([0, 1, 0, 1, 0], np.int8),
        "class_names": np.array(["red", "blue"]),
    }  # fmt: skip


def write_npz(folder: Path, **changed: Any) -> None:
    """The arrays with some replaced; None leaves one out."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: value for name, value in (npz_arrays() | changed).items() if value is not None}
    np.savez(folder / "tiny.npz", **arrays)


NODES = "id,label,f0,f1\n10,red,1,0.5\n11,blue,0,1e-3\n12,red,1,-2\n13,,0,0\n"
EDGES = "source,target\n10,11\n11,12\n12,10\n13,13\n10,11\n"


def write_tables(folder: Path, **files: str | bytes) -> None:
    """edges.csv and nodes.csv, replaced or joined by `files`: edges="..." writes edges.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in ({"edges": EDGES, "nodes": NODES} | files).items():
        path = folder / (name.replace("__", ".") if "__" in name else f"{name}.csv")
        path.write_bytes(content.encode() if isinstance(content, str) else content)


TU = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "0\n1\n0\n2\n1\n",
    "edge_labels": "5\n5\n7\n7\n5\n5\n",
    "node_attributes": " 0.5, 1\n1,2\n 3.0,4\n5,6\n7,8e0\n",
}


def write_tu(folder: Path, **changed: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for part, content in (TU | changed).items():
        (folder / f"TINY_{part}.txt").write_text(content)

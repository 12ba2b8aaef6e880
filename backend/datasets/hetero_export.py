"""A heterogeneous dataset as a .zip of tables: one a type, one a relation, which can be imported again."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workers.core import dataset_store
from workers.core.hetero import HeteroData
from workers.core.storage import Storage
from workers.datasets.typed_names import edges_file, nodes_file

SPLITS = ("train", "val", "test")
EDGE_SPLITS = np.array(["train", "valid", "test"])


def write(storage: Storage, dataset_id: str) -> Path:
    """Write the file to a temporary place and return it; the caller takes it away."""
    data = dataset_store.load_hetero(storage.files, dataset_id)
    backwards = set(data.inverse.values())
    with (
        tempfile.NamedTemporaryFile(prefix="asterism-export-", suffix=".zip", delete=False) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for node_type in data.node_types:
            archive.writestr(nodes_file(node_type), nodes_table(data, node_type).to_csv(index=False))
        for r, relation in enumerate(data.relations):
            if r not in backwards:
                archive.writestr(edges_file(relation), edges_table(data, r).to_csv(index=False))
    return Path(file.name)


def nodes_table(data: HeteroData, node_type: str) -> pd.DataFrame:
    """id, name, label and split of the target type, features f0, f1, ..."""
    at = data.vertices_of(node_type)
    table = pd.DataFrame({"id": np.arange(at.stop - at.start)})
    if data.names is not None:
        table["called"] = [data.names[v] for v in range(at.start, at.stop)]
    if node_type == data.target and data.y is not None:
        table["label"] = np.array([*data.classes, ""], object)[data.y]
        table["split"] = _split(data)
    x = data.features.get(node_type)
    if x is not None:
        table = pd.concat([table, pd.DataFrame(np.asarray(x), columns=[f"f{k}" for k in range(x.shape[1])])], axis=1)
    return table


def edges_table(data: HeteroData, r: int) -> pd.DataFrame:
    """source, target (ids within their types), time, split, features f0, f1, ..."""
    relation, at = data.relations[r], data.edges_of(r)
    table = pd.DataFrame(
        {
            "source": data.src[at] - data.vertices_of(relation.source).start,
            "target": data.dst[at] - data.vertices_of(relation.target).start,
        }
    )
    if data.times is not None:
        table["time"] = data.times[at]
    if data.edge_part is not None:
        table["split"] = EDGE_SPLITS[data.edge_part[at]]
    x = data.edge_features.get(relation)
    if x is not None:
        table = pd.concat([table, pd.DataFrame(np.asarray(x), columns=[f"f{k}" for k in range(x.shape[1])])], axis=1)
    return table


def _split(data: HeteroData) -> NDArray[np.object_]:
    assert data.y is not None
    part = np.full(len(data.y), "", object)
    for name in SPLITS:
        mask = getattr(data, name)
        if mask is not None:
            part[mask] = name
    return part

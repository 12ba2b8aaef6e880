"""A DGL graph as `dgl.save_graphs` writes it (.bin). Needs DGL: pip install dgl==1.1.3; Asterism itself does not."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

import numpy as np

from workers.core.hetero import Relation
from workers.datasets.errors import BadFile, MissingPart
from workers.datasets.files import Files
from workers.datasets.formats.stores import Entries, Store, Stores, raw_of
from workers.datasets.hetero_reading import finish
from workers.datasets.known import DGL
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick

ENTRIES = Entries(
    x=("feat", "feature", "features", "x", "h"), y=("label", "labels", "y"), edge_x=("feat", "weight", "w"),
    time=("time", "timestamp"),
)  # fmt: skip


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    found = [name for name, _ in files.matching(DGL)]
    if len(found) != 1:
        raise MissingPart(f"{len(found)} files end in .bin", "Import one .bin file at a time.")
    name = found[0]
    tick(0, 2, "steps")
    stores = _stores(_loaded(files, name))
    tick(1, 2, "steps")
    return finish(raw_of(stores, ENTRIES, name, f"DGL graph {name}", options), options, files.limits, name)


def _loaded(files: Files, name: str) -> Any:
    """The first graph of the file."""
    if find_spec("dgl") is None:
        raise MissingPart(
            "DGL is not installed here, and only DGL reads its files",
            "Install dgl==1.1.3, or export one CSV table a type and a relation.",
            file=name,
        )
    dgl = importlib.import_module("dgl")
    try:
        graphs, _ = dgl.load_graphs(str(files.path(name)), [0])
    except (dgl.DGLError, RuntimeError, OSError, ValueError, IndexError) as error:
        first = str(error).split("\n", 1)[0][:200]
        raise BadFile(f"is no file that dgl.save_graphs wrote ({first})", "Save the graph again.", file=name) from None
    if not graphs:
        raise MissingPart("holds no graph", "Save one with dgl.save_graphs.", file=name)
    return graphs[0]


def _stores(graph: Any) -> Stores:
    types: dict[str, Store] = {
        t: {"num_nodes": int(graph.num_nodes(t)), **{k: _array(v) for k, v in graph.nodes[t].data.items()}}
        for t in graph.ntypes
    }
    relations: dict[Relation, Store] = {}
    for key in graph.canonical_etypes:
        src, dst = graph.edges(etype=key, order="eid")
        held = {k: _array(v) for k, v in graph.edges[key].data.items()}
        relations[Relation(*key)] = {"edge_index": np.stack([src.numpy(), dst.numpy()]), **held}
    return Stores(types, relations)


def _array(value: Any) -> Any:
    return np.ascontiguousarray(value.detach().cpu().numpy())

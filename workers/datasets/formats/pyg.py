"""A PyG `HeteroData` in a .pt file, or its `to_dict()`. PyG itself is not needed, and no code of the file is run.

torch's own closed unpickler reads it: tensors and plain containers, and for PyG's few classes a stand-in that keeps
their entries and does nothing. Whatever else a file asks for is refused.
"""

from __future__ import annotations

import importlib
import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from workers.core.hetero import Relation
from workers.datasets.errors import BadFile, ForbiddenPickle, MissingPart
from workers.datasets.files import Files
from workers.datasets.formats.stores import Entries, Store, Stores, raw_of
from workers.datasets.hetero_reading import finish
from workers.datasets.known import PYG
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick

SAVE = "Save the graph's own data: torch.save(data.to_dict(), 'graph.pt')."
ENTRIES = Entries(x=("x",), y=("y",), edge_x=("edge_attr", "edge_weight"), time=("time", "edge_time"))
CLASSES = (
    "torch_geometric.data.hetero_data.HeteroData",
    "torch_geometric.data.feature_store.TensorAttr",
    "torch_geometric.data.graph_store.EdgeAttr",
    "torch_geometric.data.graph_store.EdgeLayout",
    *(f"torch_geometric.data.storage.{name}Storage" for name in ("Base", "Node", "Edge", "Global")),
)


class Kept:
    """Stands in for a class of PyG: what its pickle holds, as a plain dict. What it is made with does not matter."""

    def __new__(cls, *_made_with: Any) -> Self:
        return super().__new__(cls)

    def __init__(self, *_made_with: Any) -> None:
        self.held: dict[Any, Any] = {}

    def __setstate__(self, state: Any) -> None:
        self.held = state if isinstance(state, dict) else {}


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    found = [name for name, _ in files.matching(PYG)]
    if len(found) != 1:
        raise MissingPart(f"{len(found)} files end in .pt", "Import one .pt file at a time.")
    name = found[0]
    tick(0, 2, "steps")
    stores = _stores(_loaded(files, name), name)
    tick(1, 2, "steps")
    return finish(raw_of(stores, ENTRIES, name, f"PyG HeteroData {name}", options), options, files.limits, name)


def _loaded(files: Files, name: str) -> Any:
    """What torch reads without running anything; ForbiddenPickle where the file asks for more."""
    if files.path(name).stat().st_size == 0:
        raise BadFile("is empty", "Send the file again; nothing of it arrived.", file=name)
    torch = importlib.import_module("torch")
    with _only_stand_ins(torch.serialization):
        try:
            return torch.load(files.path(name), map_location="cpu", weights_only=True)
        except pickle.UnpicklingError as error:
            asked = re.search(r"GLOBAL (\S+)", str(error))
            what = f"asks for {asked[1]}, which is not read" if asked else "is damaged, or asks for more than tensors"
            raise ForbiddenPickle(what, SAVE, file=name) from None
        except (RuntimeError, EOFError, OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            first = str(error).split("\n", 1)[0][:200]
            raise BadFile(f"is no file that torch.save wrote ({first})", SAVE, file=name) from None


@contextmanager
def _only_stand_ins(serialization: Any) -> Iterator[None]:
    """Names of PyG's classes lead to stand-ins, also where PyG is loaded and has let in its own."""
    before = serialization.get_safe_globals()
    serialization.clear_safe_globals()
    serialization.add_safe_globals([(type(name.rsplit(".", 1)[-1], (Kept,), {}), name) for name in CLASSES])
    try:
        yield
    finally:
        serialization.clear_safe_globals()
        serialization.add_safe_globals(before)


def _stores(loaded: Any, name: str) -> Stores:
    """Types are keyed by text, relations by three texts."""
    entries = _entries(loaded, name)
    types: dict[str, Store] = {
        key: _arrays(store) for key, store in entries.items() if isinstance(key, str) and key != "_global_store"
    }
    relations: dict[Relation, Store] = {
        Relation(*key): _arrays(store)
        for key, store in entries.items()
        if isinstance(key, tuple) and len(key) == 3 and all(isinstance(part, str) for part in key)
    }
    if not relations:
        raise MissingPart(
            "holds no heterogeneous graph", f"{SAVE} A graph of one type goes as an edge list.", file=name
        )
    return Stores(types, relations)


def _entries(loaded: Any, name: str) -> dict[Any, Any]:
    if isinstance(loaded, Kept):
        return {**_dict(loaded.held.get("_node_store_dict")), **_dict(loaded.held.get("_edge_store_dict"))}
    if isinstance(loaded, dict):
        return loaded
    raise BadFile(f"holds a {type(loaded).__name__}, no graph", SAVE, file=name)


def _arrays(store: Any) -> dict[str, Any]:
    """Tensors of a store as arrays."""
    held = _dict(store.held.get("_mapping")) if isinstance(store, Kept) else _dict(store)
    return {str(key): _array(value) for key, value in held.items()}


def _array(value: Any) -> Any:
    if not hasattr(value, "detach"):
        return value
    dense = value.to_dense() if value.layout is not importlib.import_module("torch").strided else value
    found = dense.detach()
    return np.ascontiguousarray(found.float().numpy() if found.dtype.is_floating_point else found.numpy())


def _dict(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}
